"""Rules as text: a small strict grammar, read without evaluating anything.

A rule compares two sums of columns, each with a number in front where wanted, and numbers:
``total == a + b + c``, ``net <= gross``, ``0 <= age <= 120``, ``3 * a - b / 2 >= 10``. A column
whose name is no plain word stands in quotes: ``"net income" >= 0``. ``abs(total - a - b) <= 1``
allows a difference. Anything else (products of columns, functions, strict comparisons) is refused.
"""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from coterie.errors import ParameterError, bad_parameter, shown, unknown_name

__all__ = ["Condition", "Rule", "read_rules"]

LONGEST = 2000  # characters of a rule
RELATIONS: dict[type[ast.cmpop], str] = {ast.Eq: "==", ast.LtE: "<=", ast.GtE: ">="}


@dataclass(frozen=True)
class Condition:
    """One linear condition: sum of coefficient times column, at most or equal to `bound`."""

    coefficients: Mapping[str, float]
    equal: bool
    bound: float


@dataclass(frozen=True)
class Rule:
    """What must hold in every record.

    Attributes
    ----------
    text : str
        As it was given.
    parts : tuple of Part
        Linear conditions that all must hold: one, or several of a chain or of ``abs``.

    Examples
    --------
    >>> from coterie.centroids.edits import read_rules
    >>> (rule,) = read_rules(["total == a + 2 * b"], ["total", "a", "b"])
    >>> rule.columns, rule.parts[0].coefficients
    (('total', 'a', 'b'), {'total': 1.0, 'a': -1.0, 'b': -2.0})
    """

    text: str
    parts: tuple[Condition, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns it names, each once."""
        return tuple(dict.fromkeys(name for part in self.parts for name in part.coefficients))


def read_rules(texts: Iterable[str] | str, columns: Sequence[str]) -> tuple[Rule, ...]:
    """Rules from their texts.

    Parameters
    ----------
    texts : str or iterable of str
        One rule each. The same rule twice counts once.
    columns : sequence of str
        Columns that rules may name.

    Raises
    ------
    ParameterError
        One line that names the rule, what is wrong with it and what to do.

    Examples
    --------
    >>> read_rules(["incme >= 0"], ["age", "income"])
    Traceback (most recent call last):
    coterie.errors.ParameterError: Unknown column in rule 'incme >= 0': 'incme'. Did you mean ...
    """
    if isinstance(texts, str):
        texts = [texts]
    if not isinstance(texts, Iterable):
        raise bad_parameter("rules", "anonymize", "a list of texts such as 'income >= 0'", texts)
    rules = {}
    for text in texts:
        if not isinstance(text, str):
            raise bad_parameter("rules", "anonymize", "texts such as 'income >= 0'", text)
        rules[" ".join(text.split())] = _read(text, columns)
    return tuple(rules.values())


def _read(text: str, columns: Sequence[str]) -> Rule:
    clean = " ".join(text.split())
    if len(clean) > LONGEST:
        raise _wrong(clean, f"must have at most {LONGEST} characters", f"{len(clean)}", "split it")
    try:
        with warnings.catch_warnings():  # Python's words about odd escapes in quoted names
            warnings.simplefilter("ignore")
            tree = ast.parse(clean, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _wrong(
            clean, "must be an equation or inequality", "what cannot be read", EXAMPLES
        ) from None
    if not isinstance(tree, ast.Compare):
        raise _wrong(clean, "must compare with ==, <= or >=", "no comparison", EXAMPLES)
    parts: list[Condition] = []
    sides = [tree.left, *tree.comparators]
    for left, relation, right in zip(sides, tree.ops, sides[1:], strict=False):
        if type(relation) not in RELATIONS:
            remedy = "use ==, <= or >=; a strict bound has no nearest value that keeps it"
            raise _wrong(clean, "must compare with ==, <= or >=", _operator(relation), remedy)
        parts += _parts(clean, left, RELATIONS[type(relation)], right, columns)
    for part in parts:
        if not part.coefficients:
            raise _wrong(clean, "must name a column on one side", "numbers alone", EXAMPLES)
    return Rule(clean, tuple(parts))


EXAMPLES = "write for example 'income >= 0' or 'total == a + b'"


def _parts(
    text: str, left: ast.expr, relation: str, right: ast.expr, columns: Sequence[str]
) -> list[Condition]:
    """One comparison as conditions 'sum <= bound' or 'sum == bound'."""
    if _is_abs(right) and relation == ">=":
        left, right, relation = right, left, "<="
    if _is_abs(left):
        assert isinstance(left, ast.Call)
        if relation != "<=" or len(left.args) != 1 or left.keywords:
            raise _wrong(text, "may use abs only as abs(...) <= limit", relation, "rewrite it")
        inner = _Sum.of(text, left.args[0], columns)
        limit = _Sum.of(text, right, columns)
        return [inner.minus(limit).at_most(), inner.times(-1.0).minus(limit).at_most()]
    difference = _Sum.of(text, left, columns).minus(_Sum.of(text, right, columns))
    if relation == ">=":
        difference = difference.times(-1.0)
    return [difference.at_most(equal=relation == "==")]


def _is_abs(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "abs"


@dataclass
class _Sum:
    """Coefficients of columns and a constant."""

    constant: float = 0.0
    coefficients: dict[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str, node: ast.expr, columns: Sequence[str]) -> _Sum:
        """A sum of columns and numbers; terms are taken from a stack, so length does not matter."""
        total = cls()
        waiting: list[tuple[ast.expr, float]] = [(node, 1.0)]
        while waiting:
            term, factor = waiting.pop()
            if isinstance(term, ast.BinOp) and isinstance(term.op, (ast.Add, ast.Sub)):
                sign = 1.0 if isinstance(term.op, ast.Add) else -1.0
                waiting += [(term.right, sign * factor), (term.left, factor)]
            elif isinstance(term, ast.BinOp) and isinstance(term.op, ast.Mult):
                number = _number(term.left)
                inner = term.right if number is not None else term.left
                if number is None:
                    number = _number(term.right)
                if number is None:
                    raise _wrong(
                        text, "must be linear", "a product of columns", "release it as a column"
                    )
                waiting.append((inner, factor * number))
            elif isinstance(term, ast.BinOp) and isinstance(term.op, ast.Div):
                number = _number(term.right)
                if number is None:
                    remedy = "multiply both sides where the limit is a number"
                    raise _wrong(text, "must be linear", "a division by a column", remedy)
                if number == 0:
                    raise _wrong(text, "must divide by another number", "0", "correct it")
                waiting.append((term.left, factor / number))
            elif isinstance(term, ast.UnaryOp) and isinstance(term.op, (ast.USub, ast.UAdd)):
                sign = -1.0 if isinstance(term.op, ast.USub) else 1.0
                waiting.append((term.operand, sign * factor))
            elif (name := _name(term)) is not None:
                if name not in columns:
                    raise unknown_name(f"column in rule {shown(text)}:", name, columns)
                total.coefficients[name] = total.coefficients.get(name, 0.0) + factor
            elif (number := _number(term)) is not None:
                total.constant += factor * number
            else:
                got = shown(ast.get_source_segment(text, term))
                remedy = "use columns, numbers, +, -, * and / with numbers"
                raise _wrong(text, "must be a sum of columns and numbers", got, remedy)
        total.coefficients = {name: c for name, c in total.coefficients.items() if c != 0.0}
        values = [total.constant, *total.coefficients.values()]
        if not all(map(math.isfinite, values)):
            raise _wrong(text, "must have finite numbers", "one too large", "scale it")
        return total

    def times(self, factor: float) -> _Sum:
        return _Sum(factor * self.constant, {n: factor * c for n, c in self.coefficients.items()})

    def minus(self, other: _Sum) -> _Sum:
        names = dict.fromkeys([*self.coefficients, *other.coefficients])
        rest = {n: self.coefficients.get(n, 0.0) - other.coefficients.get(n, 0.0) for n in names}
        return _Sum(
            self.constant - other.constant, {name: c for name, c in rest.items() if c != 0.0}
        )

    def at_most(self, *, equal: bool = False) -> Condition:
        return Condition(self.coefficients, equal, -self.constant + 0.0)


def _number(node: ast.expr) -> float | None:
    """The value of a number, with signs; None for anything else."""
    sign = 1.0
    while isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        sign = -sign if isinstance(node.op, ast.USub) else sign
        node = node.operand
    if not isinstance(node, ast.Constant) or isinstance(node.value, bool):
        return None
    if not isinstance(node.value, (int, float)):
        return None
    try:
        return sign * float(node.value)
    except OverflowError:
        return math.inf


def _name(node: ast.expr) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return None


def _operator(operator: ast.cmpop) -> str:
    signs: dict[type[ast.cmpop], str] = {ast.Lt: "'<'", ast.Gt: "'>'", ast.NotEq: "'!='"}
    return signs.get(type(operator), "a word such as 'in' or 'is'")


def _wrong(text: str, rule: str, got: str, remedy: str) -> ParameterError:
    return ParameterError(f"Rule {shown(text)} {rule}. Got {got}; {remedy}.")
