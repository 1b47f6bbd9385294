"""Text of an expression + the names of its place -> a checked, typed tree, and what was found.

Every node of Python's tree that the language has is named here; any other is refused. It reports all that it finds
at once, an expression's errors and warnings together. It knows no YAML and scores nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final
from typing import Literal as OneOf

from outscore.diagnostics import Diagnostic, Path, Span, has_errors, in_order
from outscore.expression import errors
from outscore.expression.errors import Finding, Range
from outscore.expression.fold import constant
from outscore.expression.names import FUNCTIONS, SYSTEMS, TRUTH_VALUES, NameInfo, Scope, near_miss
from outscore.expression.parse import Parsed, parse
from outscore.numbers import read_number
from outscore.plan import (
    Arithmetic,
    Call,
    Choice,
    Comparison,
    Literal,
    Logic,
    Membership,
    Name,
    Node,
    Unary,
    ValueType,
)

_ARITHMETIC: Final[dict[type[ast.operator], OneOf["+", "-", "*", "/"]]] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
}
_ORDER: Final[dict[type[ast.cmpop], OneOf["<", "<=", ">", ">="]]] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_EQUALITY: Final[dict[type[ast.cmpop], OneOf["==", "!="]]] = {ast.Eq: "==", ast.NotEq: "!="}


def check(
    text: str, scope: Scope, wanted: OneOf["boolean", "number"], place: Callable[[int, int], Span], path: Path
) -> tuple[Node | None, list[Diagnostic]]:
    """Check an expression; the tree is None when there is any error.

    `place` maps a range of the text's characters (from 0, the end exclusive) to a span of the file.
    """
    parsed, findings = parse(text)
    node = None
    if parsed is not None:
        checker = _Checker(parsed, scope)
        node = checker.check_whole(wanted)
        findings = checker.all_findings()
    diagnostics = [
        Diagnostic(each.code, each.severity, each.message, place(*each.at), path, each.hint) for each in findings
    ]
    return (None if has_errors(diagnostics) else node), list(in_order(diagnostics))


@dataclass(frozen=True, slots=True)
class _Typed:
    """A checked part of the expression."""

    node: Node
    type: ValueType | None
    """None: unknown, since something in it was refused; nothing that follows from that is reported."""
    written: ast.expr


@dataclass(frozen=True, slots=True)
class _Text:
    """One of the texts that a text-valued part of the expression can come to: a literal or what a name holds."""

    at: Range
    literal: str | None
    name: str | None = None
    info: NameInfo | None = None


# Stands where something was refused, so that checking can go on; it reads a name, so it is never taken for a constant.
_REFUSED: Final = Name("", "number")


class _Checker:
    """Checks one expression."""

    def __init__(self, parsed: Parsed, scope: Scope) -> None:
        self._parsed = parsed
        self._scope = scope
        self._findings: list[Finding] = []
        self._constants: list[Finding] = []

    def check_whole(self, wanted: ValueType) -> Node:
        typed = self._check(self._parsed.tree)
        if typed.type is not None and typed.type != wanted:
            self._report(errors.whole_type(self._at(typed), wanted, typed.type))
        elif wanted == "boolean":
            self._warn_if_constant(typed)
        return typed.node

    def all_findings(self) -> list[Finding]:
        """Errors, and of the constant conditions those that stand in no other."""
        spots = [each.at for each in self._constants]
        outermost = [each for each in self._constants if not any(_is_within(each.at, spot) for spot in spots)]
        return self._findings + outermost

    def _check(self, node: ast.expr) -> _Typed:
        """Check a part and all parts of it. Its depth was bounded when the text was parsed."""
        match node:
            case ast.Constant():
                return self._constant(node)
            case ast.Name(id=name):
                return self._name(node, name)
            case ast.Attribute(value=ast.Name(id=system), attr=measure) if system in SYSTEMS:
                return self._name(node, f"{system}.{measure}")
            case ast.Attribute():
                return self._refuse(node, errors.attribute(self._parsed.at(node), self._parsed.source(node)))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return _Typed(Unary("not", self._condition(operand, "not").node), "boolean", node)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                value = self._number(operand, "-")
                return _Typed(Unary("-", value.node), _number_of(value), node)
            case ast.BinOp(op=op) if type(op) in _ARITHMETIC:
                return self._arithmetic(node)
            case ast.Compare(ops=ops) if any(isinstance(op, ast.In | ast.NotIn) for op in ops):
                return self._membership(node)
            case ast.Compare(ops=ops) if all(type(op) in _ORDER or type(op) in _EQUALITY for op in ops):
                return self._comparison(node)
            case ast.BoolOp(op=op, values=values):
                word: OneOf["and", "or"] = "and" if isinstance(op, ast.And) else "or"
                operands = tuple(self._condition(each, word).node for each in values)
                return _Typed(Logic(word, operands), "boolean", node)
            case ast.IfExp():
                return self._choice(node)
            case ast.Call():
                return self._call(node)
            case ast.List():
                return self._refuse(node, errors.stray_list(self._parsed.at(node)))
            case ast.Subscript():
                return self._refuse(node, errors.subscript(self._parsed.at(node), self._parsed.source(node)))
            case _:
                return self._refuse(node, errors.refused(self._parsed.at(node), self._parsed.source(node)))

    def _constant(self, node: ast.Constant) -> _Typed:
        source = self._parsed.source(node)
        if isinstance(node.value, str):
            return _Typed(Literal(source[1:-1]), "text", node)
        if type(node.value) in (int, float):
            return _Typed(Literal(self._read_number(node)), "number", node)
        return self._name(node, source)

    def _name(self, node: ast.expr, name: str) -> _Typed:
        if name in TRUTH_VALUES:
            return _Typed(Literal(TRUTH_VALUES[name]), "boolean", node)
        if info := self._scope.names.get(name):
            return _Typed(Name(name, info.type), info.type, node)
        if name in FUNCTIONS:
            return self._refuse(node, errors.function_as_name(self._parsed.at(node), name))
        return self._refuse(node, errors.unknown_name(self._parsed.at(node), name, self._scope))

    def _arithmetic(self, node: ast.BinOp) -> _Typed:
        sign = _ARITHMETIC[type(node.op)]
        left, right = self._number(node.left, sign), self._number(node.right, sign)
        divisor = constant(right.node)
        if sign == "/" and isinstance(divisor, Fraction) and divisor == 0:
            self._report(errors.division_by_zero(self._at(right), self._parsed.source(node.right)))
        return _Typed(Arithmetic(sign, left.node, right.node), _number_of(left, right), node)

    def _comparison(self, node: ast.Compare) -> _Typed:
        operands = [self._check(each) for each in (node.left, *node.comparators)]
        rest: list[tuple[OneOf["<", "<=", ">", ">=", "==", "!="], Node]] = []
        for op, left, right in zip(node.ops, operands, operands[1:], strict=False):
            if sign := _ORDER.get(type(op)):
                self._want_order(left, sign, right)
                self._want_order(right, sign, left)
                rest.append((sign, right.node))
            else:
                self._want_equal_types(left, right)
                rest.append((_EQUALITY[type(op)], right.node))
        return _Typed(Comparison(operands[0].node, tuple(rest)), "boolean", node)

    def _want_order(self, typed: _Typed, sign: str, other: _Typed) -> None:
        # What a date was compared with was refused for being one.
        if other.type is None and errors.is_moment(self._source(typed)):
            return
        if typed.type not in ("number", None):
            self._report(errors.order_wanted(self._at(typed), sign, self._source(typed), typed.type))

    def _want_equal_types(self, left: _Typed, right: _Typed) -> None:
        if left.type is None or right.type is None:
            return
        if left.type != right.type:
            at = self._at(left)[0], self._at(right)[1]
            self._report(errors.never_equal(at, self._source(left), left.type, self._source(right), right.type))
        elif left.type == "text":
            one, other = self._texts(left.written), self._texts(right.written)
            self._want_possible(one, other)
            self._want_possible(other, one)

    def _membership(self, node: ast.Compare) -> _Typed:
        left, items = self._check(node.left), node.comparators[0]
        if len(node.ops) > 1:
            return self._refuse(node, errors.chained_membership(self._parsed.at(node)))
        if not isinstance(items, ast.List):
            return self._refuse(node, errors.list_wanted(self._parsed.at(items), self._parsed.source(items)))
        if not items.elts:
            return self._refuse(node, errors.empty_list(self._parsed.at(items)))
        literals = [self._item(each, left) for each in items.elts]
        if left.type == "text":
            texts = [_Text(self._parsed.at(at), each.value) for at, each in literals if isinstance(each.value, str)]
            self._want_possible(texts, self._texts(node.left))
        negated = isinstance(node.ops[0], ast.NotIn)
        return _Typed(Membership(left.node, negated, tuple(each for _, each in literals)), "boolean", node)

    def _item(self, written: ast.expr, left: _Typed) -> tuple[ast.expr, Literal]:
        """One item of a list: a literal, of the left side's type."""
        source = self._parsed.source(written)
        match written:
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value) as number) if type(value) in (int, float):
                typed = _Typed(Literal(-self._read_number(number)), "number", written)
            case ast.Constant() | ast.Name(id="true" | "false"):
                typed = self._check(written)
            case _:
                found = errors.item_not_literal(self._parsed.at(written), source, left.type == "text")
                typed = self._refuse(written, found)
        if not isinstance(typed.node, Literal):
            return written, Literal(False)
        if left.type is not None and typed.type is not None and left.type != typed.type:
            at = self._parsed.at(written)
            self._report(errors.never_equal(at, self._source(left), left.type, source, typed.type))
        return written, typed.node

    def _choice(self, node: ast.IfExp) -> _Typed:
        then = self._check(node.body)
        condition = self._condition(node.test, "if")
        otherwise = self._check(node.orelse)
        if then.type is None or otherwise.type is None:
            return _Typed(_REFUSED, None, node)
        if then.type != otherwise.type:
            sources = self._source(then), self._source(otherwise)
            found = errors.branches_differ(self._parsed.at(node), sources[0], then.type, sources[1], otherwise.type)
            return self._refuse(node, found)
        return _Typed(Choice(condition.node, then.node, otherwise.node), then.type, node)

    def _call(self, node: ast.Call) -> _Typed:
        function = next((each for each in FUNCTIONS if isinstance(node.func, ast.Name) and node.func.id == each), None)
        if function is None:
            found = errors.unknown_function(self._parsed.at(node.func), self._parsed.source(node.func))
            for each in node.args:
                self._check(each)
            return self._refuse(node, found)
        if node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
            return self._refuse(node, errors.refused(self._parsed.at(node), self._parsed.source(node)))
        arguments = [self._number(each, function) for each in node.args]
        if (len(arguments) != 1) if function == "abs" else (len(arguments) < 2):
            self._report(errors.argument_count(self._parsed.at(node), function, len(arguments)))
        return _Typed(Call(function, tuple(each.node for each in arguments)), _number_of(*arguments), node)

    def _number(self, node: ast.expr, taker: str) -> _Typed:
        """A part that must be a number, for the operator or function that takes it."""
        typed = self._check(node)
        if typed.type is not None and typed.type != "number":
            self._report(errors.number_wanted(self._at(typed), taker, self._source(typed), typed.type))
        return typed

    def _condition(self, node: ast.expr, taker: str) -> _Typed:
        """A part that must be a condition, for the word that takes it."""
        typed = self._check(node)
        if typed.type is not None and typed.type != "boolean":
            is_literal = isinstance(typed.node, Literal)
            found = errors.condition_wanted(self._at(typed), taker, self._source(typed), typed.type, is_literal)
            self._report(found)
        else:
            self._warn_if_constant(typed)
        return typed

    def _warn_if_constant(self, typed: _Typed) -> None:
        value = constant(typed.node)
        if isinstance(value, bool):
            self._constants.append(errors.constant_condition(self._at(typed), self._source(typed), value))

    def _texts(self, node: ast.expr) -> list[_Text]:
        """The texts that a text-valued part can come to, through choices."""
        if isinstance(node, ast.IfExp):
            return self._texts(node.body) + self._texts(node.orelse)
        at, source = self._parsed.at(node), self._parsed.source(node)
        if isinstance(node, ast.Constant):
            return [_Text(at, source[1:-1])]
        return [_Text(at, None, source, self._scope.names.get(source))]

    def _want_possible(self, texts: list[_Text], others: list[_Text]) -> None:
        """Each literal of one side of a comparison must be a value that the other side can have."""
        infos = [each.info for each in others if each.literal is None]
        if not infos or any(info is None or info.values is None for info in infos):
            return
        # Never joined to one set before something is wrong: there may be very many values, and very many comparisons.
        possible = [frozenset(each.literal for each in others if each.literal is not None)]
        possible += [info.values for info in infos if info and info.values]
        names = {each.name for each in others if each.name}
        subject = names.pop() if len(names) == 1 and len(others) == 1 else None
        is_open = any(info.open for info in infos if info)
        for each in texts:
            if each.literal is None or any(each.literal in values for values in possible):
                continue
            if not is_open:
                listed = possible[-1] if len(others) == 1 else frozenset[str]().union(*possible)
                self._report(errors.impossible_value(each.at, subject, each.literal, listed))
                continue
            near = [meant for values in possible if (meant := near_miss(each.literal, values))]
            if near:
                self._report(errors.unlisted_value(each.at, subject, each.literal, near[0]))

    def _read_number(self, node: ast.Constant) -> Fraction:
        # From the text: what Python made of it may be a float.
        return Fraction(read_number(self._parsed.source(node)))

    def _at(self, typed: _Typed) -> Range:
        return self._parsed.at(typed.written)

    def _source(self, typed: _Typed) -> str:
        return self._parsed.source(typed.written)

    def _refuse(self, node: ast.expr, finding: Finding) -> _Typed:
        self._report(finding)
        return _Typed(_REFUSED, None, node)

    def _report(self, finding: Finding) -> None:
        self._findings.append(finding)


def _number_of(*parts: _Typed) -> ValueType | None:
    """The type of what is worked out from numbers; unknown where a part was reported as none."""
    return "number" if all(each.type in ("number", None) for each in parts) else None


def _is_within(inner: Range, outer: Range) -> bool:
    return outer != inner and outer[0] <= inner[0] and inner[1] <= outer[1]
