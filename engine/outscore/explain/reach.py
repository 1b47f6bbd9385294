"""A condition -> whether it can hold for contacts with one person, as far as `to` alone decides.

Sound, not complete: only what is proven never to hold is said not to. Nothing is assumed of other names, not even
that they are there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from outscore.lowering import rational_function
from outscore.plan import Arithmetic, Call, Choice, Comparison, Literal, Logic, Membership, Name, Node, Unary

Truth = Callable[[str], bool | None]
"""A person's id -> what the condition comes to for every contact with them; None where that depends on more."""


class Reach:
    """Whom one condition can concern."""

    def __init__(self, when: Node | None) -> None:
        self._truth = _truth(when) if when is not None else None
        self._named = {part.value for part in _parts(when) if isinstance(part, Literal)} if when is not None else set()

    def has(self, person: str) -> bool:
        """Whether the condition can hold for a contact with this person."""
        return self._truth is None or self._truth(person) is not False

    def has_others(self, people: Collection[str]) -> bool:
        """Whether it can hold for a contact with somebody who is not among the people."""
        # A condition can tell unlisted ids apart only by the texts it names.
        named = [text for text in self._named if isinstance(text, str)]
        nobody = "".join(named) + "?"
        return any(self.has(text) for text in (*named, nobody) if text not in people)


def _truth(node: Node) -> Truth:
    """The condition in three values: a part that is unknown may still leave the whole known."""
    match node:
        case Logic(word, operands):
            return _logic(word == "or", [_truth(each) for each in operands])
        case Unary("not", operand):
            inner = _truth(operand)
            return lambda to: None if (value := inner(to)) is None else not value
        case Choice(condition, then, otherwise):
            return _choice(_truth(condition), _truth(then), _truth(otherwise))
        case _:
            return _decided_by_to(node)


def _logic(decisive: bool, operands: list[Truth]) -> Truth:
    def truth(to: str) -> bool | None:
        truths = [each(to) for each in operands]
        if decisive in truths:
            return decisive
        return None if None in truths else not decisive

    return truth


def _choice(condition: Truth, then: Truth, otherwise: Truth) -> Truth:
    def truth(to: str) -> bool | None:
        taken = condition(to)
        if taken is not None:
            return then(to) if taken else otherwise(to)
        value = then(to)
        return value if value is otherwise(to) else None

    return truth


def _decided_by_to(node: Node) -> Truth:
    # As when scoring, a name that is not there says so.
    function = rational_function(node)

    def truth(to: str) -> bool | None:
        try:
            value = function({"to": to})
        except (KeyError, ZeroDivisionError):
            return None
        return value if isinstance(value, bool) else None

    return truth


def _parts(node: Node) -> Iterator[Node]:
    """The tree's parts, itself included."""
    yield node
    match node:
        case Unary(_, operand):
            below: tuple[Node, ...] = (operand,)
        case Arithmetic(_, left, right):
            below = (left, right)
        case Comparison(first, rest):
            below = (first, *(operand for _, operand in rest))
        case Membership(item, _, items):
            below = (item, *items)
        case Logic(_, operands):
            below = operands
        case Choice(condition, then, otherwise):
            below = (condition, then, otherwise)
        case Call(_, arguments):
            below = arguments
        case Literal() | Name():
            below = ()
    for each in below:
        yield from _parts(each)
