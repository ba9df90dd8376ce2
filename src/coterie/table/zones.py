"""Moments of several time zones in one column: all in UTC, whoever came first.

Arrow reads a column of Python's objects by its first: the zone of that record would stand at every
other, and tell which one was first; a day before moments would take their time off them, and a
moment without a zone before others with one would count as UTC.
"""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["in_one_zone"]


def in_one_zone(values: Any, held: pa.Array) -> tuple[pa.Array, str | None]:
    """What Arrow holds of objects of pandas, in UTC where they are of several zones.

    Beside it what is wrong: days and times of day, or moments with and without a zone, cannot be
    one column.

    Examples
    --------
    >>> import datetime as dt
    >>> import pandas as pd
    >>> import pyarrow as pa
    >>> noon = dt.datetime(2020, 1, 1, 12, tzinfo=dt.timezone(dt.timedelta(hours=2)))
    >>> column = pd.Series([noon, noon.astimezone(dt.UTC)], dtype=object)
    >>> in_one_zone(column, pa.array(column))[0].type
    TimestampType(timestamp[us, tz=UTC])
    """
    import pyarrow as pa

    if not (pa.types.is_timestamp(held.type) or pa.types.is_date(held.type)):
        return held, None
    present = values.dropna()
    moments = [value for value in present if isinstance(value, datetime.datetime)]
    if len(moments) < len(present):  # days: moments beside them must be days as well
        whole = all(moment.timetz() == datetime.time(0) for moment in moments)
        return held, None if whole else "values of type date and datetime"
    zones = {None if moment.tzinfo is None else str(moment.tzinfo) for moment in moments}
    if None in zones and len(zones) > 1:
        return held, "datetimes with and without a time zone"
    if len(zones) > 1:
        held = held.cast(pa.timestamp(held.type.unit, "UTC"))
    return held, None
