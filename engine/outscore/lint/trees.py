"""A checked tree -> its parts, and the names it reads. Judges nothing."""

from __future__ import annotations

from collections.abc import Iterator

from outscore.plan import Arithmetic, Call, Choice, Comparison, Literal, Logic, Membership, Name, Node, Unary


def children(node: Node) -> tuple[Node, ...]:
    """What a node is made of, in the order written but for a choice, whose condition comes first."""
    match node:
        case Unary(_, operand):
            return (operand,)
        case Arithmetic(_, left, right):
            return left, right
        case Comparison(first, rest):
            return first, *(operand for _, operand in rest)
        case Membership(item):
            return (item,)
        case Logic(_, operands):
            return operands
        case Choice(condition, then, otherwise):
            return condition, then, otherwise
        case Call(_, arguments):
            return arguments
        case Literal() | Name():
            return ()


def names_in(node: Node) -> Iterator[str]:
    """Every name that is read somewhere in the tree, as often as it is."""
    if isinstance(node, Name):
        yield node.name
    for child in children(node):
        yield from names_in(child)


def has_condition_at(node: Node, position: int) -> bool:
    """Whether the child at that position stands where a condition is wanted."""
    match node:
        case Logic() | Unary("not"):
            return True
        case Choice():
            return position == 0
        case _:
            return False
