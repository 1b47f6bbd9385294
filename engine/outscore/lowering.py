"""A checked expression's tree -> Python source: over exact rationals, or over scaled integers.

Only trees of `plan` get here, never text. Texts become constants bound beside the function, so that nothing an author
wrote stands in the source; numbers stand in it as integers. It does no checking of its own.

Scaled: a number x is an integer n with a scale s known when the source is made, x = n / s. Sums, products, comparisons
and division by a constant keep that form, so that a condition costs a few integer operations. A quotient of two values
has no scale known beforehand: it and what is computed from it become Fractions, in the same expression.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from outscore.plan import Arithmetic, Call, Choice, Comparison, Literal, Logic, Membership, Name, Node, Unary

Value = Fraction | int | str | bool

MOST_SCALE = 10**300
"""Past this, numbers are kept as Fractions: Python's source holds no integer of thousands of digits."""


class Piece(NamedTuple):
    """Source text of one value, and the form that the value has."""

    source: str
    scale: int = 0
    """The integer's scale; 0: a Fraction (or int) for numbers, or no number at all."""
    constant: int | None = None
    """The integer, where it is known beforehand."""


class Lowering:
    """Makes source from trees, and collects the constants that the source refers to."""

    def __init__(self, names: Callable[[Name], Piece], *, scaled: bool) -> None:
        self._names = names
        self._scaled = scaled
        self.constants: dict[str, object] = {"Fraction": Fraction, "min": min, "max": max, "abs": abs}

    def bind(self, value: object) -> str:
        """Make a constant, and give the name that the source refers to it by."""
        name = f"k{len(self.constants)}"
        self.constants[name] = value
        return name

    def lower(self, node: Node) -> Piece:
        """The source of one tree."""
        match node:
            case Literal(value):
                return self._literal(value)
            case Name():
                return self._names(node)
            case Unary("-", operand):
                return self._negative(self.lower(operand))
            case Unary("not", operand):
                return Piece(f"(not {self.lower(operand).source})")
            case Arithmetic(operator, left, right):
                return self._arithmetic(operator, self.lower(left), self.lower(right))
            case Comparison(first, rest):
                operands = self.alike([self.lower(first), *(self.lower(operand) for _, operand in rest)])
                operators = [operator for operator, _ in rest]
                links = [f" {operator} {piece.source}" for operator, piece in zip(operators, operands[1:], strict=True)]
                return Piece(f"({operands[0].source}{''.join(links)})")
            case Membership(item, negated, items):
                return self._membership(self.lower(item), negated, [item.value for item in items])
            case Logic(operator, operands):
                return Piece("(" + f" {operator} ".join(self.lower(operand).source for operand in operands) + ")")
            case Choice(condition, then, otherwise):
                a, b = self.alike([self.lower(then), self.lower(otherwise)])
                return Piece(f"({a.source} if {self.lower(condition).source} else {b.source})", a.scale)
            case Call(function, arguments):
                pieces = self.alike([self.lower(argument) for argument in arguments])
                return Piece(f"{function}({', '.join(piece.source for piece in pieces)})", pieces[0].scale)
        raise TypeError(f"no expression node: {node!r}")

    def rational(self, piece: Piece) -> str:
        """The source of a number as a Fraction (or int)."""
        if piece.scale <= 1:
            return piece.source
        if piece.constant is not None:
            return self.bind(Fraction(piece.constant, piece.scale))
        return f"Fraction({piece.source}, {piece.scale})"

    def alike(self, pieces: list[Piece]) -> list[Piece]:
        """Numbers brought to one form, so that they compare and add; other values as they are."""
        if all(piece.scale for piece in pieces):
            common = lcm(*(piece.scale for piece in pieces))
            if common <= MOST_SCALE:
                return [_rescaled(piece, common) for piece in pieces]
        return [Piece(self.rational(piece)) for piece in pieces]

    def _literal(self, value: Fraction | str | bool) -> Piece:
        if isinstance(value, bool):
            return Piece(str(value))
        if isinstance(value, str):
            return Piece(self.bind(value))
        if not self._scaled:
            return Piece(self.bind(value))
        return _constant(value.numerator, value.denominator)

    def _negative(self, operand: Piece) -> Piece:
        if operand.constant is not None:
            return _constant(-operand.constant, operand.scale)
        return Piece(f"(-{operand.source})", operand.scale)

    def _arithmetic(self, operator: str, left: Piece, right: Piece) -> Piece:
        if operator in "+-":
            left, right = self.alike([left, right])
            return Piece(f"({left.source} {operator} {right.source})", left.scale)
        both_scaled = bool(left.scale and right.scale)
        if operator == "*":
            if both_scaled and left.scale * right.scale <= MOST_SCALE:
                return Piece(f"({left.source} * {right.source})", left.scale * right.scale)
            return Piece(f"({self.rational(left)} * {self.rational(right)})")
        if both_scaled and right.constant and left.scale * abs(right.constant) <= MOST_SCALE:
            # x / (n / s) = x * s / n, with the sign on top.
            sign = -1 if right.constant < 0 else 1
            return Piece(f"({left.source} * {sign * right.scale})", left.scale * abs(right.constant))
        # Fraction of two ints or Fractions is their exact quotient; zero below raises ZeroDivisionError.
        if both_scaled:
            return Piece(f"Fraction({left.source} * {right.scale}, {right.source} * {left.scale})")
        return Piece(f"Fraction({self.rational(left)}, {self.rational(right)})")

    def _membership(self, item: Piece, negated: bool, items: list[Fraction | str | bool]) -> Piece:
        operator = "not in" if negated else "in"
        if not item.scale:
            # Numbers hash and compare alike as int and as Fraction.
            return Piece(f"({item.source} {operator} {self.bind(frozenset(items))})")
        common = lcm(item.scale, *(value.denominator for value in items if isinstance(value, Fraction)))
        integers = frozenset(int(value * common) for value in items if isinstance(value, Fraction))
        return Piece(f"({_rescaled(item, common).source} {operator} {self.bind(integers)})")


def _constant(value: int, scale: int) -> Piece:
    return Piece(f"({value})" if value < 0 else str(value), scale, value)


def _rescaled(piece: Piece, scale: int) -> Piece:
    factor = scale // piece.scale
    if factor == 1:
        return piece
    if piece.constant is not None:
        return _constant(piece.constant * factor, scale)
    return Piece(f"({piece.source} * {factor})", scale)


def define(source: str, name: str, constants: Mapping[str, object]) -> Callable[..., Any]:
    """Compile generated source that defines the function `name` and sees nothing but the constants."""
    namespace: dict[str, Any] = {"__builtins__": {}, **constants}
    exec(compile(source, f"<generated {name}>", "exec"), namespace)
    function: Callable[..., Any] = namespace[name]
    return function


def rational_function(node: Node) -> Callable[[Mapping[str, Value]], Value]:
    """The tree as a function of the values by name (numbers as Fraction or int), over exact rationals.

    The function raises KeyError with the name for a value that is reached and absent, and ZeroDivisionError.
    """
    lowering = Lowering(lambda name: Piece(f"values[{lowering.bind(name.name)}]"), scaled=False)
    source = f"def condition(values):\n    return {lowering.lower(node).source}\n"
    return define(source, "condition", lowering.constants)
