"""Memory that a process has held."""

from __future__ import annotations

import sys

__all__ = ["peak_memory"]


def peak_memory() -> float:
    """Most MB that this process held at once; 0 where the system does not say."""
    try:
        # Not getrusage: that counts what the parent held before the process began.
        with open("/proc/self/status") as status:
            for line in status:
                if line.startswith("VmHWM"):
                    return int(line.split()[1]) / 1024
    except OSError:
        pass
    try:
        import resource
    except ImportError:  # Windows
        return 0.0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (2**20 if sys.platform == "darwin" else 2**10)
