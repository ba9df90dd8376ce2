"""The reference microdata on which microaggregation methods are compared.

Tarragona, Census and EIA come from the European project CASC and are published with the R package
sdcMicro (GPL-2). coterie does not carry them: a file is looked for in the folder named by the
environment variable ``COTERIE_DATA``, then in the user's cache, then downloaded into that cache.
Wherever it comes from, its sha256 is checked before it is parsed.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from functools import lru_cache
from importlib.util import find_spec
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from coterie.datasets.optional import needed
from coterie.errors import DataError, bad_parameter, shown

if TYPE_CHECKING:
    import pandas as pd

_SOURCE = (
    "https://raw.githubusercontent.com/sdcTools/sdcMicro/"
    "ea3a1048e7f811f9afc806f2e85906cd974ce0ac/data/"
)

_SHA256 = {
    "Tarragona.rda": "e83def0648be5e47eaf202b4dd60dd6981591d0858fd249817b9a2cc97cf2aef",
    "CASCrefmicrodata.rda": "147d0d7fa823a384e36c2297174560e32cdbe6e39803f22f797610fb1a2993d6",
    "EIA.rda": "8b61ceb0d1fa01d024bd62171655601abed62ff70a5e9e6fd550c43a1f76695e",
}


def tarragona() -> pd.DataFrame:
    """Financial figures of companies in the Tarragona area, 1995.

    The values are raw. Published results are for columns standardized to mean 0 and standard
    deviation 1, which methods such as MDAV need to weigh every attribute alike.

    Returns
    -------
    pandas.DataFrame
        834 rows and 13 int64 columns, named as published.

    Raises
    ------
    DataError
        When the file cannot be had, or its sha256 is not the expected one.
    MissingDependency
        When a package of the extra ``datasets`` is missing.

    Examples
    --------
    >>> from coterie.datasets import tarragona
    >>> tarragona().shape  # doctest: +SKIP
    (834, 13)
    """
    return _load("Tarragona.rda")


def census() -> pd.DataFrame:
    """Incomes and taxes of persons from a survey of the U.S. Bureau of the Census, 1995.

    The values are raw, as those of `tarragona`; published results are for standardized columns.

    Returns
    -------
    pandas.DataFrame
        1080 rows and 13 int64 columns, named as published.

    Refuses what `tarragona` refuses.

    Examples
    --------
    >>> from coterie.datasets import census
    >>> census().shape  # doctest: +SKIP
    (1080, 13)
    """
    return _load("CASCrefmicrodata.rda")


def eia(attributes: Literal[11, 10, "all"] = 11) -> pd.DataFrame:
    """Monthly revenue and sales of electric utilities in the United States, 1996.

    The literature's eleven attributes contain UTILITYID, an identifier, and the rows are 259
    utilities seen over twelve months: group on them to reproduce published results, not to
    protect anybody. The values are raw; published results are for columns standardized to mean 0
    and standard deviation 1.

    Parameters
    ----------
    attributes : {11, 10, "all"}, default 11
        11 gives UTILITYID and the ten REVENUE and SALES columns, 10 leaves UTILITYID out, "all"
        gives the fifteen published columns, with name, state, year and month.

    Returns
    -------
    pandas.DataFrame
        4092 rows; UTILNAME and STATE hold strings, every other column int64.

    Raises
    ------
    ParameterError
        When `attributes` is none of the three; and what `tarragona` raises.

    Examples
    --------
    >>> from coterie.datasets import eia
    >>> eia().shape, eia(attributes=10).shape  # doctest: +SKIP
    ((4092, 11), (4092, 10))
    """
    numeric = isinstance(attributes, Integral) and attributes in (10, 11)
    if not numeric and not (isinstance(attributes, str) and attributes == "all"):
        raise bad_parameter("attributes", "eia", "11, 10 or 'all'", attributes)
    table = _load("EIA.rda")
    if not numeric:
        return table
    amounts = [name for name in table.columns if name.endswith(("REVENUE", "SALES"))]
    return table[amounts if attributes == 10 else ["UTILITYID", *amounts]]


def is_available() -> bool:
    """Whether the three tables can be loaded without a download."""
    if find_spec("rdata") is None or find_spec("pandas") is None:
        return False
    cache = _cache() if find_spec("pooch") else None
    rooms = [room for room in (_folder(), cache) if room is not None]
    return all(any((room / name).is_file() for room in rooms) for name in _SHA256)


def _load(name: str) -> pd.DataFrame:
    return _parse(_content(name), name).copy()


def _content(name: str) -> bytes:
    """The bytes of a reference file, checked: folder, then cache, then download."""
    folder = _folder()
    if folder is not None and (folder / name).is_file():
        return _checked(folder / name, name, f"Replace it with {_SOURCE}{name}")
    cached = _cache() / name
    if cached.is_file():
        return _checked(cached, name, "Delete it, and it will be downloaded again.")
    looked = "COTERIE_DATA (which is not set)" if folder is None else f"COTERIE_DATA={folder}"
    return _download(name, cached, looked)


def _folder() -> Path | None:
    folder = os.environ.get("COTERIE_DATA")
    return Path(folder).expanduser() if folder else None


def _cache() -> Path:
    return Path(needed("pooch").os_cache("coterie"))


def _checked(path: Path, name: str, remedy: str, origin: str | None = None) -> bytes:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataError(
            f"{path} cannot be read ({_line(error)}). Check its permissions."
        ) from error
    found = hashlib.sha256(content).hexdigest()
    if found != _SHA256[name]:
        raise DataError(
            f"{origin or path} is not the published {name}: "
            f"expected sha256 {_SHA256[name]}, found {found}. {remedy}"
        )
    return content


def _download(name: str, target: Path, looked: str) -> bytes:
    """Fetch a file beside its place in the cache, check it, and only then move it there."""
    fetch = needed("pooch").HTTPDownloader(timeout=30)
    url = _SOURCE + name
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent) as folder:
            part = Path(folder) / name
            fetch(url, str(part), None)
            content = _checked(
                part, name, "Put a good copy into a folder named by COTERIE_DATA.", origin=url
            )
            part.replace(target)
    except OSError as error:
        raise DataError(
            f"{name} is neither in {looked} nor in {target.parent}, and {url} could not be "
            f"downloaded ({_line(error)}). Connect to the network, or put the file into a folder "
            "and set COTERIE_DATA to it."
        ) from error
    return content


def _line(error: Exception) -> str:
    return shown(error, limit=100)


@lru_cache(maxsize=len(_SHA256))
def _parse(content: bytes, name: str) -> pd.DataFrame:
    """The one table inside an R data file, with plain dtypes and the default index."""
    rdata = needed("rdata")
    parsed = rdata.parser.parse_data(content, extension=".rda")
    # A given encoding keeps rdata from warning about strings that declare none.
    tables = rdata.conversion.convert(parsed, default_encoding="utf-8")
    table: pd.DataFrame = tables[Path(name).stem].reset_index(drop=True)
    return table.astype(
        {
            column: str if dtype.name == "category" else "int64"
            for column, dtype in table.dtypes.items()
        }
    )
