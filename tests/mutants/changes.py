"""The changes: comparisons, arithmetic, constants, and, or, not; and whose they are."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
ARITHMETIC = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
}


@dataclass(frozen=True)
class Change:
    """One change: its number in the file, its line, and what becomes of what.

    `owner` is the function (or method) that it is in, the class or the constant; `inside` whether
    that is a function's body. `turn` counts equal changes of one owner, so that a change has a name
    (`key`) that does not depend on its line.
    """

    number: int
    line: int
    owner: str
    inside: bool
    before: str
    after: str
    turn: int = 0

    @property
    def key(self) -> str:
        """Its name in its file, which lines that move leave as it is."""
        again = f" ({self.turn + 1})" if self.turn else ""
        return f"{self.owner}: {self.before}  ->  {self.after}{again}"

    def __str__(self) -> str:
        return f"line {self.line}: {self.before}  ->  {self.after}"


def changes(source: str) -> list[Change]:
    """Every change of a file."""
    tree = ast.parse(source)
    owners = dict(_owned(tree, "", False))
    seen: Counter[tuple[str, str, str]] = Counter()
    found = []
    for number, node in enumerate(_spots(tree)):
        owner, inside = owners[node]
        before, after = ast.unparse(node)[:60], ast.unparse(_changed(node))[:60]
        turn = seen[owner, before, after]
        seen[owner, before, after] += 1
        found.append(Change(number, node.lineno, owner, inside, before, after, turn))
    return found


def changed(source: str, number: int) -> str:
    """The file with one of its changes made."""
    tree = ast.parse(source)
    node = _spots(tree)[number]
    made = _Put(node, _changed(node)).visit(tree)
    return ast.unparse(ast.fix_missing_locations(made))


def _owned(node: ast.AST, owner: str, inside: bool) -> Iterator[tuple[ast.AST, tuple[str, bool]]]:
    """Each node below with its owner and whether that is the body of a function."""
    for child in ast.iter_child_nodes(node):
        name, body = owner, inside
        if not inside:
            if isinstance(node, ast.FunctionDef):
                body = child in node.body
            # A function within a function is a part of that one.
            if isinstance(child, (ast.FunctionDef, ast.ClassDef)) and not body:
                name = f"{owner}.{child.name}" if owner else child.name
            elif isinstance(node, ast.Module) and isinstance(child, (ast.Assign, ast.AnnAssign)):
                target = child.targets[0] if isinstance(child, ast.Assign) else child.target
                name = ast.unparse(target).strip("()").split(",")[0]
        yield child, (name, body)
        yield from _owned(child, name, body)


def _spots(tree: ast.AST) -> list[ast.AST]:
    """The nodes that can be changed, in the order of the text."""
    found = [node for node in ast.walk(tree) if _changed(node) is not None]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset, type(node).__name__))


class _Put(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def _changed(node: ast.AST) -> ast.expr | None:
    """The node with one thing other than before; None where nothing is to be changed."""
    new = copy.copy(node)
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
        new.ops = [COMPARISONS[type(node.ops[0])](), *node.ops[1:]]
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        if isinstance(node.left, (ast.Constant, ast.JoinedStr)) and not _number(node.left):
            return None  # text that is put together
        new.op = ARITHMETIC[type(node.op)]()
    elif isinstance(node, ast.BoolOp):
        new.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return node.operand
    elif _number(node):
        new.value = node.value + 1 if isinstance(node.value, int) else node.value * 1.5 + 0.1
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        new.value = not node.value
    else:
        return None
    return new


def _number(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, (int, float))
        and not isinstance(node.value, bool)
    )
