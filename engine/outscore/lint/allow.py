"""Warnings and the comments of their document -> the warnings that no comment allows, and comments that allow nothing.

`# outscore: allow CODE, CODE` silences those warnings on its own line; where it stands alone, on the next line that is
no comment. What is said of the schema line, a comment itself, is silenced above the first key. Errors never are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set
from typing import Final, NamedTuple

from outscore.diagnostics import MAX_FINDINGS, Code, Diagnostic, Severity, Span, has_errors, in_order, nearest
from outscore.document import Document
from outscore.document.comments import Comment, comments_of

_MARK: Final = "outscore:"
_COMMENT: Final = re.compile(r"[ \t]*outscore:[ \t]*(?P<word>[^\s,]*)[ \t]*(?P<codes>.*)")
_MARKED: Final = re.compile(r"#[ \t]*outscore:")
_CODES: Final = frozenset(str(code) for code in Code)


class _Allowance(NamedTuple):
    """One code that a comment allows."""

    code: str
    line: int
    """Whose warnings it allows."""
    span: Span


def without_allowed(
    document: Document, findings: Iterable[Diagnostic], unknown: Set[str] = frozenset()
) -> tuple[Diagnostic, ...]:
    """The findings but those that a comment allows, and what is wrong with such comments, in order of place.

    Comments that allow nothing are reported only where all warnings are known: errors hide them, there is a bound, and
    the codes in `unknown` were not looked for.
    """
    findings = in_order(findings)
    # Nearly every ruleset ends here, without its comments being looked for.
    if _MARKED.search(document.text) is None:
        return findings
    allowances: list[_Allowance] = []
    mistakes: list[Diagnostic] = []
    for comment, line in _marked(document):
        for each in _read(document, comment, line):
            if isinstance(each, Diagnostic):
                mistakes.append(each)
            else:
                allowances.append(each)
    top = document.span(()).line
    allowed = {(each.line, each.code) for each in allowances}
    kept = [each for each in findings if _key(each, top) not in allowed]
    used = {_key(each, top) for each in findings} & allowed
    if not has_errors(findings) and len(findings) < MAX_FINDINGS:
        idle = [each for each in allowances if (each.line, each.code) not in used]
        mistakes += [_unused(each) for each in idle if each.code not in unknown]
    return in_order([*kept, *mistakes])


def _key(finding: Diagnostic, top: int) -> tuple[int, str] | None:
    """What a comment must allow to silence the finding; `top` is the line of the first key."""
    if finding.severity is not Severity.WARNING or finding.span is None:
        return None
    return top if finding.code is Code.SCHEMA_LINE else finding.span.line, str(finding.code)


def _marked(document: Document) -> Iterator[tuple[Comment, int]]:
    """The comments that begin with our mark, each with the line that it concerns."""
    waiting: list[Comment] = []
    previous = 0
    for comment in comments_of(document):
        # Comments alone on their lines, one below the other, all concern the line below them.
        if waiting and comment.line != previous + 1:
            yield from ((each, previous + 1) for each in waiting)
            waiting = []
        if waiting and not comment.is_alone:
            yield from ((each, comment.line) for each in waiting)
            waiting = []
        if comment.text.lstrip().startswith(_MARK):
            if comment.is_alone:
                waiting.append(comment)
            else:
                yield comment, comment.line
        previous = comment.line
    yield from ((each, previous + 1) for each in waiting)


def _read(document: Document, comment: Comment, line: int) -> Iterator[_Allowance | Diagnostic]:
    match = _COMMENT.match(comment.text)
    assert match is not None, "it begins with the mark"
    codes = match["codes"].rstrip()
    if match["word"] != "allow" or not codes:
        found = f"'{match['word'][:40]}'" if match["word"] != "allow" else "no code"
        message = f"'{_MARK}' in a comment is followed by {found if match['word'] or codes else 'nothing'}"
        at = comment.text.index(_MARK)
        span = _span(document, comment, at, len(comment.text.rstrip()))
        yield Diagnostic(Code.BAD_ALLOW, Severity.WARNING, message, span, (), "write '# outscore: allow CODE'")
        return
    start = match.start("codes")
    for written in codes.split(","):
        code = written.strip()
        at = start + len(written) - len(written.lstrip())
        span = _span(document, comment, at, at + max(1, len(code)))
        start += len(written) + 1
        if code in _CODES:
            yield _Allowance(code, line, span)
        else:
            near = nearest(code, _CODES)
            message = f"'{code[:60]}' is no code of a finding" if code else "a code is missing beside the comma"
            hint = f"did you mean '{near}'?" if near else "'outscore rule' lists them all"
            yield Diagnostic(Code.BAD_ALLOW, Severity.WARNING, message, span, (), hint)


def _span(document: Document, comment: Comment, start: int, end: int) -> Span:
    """The span of those characters of a comment's text."""
    return Span(document.name, comment.line, comment.column + start, comment.line, comment.column + end)


def _unused(allowance: _Allowance) -> Diagnostic:
    message = f"there is no warning '{allowance.code}' in line {allowance.line} to allow"
    hint = "remove it; only warnings can be allowed, on their own line or on one above it that has nothing else"
    return Diagnostic(Code.UNUSED_ALLOW, Severity.WARNING, message, allowance.span, (), hint)
