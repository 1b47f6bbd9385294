"""Text of an expression -> Python's `ast` of it, within bounds.

The work is bounded before it is done: by length first, then by tokens, brackets and order, and only then is the text
handed to Python's parser, which sees nothing but the language's own tokens. It neither knows names nor types, and
allows shapes (a subscript, any call) that `check` refuses.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Final

from outscore.expression import syntax_errors as errors
from outscore.expression.errors import Finding, Range
from outscore.expression.grammar import check_order
from outscore.expression.tokens import read_tokens

MAX_LENGTH: Final = 500
"""Most characters of an expression."""

MAX_NODES: Final = 120
"""Most nodes of the checked tree: every value, operation, choice, call and list item is one.

A chained comparison is one node beside its operands, and so is a whole `a and b and c`; a dotted name is one, and a
list adds its items alone. A sum of three terms is two nodes beside them.
"""

MAX_DEPTH: Final = 20
"""Most nodes on a way from the whole down to a value, both included; also, how deep brackets may be open.

`a + b + c` is (a + b) + c, so each further term of a sum without brackets adds a level.
"""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A parsed expression."""

    tree: ast.expr
    text: str
    offset: int
    """How many characters of white space come before it."""

    def at(self, node: ast.expr) -> Range:
        """The characters of the text that a node of the tree stands for, without brackets around it."""
        return self._character(node.col_offset), self._character(node.end_col_offset or node.col_offset)

    def source(self, node: ast.expr) -> str:
        """What a node of the tree was written as."""
        start, end = self.at(node)
        return self.text[start:end]

    def _character(self, column: int) -> int:
        # Python counts in bytes of UTF-8.
        if self.text.isascii():
            return self.offset + column
        return self.offset + len(self.text[self.offset :].encode()[:column].decode())


def parse(text: str) -> tuple[Parsed | None, list[Finding]]:
    """Parse an expression; None when there is any finding."""
    if len(text) > MAX_LENGTH:
        return None, [errors.too_long((0, len(text)), len(text), MAX_LENGTH)]
    tokens, findings = read_tokens(text)
    if findings:
        return None, findings
    if not tokens:
        return None, [errors.empty((0, len(text)))]
    if found := check_order(tokens, MAX_DEPTH):
        return None, [found]
    whole = tokens[0].start, tokens[-1].end
    try:
        # Stripped, since in this mode Python takes leading white space for an indent.
        tree = ast.parse(text[whole[0] : whole[1]], mode="eval").body
    except (RecursionError, MemoryError):
        # How deep Python can go depends on where it is called from; it is far deeper than the limit in any case.
        return None, [errors.too_deep(whole, MAX_DEPTH)]
    except (SyntaxError, ValueError):
        return None, [errors.unreadable(whole)]
    nodes, depth = measure(tree)
    if depth > MAX_DEPTH:
        return None, [errors.too_deep(whole, MAX_DEPTH)]
    if nodes > MAX_NODES:
        return None, [errors.too_many_nodes(whole, nodes, MAX_NODES)]
    return Parsed(tree, text, whole[0]), []


def measure(tree: ast.expr) -> tuple[int, int]:
    """How many nodes the checked tree will have, and how deep it will be. Does not recurse."""
    nodes = deepest = 0
    waiting = [(tree, 1)]
    while waiting:
        node, depth = waiting.pop()
        if isinstance(node, ast.List):
            # Its items take its place, and a negative number among them is one literal.
            waiting += [(_unsigned(item), depth) for item in node.elts]
            continue
        nodes += 1
        deepest = max(deepest, depth)
        waiting += [(child, depth + 1) for child in _children(node)]
    return nodes, deepest


def _children(node: ast.expr) -> list[ast.expr]:
    children = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
    # The name in `min(...)` and the one before the dot in `delivered.kpi` belong to their node.
    if isinstance(node, ast.Call | ast.Attribute) and isinstance(children[0], ast.Name):
        return children[1:]
    return children


def _unsigned(item: ast.expr) -> ast.expr:
    if isinstance(item, ast.UnaryOp) and isinstance(item.op, ast.USub) and isinstance(item.operand, ast.Constant):
        return item.operand
    return item
