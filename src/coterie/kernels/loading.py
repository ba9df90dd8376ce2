"""Machine code from the cache, without what Numba needs only to compile.

Before Numba looks into its cache it loads everything that it could compile, some sixty modules
and the typing of a thousand functions: a fifth of a second, for code that is ready to run. Here the
cache is asked first. Where it has nothing, Numba goes its own way, from the beginning.
"""

__all__ = ["from_cache_first"]


def from_cache_first(dispatcher, prepare):
    """A compiled function that looks into its cache before Numba gets ready to compile.

    `prepare` is called before the latter. A Numba that keeps its cache otherwise is left alone.
    """
    cache = getattr(dispatcher, "_cache", None)
    if not hasattr(cache, "_load_overload") or not hasattr(cache, "load_overload"):
        return dispatcher
    usual = cache.load_overload

    def load(signature, context):
        found = _ready(cache, signature, context)
        if found is not None:
            return found
        prepare()
        try:
            return usual(signature, context)
        except Exception:  # a file that another program tore: compiled and written anew
            return None

    cache.load_overload = load
    return dispatcher


def _ready(cache, signature, context):
    """What the cache has, or None where anything is amiss."""
    try:
        from numba.core.runtime import rtsys

        rtsys.initialize(context)  # of code that makes arrays
        return cache._load_overload(signature, context)
    except Exception:
        return None
