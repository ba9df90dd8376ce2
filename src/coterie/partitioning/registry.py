"""The static table of methods: names and where they live. Reading it loads neither Numba nor SciPy.

A method is a function ``method(problem, run, options) -> Outcome`` in a file of its own beside the
dataclass of its options. The line here names both. Any constructive method can be ordered and
re-grouped: ``"<name>-mhm"`` needs no line of its own beyond those the papers name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

from coterie.errors import bad_parameter, unknown_name
from coterie.partitioning import options as _options
from coterie.partitioning.core import Outcome
from coterie.partitioning.driver import Run
from coterie.partitioning.problem import Problem

__all__ = ["METHODS", "ORDERS", "Method", "bind", "find"]

_HERE = "coterie.partitioning"
VLDB2006 = "Domingo-Ferrer, Martinez-Balleste, Mateo-Sanz, Sebe (2006), VLDB Journal 15:355-369"
LASZLO2005 = "Laszlo, Mukherjee (2005), IEEE TKDE 17(7):902-911"
BIERMAN2020 = (
    "Laszlo, Mukherjee (2015), J. Systems and Software 100:15-26; Bierman (2020), Improvements to "
    "iterated local search for microaggregation, Nova Southeastern University, chapter 3"
)
MORTAZAVI2015 = "Mortazavi, Jalili (2015), ISeCure 7(1), section 4"
GSMS2013 = (
    "Panagiotakis, Tziritas (2013), IEEE TKDE 25(5):1191-1195, as told by Mortazavi, Jalili "
    "(2015), ISeCure 7(1), section 2"
)
HANSEN2003 = "Hansen, Mukherjee (2003), IEEE TKDE 15(4):1043-1044"
MHM = f"{_HERE}.path.mhm:ordered"


@dataclass(frozen=True)
class Method:
    """One line of the table.

    Attributes
    ----------
    name : str
        As `coterie.partition` takes it.
    description : str
        One line.
    kind : str
        ``"constructive"``, ``"path"``, ``"exact"`` or ``"search"``.
    reference : str
        The publication whose result it gives.
    anytime : bool
        True if it honors `time_limit`, `iterations` and `workers`, and gives the best so far on
        Ctrl-C.
    starts : bool
        True if it begins with the partition of another method, which its option `start` names.
    """

    name: str
    description: str
    kind: str
    reference: str
    target: str
    option_class: str
    base: str | None = None
    anytime: bool = False
    starts: bool = False

    @property
    def options(self) -> dict[str, str]:
        """Name of each option, with its rule and default in words."""
        return {
            name: text for kind in _kinds(self) for name, text in _options.describe(kind).items()
        }


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method(
            "mdav",
            "groups round the record farthest from the centroid and the one opposite it",
            "constructive",
            "Hundepool et al. (2003), mu-Argus; Domingo-Ferrer, Torra (2005), DMKD 11:195-212",
            f"{_HERE}.constructive.mdav:mdav",
            "MdavOptions",
        ),
        Method(
            "tfrp",
            "groups round the records farthest from two fixed points, some then dissolved",
            "constructive",
            "Chang, Li, Huang (2007), Journal of Systems and Software 80(11):1866-1878",
            f"{_HERE}.constructive.tfrp:tfrp",
            "TfrpOptions",
        ),
        Method(
            "systematic",
            "groups grown side by side from every k-th record of a sorted table",
            "constructive",
            "Kabir, Wang (2011), Systematic clustering-based microaggregation, Table I",
            f"{_HERE}.constructive.systematic:systematic",
            "SystematicOptions",
        ),
        Method(
            "mu-approx",
            "trees of short edges, of at most 2k times the optimal SSE in all, cut into groups",
            "constructive",
            "Domingo-Ferrer, Sebe, Solanas (2008), Computers and Mathematics with Applications "
            "55(4):714-732",
            f"{_HERE}.constructive.mu_approx:mu_approx",
            "MuApproxOptions",
        ),
        Method(
            "md",
            "groups round the two most distant records",
            "constructive",
            f"{VLDB2006}, section 4.2.2",
            f"{_HERE}.constructive.md:md",
            "MdOptions",
        ),
        Method(
            "cbfs",
            "one group at a time, round the record farthest from the centroid",
            "constructive",
            LASZLO2005,
            f"{_HERE}.constructive.cbfs:cbfs",
            "CbfsOptions",
        ),
        Method(
            "vmdav",
            "one group at a time as CBFS, extended while the next record is near enough",
            "constructive",
            "Solanas, Martinez-Balleste (2006), V-MDAV, COMPSTAT 2006",
            f"{_HERE}.constructive.vmdav:vmdav",
            "VmdavOptions",
        ),
        Method(
            "mst",
            "parts of the minimum spanning tree, large ones split by MD",
            "constructive",
            f"{LASZLO2005}, M-d",
            f"{_HERE}.constructive.mst:mst",
            "MstOptions",
        ),
        Method(
            "gsms",
            "one group at a time, the one that leaves the least SSE",
            "constructive",
            GSMS2013,
            f"{_HERE}.constructive.gsms:gsms",
            "GsmsOptions",
        ),
        Method(
            "gsms-t2",
            "the groups of GSMS, some then dissolved as in TFRP",
            "constructive",
            GSMS2013,
            f"{_HERE}.constructive.gsms:gsms_t2",
            "GsmsOptions",
        ),
        Method(
            "npn-mhm",
            "optimal cuts of the nearest-point-next path",
            "path",
            f"{VLDB2006}, section 4.2.1",
            MHM,
            "NpnOptions",
            base="npn",
        ),
        Method(
            "mdav-mhm",
            "optimal cuts of a path through MDAV's groups",
            "path",
            f"{VLDB2006}, section 4.2.3",
            MHM,
            "GroupPathOptions",
            base="mdav",
        ),
        Method(
            "tsp-mhm",
            "optimal cuts of a short closed tour through all records",
            "path",
            "Mortazavi, Jalili (2014), Knowledge-Based Systems 67:195-205",
            MHM,
            "TourOptions",
            base="tsp",
        ),
        Method(
            "fdm",
            "one short tour, cut as well as can be for k; several k in one run: partitioning.fdm",
            "path",
            "Mortazavi, Jalili (2014), Knowledge-Based Systems 67:195-205, as told in (2017), "
            "Transactions on Data Privacy 10:117-144, section 2",
            MHM,
            "TourOptions",
            base="tsp",
        ),
        Method(
            "md-mhm",
            "optimal cuts of a path through MD's groups",
            "path",
            f"{VLDB2006}, section 4.2.2",
            MHM,
            "MdPathOptions",
            base="md",
        ),
        Method(
            "cbfs-mhm",
            "optimal cuts of a path through CBFS's groups",
            "path",
            f"{VLDB2006}, section 4.2.3",
            MHM,
            "GroupPathOptions",
            base="cbfs",
        ),
        Method(
            "exact",
            "the proved optimum: one attribute (any n), or up to 20 records",
            "exact",
            HANSEN2003,
            f"{_HERE}.exact.optimum:exact",
            "ExactOptions",
        ),
        Method(
            "ls",
            "swaps and shifts between all pairs of groups until none improves",
            "search",
            BIERMAN2020,
            f"{_HERE}.search.local_search:ls",
            "LocalSearchOptions",
            anytime=True,
            starts=True,
        ),
        Method(
            "lsc",
            "the same between groups just changed and all others",
            "search",
            BIERMAN2020,
            f"{_HERE}.search.local_search:lsc",
            "LocalSearchOptions",
            anytime=True,
            starts=True,
        ),
        Method(
            "ilsm",
            "iterated local search: dissolve or distill a group, then ls, again and again",
            "search",
            BIERMAN2020,
            f"{_HERE}.search.iterated:ilsm",
            "IteratedOptions",
            anytime=True,
            starts=True,
        ),
        Method(
            "ilsmc",
            "the same with lsc from the groups that the perturbation changed",
            "search",
            BIERMAN2020,
            f"{_HERE}.search.iterated:ilsmc",
            "IteratedOptions",
            anytime=True,
            starts=True,
        ),
        Method(
            "icsm",
            "exchanges, migrations and cyclic shifts of records, and new cuts of a tour",
            "search",
            MORTAZAVI2015,
            f"{_HERE}.search.icsm:icsm",
            "IcsmOptions",
            anytime=True,
            starts=True,
        ),
        Method(
            "optimize",
            "annealing of regions, column generation and integer programs: the least loss known",
            "search",
            "this package; Kirkpatrick, Gelatt, Vecchi (1983), Science 220:671-680; Aloise, "
            "Hansen, Rocha, Santi (2014), Journal of Global Optimization",
            f"{_HERE}.search.optimize.search:optimize",
            "OptimizeOptions",
            anytime=True,
        ),
        Method(
            "auto",
            "the proved optimum of small tables, optimize for all others, some seconds long",
            "search",
            "this package",
            f"{_HERE}.auto:auto",
            "AutoOptions",
            anytime=True,
        ),
    )
}

# Orders of the records that need no groups: "module:function", a function of (problem, run).
ORDERS: dict[str, str] = {
    "npn": f"{_HERE}.path.npn:npn",
    "tsp": f"{_HERE}.path.tsp:tsp",
}


def find(name: object) -> Method:
    """The method called `name`, or an error with the nearest one."""
    if isinstance(name, str):
        if name in METHODS:
            return METHODS[name]
        base = METHODS.get(name.removesuffix("-mhm"))
        if base is not None and base.kind == "constructive":
            text = f"optimal cuts of a path through {base.name}'s groups"
            kind = "GroupPathOptions"
            return Method(name, text, "path", base.reference, MHM, kind, base=base.name)
    raise unknown_name("method", name, METHODS)


def bind(
    method: Method, given: Mapping[str, Any]
) -> tuple[Callable[[Problem, Run], Outcome], dict[str, Any]]:
    """The method as a function of (problem, run), and all its options with their values."""
    if method.starts:
        return _from_start(method, given)
    kinds = _kinds(method)
    built = _options.build(kinds, given, method.name)
    values = {name: value for one in built for name, value in vars(one).items()}
    if method.base is None:
        return partial(load(method.target), options=built[0]), values
    if method.base in ORDERS:
        order = load(ORDERS[method.base])
        if hasattr(built[0], "start"):
            order = partial(order, start=built[0].start)
    else:
        base = partial(load(METHODS[method.base].target), options=built[1])
        order = partial(load(f"{_HERE}.path.groups:group_path"), base=base, options=built[0])
    return partial(load(method.target), options=built[0], order=order), values


def _from_start(
    method: Method, given: Mapping[str, Any]
) -> tuple[Callable[[Problem, Run], Outcome], dict[str, Any]]:
    """A search with the method that it begins with; options that it has not are that one's."""
    kind = _kinds(method)[0]
    name = given.get("start", kind.start)  # type: ignore[attr-defined]
    own = _options.describe(kind)
    chosen = None if name == "random" or not isinstance(name, str) else find(name)
    if chosen is not None and (chosen.anytime or chosen.kind == "exact"):
        rule = "'random' or the name of a constructive or path method"
        raise bad_parameter("start", f"method {method.name!r}", rule, name)
    known = own if chosen is None else {**chosen.options, **own}
    for option in given:
        if option not in known:
            raise unknown_name(f"option of method {method.name!r}:", option, known)
    options = _options.build(
        (kind,), {key: value for key, value in given.items() if key in own}, method.name
    )[0]
    start: Callable[[Problem, Run], Outcome] | None = None
    values: dict[str, Any] = {}
    if chosen is not None:
        theirs = {key: value for key, value in given.items() if key not in own}
        start, values = bind(chosen, theirs)
    search = partial(load(method.target), options=options, start=start)
    return search, {**values, **vars(options)}


def load(target: str) -> Any:
    """The object that "module:name" stands for."""
    module, name = target.split(":")
    return getattr(import_module(module), name)


def _kinds(method: Method) -> tuple[type, ...]:
    """The option classes of a method: its own, and those of the one it orders or begins with."""
    module = method.target.partition(":")[0]
    kinds: tuple[type, ...] = (load(f"{module}:{method.option_class}"),)
    inner = getattr(kinds[0], "start", None) if method.starts else method.base
    if inner in METHODS:
        kinds += _kinds(METHODS[inner])
    return kinds
