"""The parser's error -> a finding in our words, at the place an author would mend.

libyaml and PyYAML's own parser word their errors differently but stop at the same places for the same reasons;
what is said here depends on the reason, the place and the text alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from yaml.error import MarkedYAMLError, YAMLError
from yaml.events import CollectionEndEvent, Event, ScalarEvent

from outscore.document import messages
from outscore.document.build import MAX_DEPTH
from outscore.document.events import end_of, start_of
from outscore.document.messages import Words, shown
from outscore.document.source import Source
from outscore.document.traps import whole_end

_WORD: Final = re.compile(r"[\w.-]+|\S")


class Fault(NamedTuple):
    """A parser's error, with what is needed to explain it."""

    source: Source
    doing: str
    """What the parser was reading."""
    missed: str
    """What it found wrong there."""
    begun: int
    """The offset at which what it was doing began."""
    at: int
    """The offset at which it stopped."""
    last: Event | None
    """The last thing it had read."""

    @property
    def text(self) -> str:
        return self.source.text

    @property
    def found(self) -> str:
        """What stands where the parser stopped."""
        if not self.text[self.at :].strip():
            return "the end of the file"
        word = _WORD.search(self.text, self.at)
        return shown(word[0]) if word else "nothing"

    @property
    def found_end(self) -> int:
        word = _WORD.match(self.text, self.at)
        return word.end() if word else self.at


Explained = tuple[Words, int, int]


def read_fault(source: Source, error: YAMLError, events: list[Event]) -> Fault:
    """A parser's error with its places as offsets; `events` are those that the parser gave before."""
    if not isinstance(error, MarkedYAMLError):
        return Fault(source, "", "", 0, 0, None)
    at = error.problem_mark.index if error.problem_mark is not None else 0
    begun = error.context_mark.index if error.context_mark is not None else at
    at = min(at, len(source.text))
    last = events[-1] if events else None
    return Fault(source, error.context or "", error.problem or "", begun, at, last)


def explain(fault: Fault) -> Explained:
    """The words for a parser's error, and the offsets between which an author would mend it."""
    for explainer in _EXPLAINERS:
        explained = explainer(fault)
        if explained is not None:
            return explained
    return messages.not_yaml(fault.found), fault.at, fault.found_end


def _too_deep(fault: Fault) -> Explained | None:
    # libyaml looks ahead, so that it can meet its own, larger limit before ours is seen to be passed.
    if "depth" not in fault.missed:
        return None
    depth, at = 0, fault.at
    for bracket in re.finditer(r"[\[\]{}]", fault.text[: fault.at]):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > MAX_DEPTH:
            at = bracket.start()
            break
    return messages.too_deep(MAX_DEPTH), at, at + 1


def _tag(fault: Fault) -> Explained | None:
    if " tag" not in fault.doing and " tag" not in fault.missed:
        return None
    end = fault.source.line_end(fault.begun)
    word = re.compile(r"[^\s,\[\]{}]*").match(fault.text, fault.begun, end)
    assert word is not None
    return messages.tag(word[0]), fault.begun, word.end()


def _quoted(fault: Fault) -> Explained | None:
    if "quoted scalar" not in fault.doing:
        return None
    if "invalid Unicode" in fault.missed:
        return messages.bad_character_escape(), fault.begun, fault.source.line_end(fault.begun)
    if "escape" in fault.missed or "hex" in fault.missed:
        backslash = fault.text.rfind("\\", fault.begun, fault.at + 1)
        end = min(fault.source.line_end(backslash), backslash + 2)
        return messages.bad_escape(fault.text[backslash:end]), backslash, end
    return messages.unclosed_quote(fault.text[fault.begun]), fault.begun, fault.source.line_end(fault.begun)


def _block_header(fault: Fault) -> Explained | None:
    if "block scalar" not in fault.doing:
        return None
    return messages.bad_block_header(fault.text[fault.begun], fault.found), fault.begun, fault.found_end


def _anchor(fault: Fault) -> Explained | None:
    if "scanning an a" not in fault.doing:
        return None
    return messages.bad_anchor(fault.text[fault.begun]), fault.begun, fault.begun + 1


def _bad_start(fault: Fault) -> Explained | None:
    if "cannot start any token" not in fault.missed:
        return None
    if fault.text[fault.at] == "\t":
        return messages.tab(), fault.at, fault.at + 1
    return messages.bad_start(fault.text[fault.at]), fault.at, fault.at + 1


def _second_colon(fault: Fault) -> Explained | None:
    if "mapping values" not in fault.missed:
        return None
    line = fault.source.line_start(fault.at)
    before = fault.text[line : fault.at]
    if ": " in before:
        return messages.second_colon(), fault.at, fault.at + 1
    start = line + len(before) - len(before.lstrip(" -"))
    return messages.key_too_deep(fault.text[start : fault.at]), start, fault.at


def _colon_in_flow(fault: Fault) -> Explained | None:
    if "unexpected ':'" not in fault.missed:
        return None
    return messages.no_value_after_colon(fault.text[fault.begun : fault.at + 1]), fault.begun, fault.at + 1


def _misplaced_mark(fault: Fault) -> Explained | None:
    if "mapping keys" in fault.missed:
        return messages.complex_key_mark(), fault.at, fault.at + 1
    if "sequence entries" in fault.missed:
        return messages.item_on_key_line(), fault.at, fault.at + 1
    return None


def _no_colon(fault: Fault) -> Explained | None:
    if "simple key" not in fault.doing:
        return None
    end = fault.source.line_end(fault.begun)
    found = fault.text[fault.begun : end]
    if re.match(r"[\w.-]+:[^\s:/]", found):
        return messages.no_space_after_colon(found), fault.begun, end
    return messages.no_colon(found), fault.begun, end


def _after_value(fault: Fault) -> Explained | None:
    """Something follows a value that has ended, on the same line."""
    last = fault.last
    if last is None or fault.at < end_of(last) or not fault.text[fault.at :].strip():
        return None
    in_flow = "flow" in fault.doing
    if fault.text[end_of(last) : fault.at].strip(" ") or fault.text[fault.at] in (",]}:" if in_flow else ":"):
        return None
    if isinstance(last, CollectionEndEvent):
        # A block ends where the next thing begins; only what ends with a bracket ends by itself.
        is_closed = end_of(last) > start_of(last)
        return (messages.text_after_bracket(fault.found), fault.at, fault.found_end) if is_closed else None
    if not isinstance(last, ScalarEvent) or last.style in ("|", ">") or start_of(last) == end_of(last):
        return None
    start = start_of(last)
    end = whole_end(fault.text, start, in_flow)
    whole, read = fault.text[start:end], fault.text[start : end_of(last)]
    if not last.style:
        return (messages.cut_by_bracket(read, whole), start, end) if fault.text[fault.at] in "[{" else None
    if fault.source.line(start) != fault.source.line(fault.at):
        return messages.quote_over_lines(fault.source.line(start)), end_of(last) - 1, fault.found_end
    if fault.at == end_of(last) and fault.text[fault.at] not in "=!<>+-*/":
        return messages.text_after_quote(last.style), fault.at - 1, fault.found_end
    return messages.cut_by_quote(read, whole), start, end


def _unclosed(fault: Fault) -> Explained | None:
    if "flow mapping" not in fault.doing and "flow sequence" not in fault.doing:
        return None
    opening = fault.text[fault.begun]
    if not fault.text[fault.at :].strip():
        return messages.unclosed_bracket(opening), fault.begun, fault.begun + 1
    line = fault.source.line(fault.begun)
    return messages.no_comma(fault.found, opening, line), fault.at, fault.found_end


def _list_above(lines: list[str], column: int) -> tuple[int, int] | None:
    """Column and first line of the list just above, whose item fell out of it by standing too far left."""
    found = None
    for number in range(len(lines) - 1, 0, -1):
        inner = lines[number - 1].lstrip(" ")
        indent = len(lines[number - 1]) - len(inner)
        if not inner or inner.startswith("#"):
            continue
        if indent < column - 1 or (found is not None and indent < found[0] - 1):
            break
        if inner.startswith("- ") and indent >= column and (found is None or indent == found[0] - 1):
            found = indent + 1, number
    return found


def _outside_block(fault: Fault) -> Explained | None:
    begun = fault.source.span(fault.begun, fault.begun)
    if "block mapping" in fault.doing:
        at = fault.source.span(fault.at, fault.at)
        items = _list_above(fault.text[: fault.at].split("\n"), at.column) if fault.found == "'-'" else None
        if items is not None:
            return messages.item_too_far_left(*items), fault.at, fault.found_end
        if begun.column < at.column:
            return messages.stray_key(fault.found, begun.column, begun.line), fault.at, fault.found_end
        return messages.no_key(fault.found, begun.column, begun.line), fault.at, fault.found_end
    if "block collection" in fault.doing:
        return messages.no_item(fault.found, begun.column, begun.line), fault.at, fault.found_end
    return None


def _after_end(fault: Fault) -> Explained | None:
    if "document start" not in fault.missed:
        return None
    if re.search(r"^\.\.\.", fault.text[: fault.at], re.MULTILINE):
        return messages.second_document(), fault.at, fault.found_end
    return messages.after_the_end(fault.found), fault.at, fault.found_end


def _no_value(fault: Fault) -> Explained | None:
    if "node content" not in fault.missed:
        return None
    return messages.no_value(fault.found), fault.at, fault.found_end


_EXPLAINERS: Final[tuple[Callable[[Fault], Explained | None], ...]] = (
    # The scanner's own reasons, each plain from its wording.
    _too_deep,
    _tag,
    _quoted,
    _block_header,
    _anchor,
    _bad_start,
    _colon_in_flow,
    _misplaced_mark,
    _second_colon,
    _no_colon,
    # What follows a value on its line says more than what the parser wanted there, so it goes first.
    _after_value,
    _unclosed,
    _outside_block,
    _after_end,
    _no_value,
)
