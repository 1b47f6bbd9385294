"""The conditions of a ruleset -> those that come to the same whatever the event or run holds.

What literals alone decide was reported when the expression was checked, and is not reported again.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from outscore.diagnostics import Code, Diagnostic, Path
from outscore.expression.errors import show
from outscore.expression.fold import constant
from outscore.expression.parse import parse
from outscore.lint.subject import Subject
from outscore.lint.trees import children, has_condition_at
from outscore.lint.truth import Truth
from outscore.plan import Comparison, Logic, Node


def constant_conditions(subject: Subject) -> Iterator[Diagnostic]:
    """Conditions, and parts of conditions, that are always true or always false; the outermost of each."""
    for each in subject.expressions:
        truth = subject.truths[each.path]
        for found in _constant(truth, truth.tree, (), is_condition=each.wanted == "boolean"):
            yield _finding(subject, each.path, each.text, truth, found)


class _Found(NamedTuple):
    node: Node
    value: bool
    name: str | None
    steps: tuple[int, ...]
    """Where it stands in the tree: at which of the children, from the whole down."""


def _constant(truth: Truth, node: Node, steps: tuple[int, ...], *, is_condition: bool) -> Iterator[_Found]:
    if is_condition:
        if constant(node) is not None:
            return
        verdict = truth.of(node)
        if verdict.value is not None:
            yield _Found(node, verdict.value, verdict.name, steps)
            return
    for position, child in enumerate(children(node)):
        wanted = has_condition_at(node, position)
        yield from _constant(truth, child, (*steps, position), is_condition=wanted)


def _finding(subject: Subject, path: Path, text: str, truth: Truth, found: _Found) -> Diagnostic:
    parsed, _ = parse(text)
    assert parsed is not None, "the expression was checked before"
    written = _follow(parsed.tree, found.steps)
    message = f"{show(parsed.source(written))} is always {'true' if found.value else 'false'}"
    return subject.at_text(Code.CONSTANT_CONDITION, path, parsed.at(written), message, _hint(truth, found))


def _hint(truth: Truth, found: _Found) -> str:
    """Why it is so, or what was probably meant."""
    node, name = found.node, found.name
    if name is None:
        return "each of its parts comes to the same in every case"
    subject = show(name)
    if isinstance(node, Logic) and all(truth.of(each).value is None for each in node.operands):
        if node.operator == "and":
            return f"no value of {subject} is all of this at once; did you mean 'or'?"
        return f"every value of {subject} is one or the other; did you mean 'and'?"
    if isinstance(node, Comparison) and all(each.value is None for each in truth.of_links(node)):
        return f"no value of {subject} lies in this range; one that goes past the end is two, joined by 'or'"
    words = truth.domains[name].words
    return f"{subject} {words}" if words is not None else f"it is the same for every value of {subject}"


def _follow(node: ast.expr, steps: tuple[int, ...]) -> ast.expr:
    """The part of Python's tree that stands where these steps lead in the checked one."""
    for step in steps:
        node = _children(node)[step]
    return node


def _children(node: ast.expr) -> list[ast.expr]:
    """The parts of a node in the order of `trees.children`."""
    match node:
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return [test, body, orelse]
        case ast.Call(args=args):
            return list(args)
        case ast.Compare(left=left, comparators=others):
            return [left, *others]
        case _:
            return [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
