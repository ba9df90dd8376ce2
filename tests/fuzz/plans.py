"""Tables with roles, and what is asked of them: arguments as `coterie.anonymize` takes them."""

from __future__ import annotations

from typing import Any

from tests.fuzz.chooser import Chooser
from tests.fuzz.contents import KINDS, USUAL, contents
from tests.fuzz.dress import choose_dtype
from tests.fuzz.names import names
from tests.fuzz.rules import hierarchy, recoding, step

SECRET = "SECRET-"  # what values of identifiers begin with: none may leave
FAST = ["mdav", "tfrp", "systematic", "mu-approx", "md", "cbfs", "vmdav", "mst"]
PATHS = ["npn-mhm", "mdav-mhm", "tsp-mhm", "md-mhm", "cbfs-mhm"]
SEARCHES = ["ls", "lsc", "ilsm", "ilsmc", "icsm", "optimize", "auto", "exact"]
FEW = ["text", "boolean", "integer"]
TYPES = ["continuous", "integer", "ordinal", "nominal", "boolean", "date", "datetime"]

LIMITS = {
    *("min_distinct", "max_share", "entropy_l", "t_closeness", "alpha_k", "recursive_cl"),
    *("beta_likeness", "delta_disclosure", "p_percent", "dominance"),
}

Table = dict[str, Any]  # columns, and the roles by which `asked` makes a plan


def table(
    choose: Chooser, library: str, *, most: int = 40, kinds: list[str] | None = None
) -> Table:
    """Columns with values, names and roles."""
    n = choose.integer(4, most)
    if choose.chance(4):
        n = choose.one([1, 2, 3, 120])
    odd_names, odd_types = choose.chance(20), choose.chance(50)
    extreme, gaps = choose.chance(15), choose.chance(20)
    kinds = kinds or list(KINDS)
    usual = [kind for kind in USUAL if kind in kinds]
    roles: dict[str, list[int]] = {role: [] for role in ROLES}
    columns: list[dict[str, Any]] = []

    def add(role: str, kind: str, values: list[Any], *, plain: bool = False) -> None:
        dtype = choose_dtype(choose, library, kind, odd=odd_types and not plain)
        roles[role].append(len(columns))
        columns.append({"kind": kind, "dtype": dtype, "values": values})

    for _ in range(choose.integer(1, 4)):
        kind = choose.one(kinds if choose.chance(2) else usual)
        wild = extreme and choose.chance(50)
        holes = gaps and choose.chance(60)
        add("key", kind, contents(choose, kind, n, gaps=holes, extreme=wild))
    if choose.chance(20):
        for _ in range(choose.integer(1, 2)):
            kind = choose.one([kind for kind in FEW if kind in kinds])
            few = contents(choose, kind, 2, gaps=choose.chance(10), extreme=choose.chance(10))
            add("stratum", kind, [choose.one(few) for _ in range(n)])
    if choose.chance(20):
        many = choose.integer(2, max(2, n))
        units = [choose.integer(1, many) for _ in range(n)]
        add("unit", "integer", units)
        if choose.chance(30):
            kind = choose.one(usual)
            shared = contents(choose, kind, many + 1, gaps=gaps, extreme=False)
            roles["unit_column"].append(len(columns))
            add(choose.one(["key", "key", "other"]), kind, [shared[unit] for unit in units])
    for role, share in (("confidential", 40), ("other", 50)):
        if choose.chance(share):
            for _ in range(choose.integer(1, 2)):
                kind = choose.one(kinds if choose.chance(20) else usual)
                holes = choose.chance(20)
                add(role, kind, contents(choose, kind, n, gaps=holes, extreme=extreme))
    if choose.chance(50):
        secrets = [f"{SECRET}{choose.integer(0, 10**9):09d}" for _ in range(n)]
        add("identifier", "text", secrets)
        if choose.chance(10) and "mixture" in kinds:
            add("identifier", "mixture", contents(choose, "mixture", n, gaps=False, extreme=False))
    if choose.chance(8):
        size = choose.one([1.0, 1.0, 1e300, 1e-300])
        add("weight", "float", [size * choose.real(0.5, 9.0) for _ in range(n)])
    if choose.chance(70):
        places = list(range(n))
        tags = [places.pop(choose.integer(0, len(places) - 1)) + 1000 for _ in range(n)]
        add("tag", "integer", tags, plain=True)
    for column, name in zip(columns, names(choose, len(columns), odd=odd_names), strict=True):
        column["name"] = name
    named = {role: [columns[i]["name"] for i in places] for role, places in roles.items()}
    if choose.chance(50):
        columns.reverse()
    return {"columns": columns, "roles": named, "rows": n}


ROLES = (
    *("key", "stratum", "unit", "unit_column", "confidential", "other", "identifier", "weight"),
    "tag",
)


def asked(choose: Chooser, made: Table, *, engine: str = "memory") -> dict[str, Any]:
    """Arguments for a table: mostly sound ones."""
    roles = made["roles"]
    by_name = {column["name"]: column for column in made["columns"]}
    keys = roles["key"]
    plan: dict[str, Any] = {
        "k": choose.integer(2, 5),
        "quasi_identifiers": keys,
        "method": choose.one(FAST if choose.chance(90) else ["mdav"]),
        "random_state": choose.integer(0, 99),
    }
    if choose.chance(25):
        plan["method"] = choose.one(PATHS)
    elif choose.chance(20):
        plan["method"] = choose.one(SEARCHES)
        if plan["method"] == "exact" and made["rows"] > 16:  # it would take as long as ten others
            plan["method"] = "ls"
        plan["iterations" if choose.chance(50) else "time_limit"] = 1
        if plan["method"] in ("exact", "ls", "lsc"):
            plan.pop("iterations", None)
            plan.pop("time_limit", None)
        elif "time_limit" in plan:
            plan["time_limit"] = 0.05
    kept = [*roles["other"], *roles["tag"], *roles["confidential"], *roles["weight"]]
    plan["declared"] = [name for name in [*keys, *kept] if choose.chance(97)]
    for role, argument in (
        ("confidential", "confidential"),
        ("identifier", "identifiers"),
        ("stratum", "strata"),
    ):
        if roles[role]:
            plan[argument] = roles[role]
    if roles["unit"]:
        plan["unit"] = roles["unit"][0]
        if choose.chance(20) and engine == "memory":
            plan["unit_members"] = "together"
        if roles["unit_column"] and choose.chance(90) and engine == "memory":
            plan["unit_columns"] = roles["unit_column"]
    if roles["weight"]:
        plan["sample_weight"] = roles["weight"][0]
    has_gaps = any(None in by_name[key]["values"] for key in keys)
    if has_gaps and choose.chance(85):
        plan["missing"] = choose.one(["pattern", "drop"])
    if (roles["stratum"] or plan.get("missing") == "pattern") and choose.chance(75):
        options = ["merge", "drop"] if engine == "memory" else ["drop"]
        plan["small_strata"] = choose.one(options)
        if plan["small_strata"] == "merge" and choose.chance(20):
            plan["pooled"] = choose.one(["other", "all of them"])
    if choose.chance(6) and engine == "memory":
        plan["suppress_at_most"] = choose.one([0.1, 0.25, 0.5, 0.02])
    if choose.chance(35):
        plan["aggregation"] = "median"
        numeric = any(by_name[key]["kind"] in ("integer", "float", "decimal") for key in keys)
        apt = engine == "memory" and numeric and not has_gaps and not roles["weight"]
        if choose.chance(50) and (apt or choose.chance(5)):
            plan["aggregation"] = "p3m"
        if plan["aggregation"] == "p3m" and choose.chance(60):
            plan["delta"] = choose.one([0.1, 0.5, 2.0])
            plan["importance"] = choose.one([0.001, 0.001, 0.5, 1.0])
    if choose.chance(12) and engine == "memory":
        plan["row_order"] = "keep"
    if engine == "memory":
        _limits(choose, made, plan)
    _columns(choose, made, plan, by_name, engine)
    if choose.chance(3):
        _spoil(choose, plan)
    return plan


def _limits(choose: Chooser, made: Table, plan: dict[str, Any]) -> None:
    """Diversity, dominance, rules, sets of attributes."""
    roles = made["roles"]
    if roles["confidential"] and choose.chance(25):
        limit, value = choose.one(
            [
                ("min_distinct", 2),
                ("max_share", 0.8),
                ("entropy_l", 1.5),
                ("t_closeness", 0.5),
                ("alpha_k", 0.7),
                ("recursive_cl", (3.0, 2)),
                ("beta_likeness", 2.0),
                ("delta_disclosure", 2.0),
            ]
        )
        plan[limit] = value
    if choose.chance(4):
        limit, value = choose.one([("p_percent", 10), ("dominance", (1, 80))])
        plan[limit] = value
    if (LIMITS & set(plan) or "unit" in plan) and choose.chance(10):
        plan["on_violation"] = "refuse"
    if len(roles["key"]) > 1 and choose.chance(5):
        plan["attribute_groups"] = [[name] for name in roles["key"]]
    numbers = [
        column
        for column in made["columns"]
        if column["name"] in roles["key"]
        and column["kind"] in ("integer", "float")
        and column["name"].isidentifier()
    ]
    if numbers and choose.chance(10):
        column = choose.one(numbers)
        values = [v for v in column["values"] if v is not None and v == v and abs(v) < 1e15]
        bound = choose.one(values) if values and choose.chance(30) else min(values, default=0)
        plan["rules"] = [f"{column['name']} >= {bound}"]
        if len(numbers) > 1 and choose.chance(30):
            plan["rules"].append(f"{numbers[0]['name']} <= {numbers[1]['name']}")
        if choose.chance(80):
            plan["broken_rules"] = choose.one(["repair", "drop"])


def _columns(
    choose: Chooser, made: Table, plan: dict[str, Any], by_name: dict[str, Any], engine: str
) -> None:
    """What is said of single columns."""
    for name in made["roles"]["key"]:
        kind, values = by_name[name]["kind"], by_name[name]["values"]
        number = kind in ("integer", "float", "decimal")
        if number and choose.chance(5):
            options = ["asinh"] if engine != "memory" else ["asinh", "rank"]
            if all(v is None or v >= 0 for v in values) or choose.chance(5):
                options.append("log1p")
            plan.setdefault("transforms", {})[name] = choose.one(options)
        if choose.chance(5):
            plan.setdefault("attribute_weights", {})[name] = choose.one([2.0, 0.1, 1e-9, 1e9])
        if kind == "text" and choose.chance(8):
            order = sorted({v for v in values if v is not None}, reverse=choose.chance(50))
            plan.setdefault("orders", {})[name] = order
        if kind in ("integer", "text") and choose.chance(6):
            plan.setdefault("missing_codes", {})[name] = [choose.one(values)]
            plan.setdefault("missing", "pattern")
            plan.setdefault("small_strata", "drop")
        if choose.chance(4):
            apt = {
                "integer": ["integer", "continuous", "ordinal", "nominal"],
                "float": ["continuous"],
            }
            types = apt.get(kind, ["nominal"])
            if choose.chance(20):
                types = [*TYPES]
            plan.setdefault("types", {})[name] = choose.one(types)
    if choose.chance(25):
        _trees(choose, made, plan, by_name)
    if choose.chance(10):
        _recodings(choose, made, plan, by_name)


def _trees(choose: Chooser, made: Table, plan: dict[str, Any], by_name: dict[str, Any]) -> None:
    """Hierarchies, and what is released of a key."""
    for name in made["roles"]["key"]:
        kind, values = by_name[name]["kind"], by_name[name]["values"]
        rule, width = hierarchy(choose, kind, values), step(choose, kind)
        form = choose.integer(0, 3)
        if form == 0 and rule is not None:
            plan.setdefault("hierarchies", {})[name] = rule
            if choose.chance(30):
                plan.setdefault("releases", {})[name] = choose.one(["ancestor", "mode"])
        elif form == 1 and width is not None:
            plan.setdefault("releases", {})[name] = "interval"
            plan.setdefault("steps", {})[name] = width
        elif choose.chance(20):
            word = choose.one(["mean", "median", "mode", "ancestor"])
            plan.setdefault("releases", {})[name] = word
    for name in made["roles"]["stratum"]:
        if plan.get("small_strata") == "merge" and choose.chance(50):
            rule = hierarchy(choose, by_name[name]["kind"], by_name[name]["values"])
            if rule is not None:
                plan.setdefault("hierarchies", {})[name] = rule


def _recodings(choose: Chooser, made: Table, plan: dict[str, Any], by_name: dict[str, Any]) -> None:
    """Columns that are recoded first: keys, and what is released as it is."""
    for role in ("key", "other", "confidential", "stratum"):
        for name in made["roles"][role]:
            rule = recoding(choose, by_name[name]["kind"], by_name[name]["values"])
            if rule and choose.chance(40):
                plan.setdefault("recodings", {})[name] = rule


def _spoil(choose: Chooser, plan: dict[str, Any]) -> None:
    """One argument that is wrong."""
    name, value = choose.one(
        [
            ("k", 0),
            ("k", 1),
            ("k", 10**9),
            ("k", "3"),
            ("k", 2.5),
            ("k", None),
            ("quasi_identifiers", []),
            ("quasi_identifiers", ["nowhere"]),
            ("quasi_identifiers", 5),
            ("quasi_identifiers", [5]),
            ("confidential", "nowhere"),
            ("identifiers", None),
            ("strata", {"a": 1}),
            ("unit", ["a"]),
            ("sample_weight", 3),
            ("method", "mdaw"),
            ("method", 5),
            ("method_options", 5),
            ("method_options", {"k": 3}),
            ("aggregation", "mode"),
            ("missing", "guess"),
            ("rules", 5),
            ("rules", ["a >"]),
            ("rules", ["a * a >= 0"]),
            ("types", {"a": "colour"}),
            ("orders", {"a": 5}),
            ("missing_codes", 5),
            ("transforms", {"a": 3}),
            ("attribute_weights", {"a": "x"}),
            ("attribute_groups", [5]),
            ("min_distinct", -1),
            ("max_share", "x"),
            ("p_percent", {}),
            ("suppress_at_most", 0.9),
            ("hierarchies", {"a": {"prefix": [0]}}),
            ("hierarchies", {"a": 5}),
            ("releases", {"a": "colour"}),
            ("steps", {"a": 5}),
            ("recodings", {"a": {"bands": 0}}),
            ("recodings", {"nowhere": {"prefix": 1}}),
            ("unit_columns", ["nowhere"]),
            ("alpha_k", {"a": {}}),
            ("recursive_cl", (0, 0)),
            ("k_map", 2),
            ("pooled", 5),
            ("analyses", ["income of"]),
            ("dominance", 5),
            ("delta", "nowhere"),
            ("importance", 7),
            ("alpha", []),
            ("previous", 5),
            ("match", "a"),
            ("time_limit", -1),
            ("iterations", "x"),
            ("random_state", "x"),
            ("random_state", -1),
            ("row_order", "random"),
        ]
    )
    plan[name] = value
