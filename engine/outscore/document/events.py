"""Text -> YAML events, by libyaml where PyYAML was built with it, else by PyYAML's own parser.

The two are made to agree here; whatever an event means is decided elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from yaml.error import Mark
from yaml.events import Event
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner, ScannerError
from yaml.tokens import ScalarToken

from outscore.document.source import Source

try:
    from yaml._yaml import CParser
except ImportError:  # PyYAML can be installed without its C extension
    HAS_LIBYAML = False
else:
    HAS_LIBYAML = True

NextEvent = Callable[[], Any]
"""Gives the next yaml Event (Any: the hot path tells them apart by class); raises YAMLError where it is no YAML."""


def event_reader(source: Source, pure: bool) -> NextEvent:
    """The events of a text, from PyYAML's own parser if `pure`."""
    if pure:
        return _PureParser(source.text).get_event
    return CParser(source.text).get_event


def start_of(event: Event) -> int:
    """The offset at which an event's text begins, anchor and tag included."""
    return _offset(event.start_mark)


def end_of(event: Event) -> int:
    """The offset at which an event's text ends."""
    return _offset(event.end_mark)


def _offset(mark: object) -> int:
    offset = getattr(mark, "index", 0)
    assert isinstance(offset, int)
    return offset


_COLON_IN_FLOW: Final = re.compile(r":(?=[,?\[\]{}])")
_BAD_ESCAPE: Final = "found invalid Unicode character escape code"


class _PureParser(Reader, Scanner, Parser):
    """PyYAML's own parser, brought to read what libyaml reads."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)
        self._in_plain = False

    def peek(self, index: int = 0) -> str:
        character: str = super().peek(index)
        # libyaml takes a question mark inside a plain scalar as text also within {...} and [...].
        return "x" if character == "?" and self._in_plain else character

    def scan_plain(self) -> ScalarToken:
        start: Mark = self.get_mark()
        self._in_plain = True
        try:
            token = super().scan_plain()
        finally:
            self._in_plain = False
        # libyaml refuses '{a:}', which YAML 1.1 read as one text and YAML 1.2 reads as a key.
        colon = _COLON_IN_FLOW.search(self.buffer, start.index, self.index + 2) if self.flow_level else None
        if colon is not None:
            at = Mark(start.name, colon.start(), start.line, start.column, start.buffer, start.pointer)
            raise ScannerError("while scanning a plain scalar", start, "found unexpected ':'", at)
        return token

    def scan_flow_scalar(self, style: str) -> ScalarToken:
        start: Mark = self.get_mark()
        try:
            token = super().scan_flow_scalar(style)
        except (ValueError, OverflowError):  # an escape beyond Unicode
            raise ScannerError("while parsing a quoted scalar", start, _BAD_ESCAPE, start) from None
        if any("\ud800" <= character <= "\udfff" for character in token.value):
            raise ScannerError("while parsing a quoted scalar", start, _BAD_ESCAPE, start)
        return token
