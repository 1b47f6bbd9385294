"""Text -> plain data, with a table beside it that says where each thing is written.

One dialect: YAML 1.2's core, and of that only what every reader reads alike. Numbers are exact from the first.
What the data means is not judged here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from yaml.error import YAMLError

from outscore.diagnostics import Code, Diagnostic, Path, Span, in_order
from outscore.document import messages
from outscore.document.build import Builder, Data
from outscore.document.events import HAS_LIBYAML, end_of, event_reader
from outscore.document.places import Places
from outscore.document.source import Source, Stopped, decode, read_source
from outscore.document.syntax import Fault, explain, read_fault
from outscore.document.traps import Trap, find_traps, odd_space_near, stray_tab

__all__ = ["Data", "Document", "read_document", "read_source"]


@dataclass(frozen=True, slots=True)
class Document:
    """A text's data and where each part of it is written.

    What an alias repeats is one object at several paths, so nobody changes the data.
    """

    name: str
    text: str
    """Without its byte order mark; lines and columns count in it."""
    data: Data
    _places: Places = field(repr=False, compare=False)

    def span(self, path: Path) -> Span:
        """Where the value at the path is written, or the longest prefix of the path that exists."""
        return self._places.span(path)

    def key_span(self, path: Path) -> Span:
        """Where the key (or list item) at the path is written, with the same fallback."""
        return self._places.key_span(path)

    def text_span(self, path: Path, start: int, end: int) -> Span:
        """Where the characters from `start` to `end` of the text at the path are written.

        The whole text where escapes, folding or a block make columns unclear.
        """
        return self._places.text_span(path, start, end)


def read_document(
    source: bytes, name: str, *, _pure: bool = not HAS_LIBYAML
) -> tuple[Document | None, tuple[Diagnostic, ...]]:
    """Read one YAML (or JSON) document; None if anything is wrong with it, and what that is.

    Never raises for any bytes. `_pure` asks for PyYAML's own parser, which is slower and reads the same.
    """
    try:
        text = decode(source, name)
        _check_directives(text)
    except Stopped as stopped:
        return None, (stopped.finding,)
    builder = Builder(text, event_reader(text, _pure))
    try:
        data, root = builder.document()
    except (Stopped, YAMLError) as ending:
        return None, in_order(_all_findings(text, builder, ending))
    findings = _all_findings(text, builder, None)
    if findings:
        return None, in_order(findings)
    return Document(name, text.text, data, Places(text, root)), ()


_PROLOGUE: Final = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\r?\n|%[^\n]*(?:\n|\Z))*+")
_DIRECTIVE: Final = re.compile(r"^%[^\r\n]*", re.MULTILINE)
_ACCEPTED: Final = re.compile(r"%YAML +1\.2[ \t]*(?: #.*)?")


def _check_directives(source: Source) -> None:
    if not source.text.startswith("%") and "\n%" not in source.text:
        return
    prologue = _PROLOGUE.match(source.text)
    assert prologue is not None
    for count, each in enumerate(_DIRECTIVE.finditer(source.text, 0, prologue.end())):
        if count or _ACCEPTED.fullmatch(each[0].rstrip()) is None:
            raise Stopped(source.finding(messages.directive(each[0]), each.start(), each.end()))


def _all_findings(source: Source, builder: Builder, ending: Stopped | YAMLError | None) -> list[Diagnostic]:
    """What the reading found, the traps it fell into, what ended it early; less what follows from another."""
    fault, read_to = None, len(source.text)
    if isinstance(ending, Stopped) and ending.finding.code is Code.TOO_LARGE:
        # No mistake to be explained, and no more work to be spent on it.
        return [*builder.findings, ending.finding]
    if isinstance(ending, Stopped):
        builder.findings.append(ending.finding)
        read_to = end_of(builder.events[-1]) if builder.events else 0
    elif ending is not None:
        fault = read_fault(source, ending, builder.events)
        read_to = fault.at + 1
    tab = stray_tab(source, builder.events, read_to)
    if tab is not None:
        return [tab]
    traps = find_traps(source, builder.events, builder.has_empty)
    findings = [
        each
        for each in builder.findings
        if each.span is None or not any(trap.start <= source.offset(each.span) < trap.end for trap in traps)
    ]
    findings += [trap.finding for trap in traps]
    if fault is None:
        return findings
    odd = odd_space_near(source, (fault.begun, fault.at))
    if odd is not None:
        findings.append(odd)
    elif not any(_explains(trap, fault) for trap in traps):
        findings.append(source.finding(*explain(fault)))
    return findings


def _explains(trap: Trap, fault: Fault) -> bool:
    """Whether the parser's error follows from a trap: it lies in it, or in what was being read around it."""
    return trap.start <= fault.at and (trap.is_odd_space or fault.begun <= trap.start or fault.at <= trap.end)
