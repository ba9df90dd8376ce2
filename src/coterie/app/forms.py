"""Forms: what the browser sends, as changes of the plan; and the plan, as what fields show."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import Request

from coterie.cli.asked import READERS, number_or_text, read_rule, rule_text
from coterie.errors import ParameterError
from coterie.plan import Plan
from coterie.plan.columns import EVERYWHERE
from coterie.plan.option import Option
from coterie.plan.plan import options

__all__ = [
    "BY_COLUMN",
    "CHOOSING",
    "ROLES",
    "RUNNING",
    "Form",
    "declared",
    "field",
    "read_form",
    "said",
]

# Fields of the third and fourth page, in their order; each is made from the plan's option.
CHOOSING = {
    "size": ("k", "method", "aggregation"),
    "p3m": ("delta", "importance", "alpha"),
    "beyond": (
        *("min_distinct", "max_share", "entropy_l", "t_closeness"),
        *("alpha_k", "recursive_cl", "beta_likeness", "delta_disclosure"),
        *("p_percent", "dominance", "k_map", "population"),
    ),
    "repair": ("on_violation", "suppress_at_most", "rules", "broken_rules"),
    "gaps": ("missing", "small_strata", "pooled", "unit_members", "unit_columns"),
    "earlier": ("previous", "match", "departed"),
    "uses": ("analyses",),
}
RUNNING = ("time_limit", "iterations", "random_state", "row_order", "formulas")
LINES = ("rules", "previous", "analyses")  # one a line

ROLES = ("key", "confidential", "both", "identifier", "stratum", "unit", "weight", "other")
LISTS = {
    "quasi_identifiers": ("key", "both"),
    "confidential": ("confidential", "both"),
    "identifiers": ("identifier",),
    "strata": ("stratum",),
}
SINGLE = {"unit": "unit", "sample_weight": "weight"}
BROWSER_LINES = re.compile(r"\r\n|\r|\n")


class Form(dict[str, list[str]]):
    """The fields of a form, each with all its values."""

    def one(self, name: str, default: str = "") -> str:
        """The value of a field."""
        return self.get(name, [default])[-1]


async def read_form(request: Request) -> Form:
    """The form of a request; nothing but the usual encoding is understood."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip()
    if kind != "application/x-www-form-urlencoded":
        return Form()
    body = await request.body()
    try:
        return Form(parse_qs(body.decode(), keep_blank_values=True, max_num_fields=20_000))
    except (UnicodeDecodeError, ValueError):
        return Form()


def field(option: Option, value: Any) -> dict[str, Any]:
    """What a page needs to show an option: its kind of field, its text, its choices."""
    kind = "choice" if option.choices else "lines" if option.name in LINES else "text"
    return {
        "name": option.name,
        "kind": kind,
        "text": _shown(option, value),
        "choices": list(option.choices),
        "help": option.doc,
        "changed": value != option.default,
    }


def said(form: Form, names: Sequence[str], columns: Sequence[str], plan: Plan) -> dict[str, Any]:
    """The values of options in a form; what is left empty is as it is by default.

    A field that says what it showed leaves the plan's value as it is: a plan from a file may hold
    what no field can say.

    Raises
    ------
    ParameterError
        If a text cannot be understood at all; whether a value is right the plan decides.
    """
    found: dict[str, Any] = {}
    for name in names:
        if name not in form:
            continue
        option, now = options()[name], getattr(plan, name)
        text = BROWSER_LINES.sub("\n", form.one(name)).strip()
        found[name] = now if text == _shown(option, now) else _read(option, text, columns)
    return found


def _read(option: Option, text: str, columns: Sequence[str]) -> Any:
    text = text.strip()
    if not text:
        return option.default
    if option.name == "row_order":
        return text
    if option.flag is None:
        raise ParameterError(f"{option.name} cannot be given in a form. Load a plan that has it.")
    reads, flag = option.flag.reads, option.flag.names[-1]
    if reads in ("text", "number"):
        return READERS[reads](text, flag, columns)
    parts = BROWSER_LINES.split(text) if option.name in LINES else text.split(";")
    return READERS[reads]([part.strip() for part in parts if part.strip()], flag, columns)


def _shown(option: Option, value: Any) -> str:
    if value is None or value == () or value == {}:
        return ""
    if option.name in LINES:
        return "\n".join(map(str, value))
    if isinstance(value, Mapping):
        return "; ".join(f"{name}={_limit(one)}" for name, one in value.items())
    return _limit(value)


def _limit(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value)


def declared(form: Form, look: Mapping[str, Any], plan: Plan) -> tuple[dict[str, Any], list[str]]:
    """Roles, types, codes and orders of the second page, and what cannot be meant.

    Fields are numbered by the table's columns: names stay out of them.
    """
    names = [column["name"] for column in look["columns"]]
    roles = {name: form.one(f"role.{i}", "other") for i, name in enumerate(names)}
    answers: dict[str, Any] = {
        option: [name for name in names if roles[name] in wanted]
        for option, wanted in LISTS.items()
    }
    problems = []
    for option, role in SINGLE.items():
        having = [name for name in names if roles[name] == role]
        answers[option] = having[0] if having else None
        if len(having) > 1:
            problems.append(f"{option} must be one column. Got {', '.join(having)}; keep one")
    answers["declared"] = [name for i, name in enumerate(names) if f"declared.{i}" in form]
    answers["types"] = {
        name: form.one(f"type.{i}") for i, name in enumerate(names) if form.one(f"type.{i}")
    }
    answers["transforms"] = _of_keys(form, "transform", names, roles)
    answers["attribute_weights"] = {
        name: number_or_text(text) for name, text in _of_keys(form, "weight", names, roles).items()
    }
    everywhere = plan.missing_codes or {}
    assert isinstance(everywhere, Mapping)  # as the plan's check leaves it
    answers["missing_codes"] = {  # those of every column have no field here, and stay
        **{name: codes for name, codes in everywhere.items() if name == EVERYWHERE}
    } | {
        name: [number_or_text(part.strip()) for part in text.split(",") if part.strip()]
        for i, name in enumerate(names)
        if (text := form.one(f"codes.{i}").strip())
    }
    answers["orders"] = _orders(form, look, plan, answers)
    for option, (what, shown, read, allowed) in BY_COLUMN.items():
        before = getattr(plan, option) or {}
        answers[option] = {}
        for i, name in enumerate(names):
            text = form.one(f"{what}.{i}").strip()
            if text and roles[name] in allowed:
                same = name in before and text == shown(before[name])
                answers[option][name] = before[name] if same else read(text)
    return answers, problems


def hierarchy_text(rule: Mapping[str, Any]) -> str:
    """A hierarchy in one line; one that a line cannot hold by what it is."""
    return rule_text(rule) or "as the plan has it"


def recoding_text(rule: Mapping[str, Any]) -> str:
    """A recoding in one line: ``round:100,top:90`` as the flag has it, or merged categories."""
    merged = rule.get("merge", {})
    if merged:
        return "; ".join(f"{label}={','.join(map(str, ones))}" for label, ones in merged.items())
    return ",".join(f"{kind}:{value}" for kind, value in rule.items())


def read_recoding(text: str) -> dict[str, Any]:
    """A recoding from its line; whether it is right the plan decides."""
    if "=" not in text:
        rules: dict[str, Any] = READERS["recodings"]([f"x={text}"], "recode", ["x"])["x"]
        return rules
    merged: dict[str, Any] = {}
    for part in text.split(";"):
        label, _, values = (one.strip() for one in part.partition("="))
        merged[label] = [number_or_text(one.strip()) for one in values.split(",")]
    return {"merge": merged}


KEYS = ("key", "both")
# Settings of a column that stand in one line: field, its text, how that is read, of which roles.
BY_COLUMN: dict[str, tuple[str, Callable[[Any], str], Callable[[str], Any], Sequence[str]]] = {
    "hierarchies": ("hierarchy", hierarchy_text, read_rule, (*KEYS, "stratum")),
    "releases": ("release", str, str, KEYS),
    "steps": ("step", str, number_or_text, KEYS),
    "recodings": (
        "recode",
        recoding_text,
        read_recoding,
        tuple(role for role in ROLES if role not in ("identifier", "unit", "weight")),
    ),
}


def _of_keys(
    form: Form, what: str, names: Sequence[str], roles: Mapping[str, str]
) -> dict[str, str]:
    return {
        name: text
        for i, name in enumerate(names)
        if roles[name] in ("key", "both") and (text := form.one(f"{what}.{i}").strip())
    }


def _orders(
    form: Form, look: Mapping[str, Any], plan: Plan, answers: Mapping[str, Any]
) -> dict[str, list[Any]]:
    """The orders of ordinals, each a list of places among the column's values; codes are none."""
    orders: dict[str, list[Any]] = {}
    for i, column in enumerate(look["columns"]):
        name, values = column["name"], column["categories"]
        if answers["types"].get(name) != "ordinal" or not values:
            continue
        text = form.one(f"order.{i}")
        places = [int(one) for one in text.split(",") if one.strip().isdigit()]
        if sorted(places) == list(range(len(values))):
            orders[name] = [values[place] for place in places]
        elif name in (plan.orders or {}):
            orders[name] = list((plan.orders or {})[name])
        else:
            orders[name] = list(values)
        codes = answers["missing_codes"].get(name, ())
        orders[name] = [value for value in orders[name] if value not in codes]
    return orders
