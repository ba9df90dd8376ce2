"""The pipeline: the stages composed, behind the API and the command line.

preparation (every problem told before any work) -> grouping (strata by strata) -> assembly (the
released table) -> proof. Each is a room of its own; `composition` puts them in order.
"""

from coterie.pipeline.composition import anonymize

__all__ = ["anonymize"]
