"""What is asked of a release: one frozen value, from which every surface is made.

Signature and docstring of `anonymize`, the flags of the command line, the settings file, the checks
and the record in the evidence all derive from the fields of `Plan`.
"""

from coterie.plan.plan import Plan

__all__ = ["Plan"]
