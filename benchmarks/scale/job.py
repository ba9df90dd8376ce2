"""One job of a benchmark in a process of its own: python job.py SPECIFICATION, which is JSON.

It imports nothing of ours but the package, so that another state of it can be measured beside:
run it with that one's Python.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path


def main(text: str) -> None:
    asked = json.loads(text)
    for name, bytes_ in asked.get("limits", {}).items():
        resource.setrlimit(getattr(resource, name), (bytes_, bytes_))
    import coterie

    began = time.perf_counter()
    done = coterie.distributed.anonymize(
        asked["source"], asked["target"], 5, asked["keys"], random_state=1, **asked["options"]
    )
    seconds = time.perf_counter() - began
    reported = None
    if asked.get("report"):
        began = time.perf_counter()
        done.report(asked["report"])
        reported = time.perf_counter() - began
    found = {
        "seconds": seconds,
        "report": reported,
        "stages": dict(done.evidence.internal["seconds"]),
        "loss": done.information_loss,
        "proof": str(done.verification),
    }
    Path(asked["found"]).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
