"""The changes: comparisons, arithmetic, constants, and, or, not."""

from __future__ import annotations

import ast
import copy
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
    """One change: its number in the file, its line, and what becomes of what."""

    number: int
    line: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.before}  ->  {self.after}"


def changes(source: str) -> list[Change]:
    """Every change of a file."""
    return [
        Change(number, node.lineno, ast.unparse(node)[:60], ast.unparse(_changed(node))[:60])
        for number, node in enumerate(_spots(ast.parse(source)))
    ]


def changed(source: str, number: int) -> str:
    """The file with one of its changes made."""
    tree = ast.parse(source)
    node = _spots(tree)[number]
    made = _Put(node, _changed(node)).visit(tree)
    return ast.unparse(ast.fix_missing_locations(made))


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
