"""YAML events -> plain data, the table of places beside it, and all that is wrong with single values and keys.

Stops at what reading cannot go on from (a syntax error, nesting too deep, too many aliases); everything else is
collected. What the parser makes of cut-up expressions is told apart in `traps`, its own errors in `syntax`.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from yaml.events import (
    AliasEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from outscore.diagnostics import Diagnostic
from outscore.document import messages
from outscore.document.events import NextEvent, end_of, start_of
from outscore.document.messages import Words
from outscore.document.places import Branch, Place, extent
from outscore.document.scalars import NUMERIC_STARTS, SPECIAL_WORDS, read_key, read_plain
from outscore.document.source import Source, Stopped
from outscore.numbers import Number

Data = dict[str, "Data"] | list["Data"] | str | bool | Number | None
"""All that a document's data is made of. An alias shares its object with what it repeats: nobody changes data."""

MAX_DEPTH: Final = 40
"""Most levels of mappings and lists, those that aliases repeat included."""

MAX_REPEATED: Final = 100_000
"""Most values that aliases may repeat, counted as if written out."""

MAX_EVENTS: Final = 300_000
"""Most keys, values and ends of collections that are read; a ruleset of 20,000 people has half as many."""

MAX_FINDINGS: Final = 1_000
"""After so many findings reading stops: nobody mends more at once."""

_TAG: Final = re.compile(r"!(?:<[^>]*>|[^\s,\[\]{}]*)")


class Builder:
    """One reading of one text; holds what has been found so far."""

    def __init__(self, source: Source, next_event: NextEvent) -> None:
        self.source = source
        self.findings: list[Diagnostic] = []
        self.events: list[Event] = []
        """Every event of the content so far, in the order written."""
        self.has_empty = False
        """Whether some value was left empty."""
        self._next = next_event
        self._path: list[str | int] = []
        self._anchors: dict[str, tuple[Data, Place] | None] = {}
        """None while what the anchor names is still being read."""
        self._anchor_events: dict[str, Event] = {}
        self._measured: dict[int, tuple[int, int]] = {}
        self._repeated = 0

    def document(self) -> tuple[Data, Place]:
        """The one document's data and places; what else is wrong stands in `findings`.

        Raises Stopped, and yaml.YAMLError where the text is no YAML.
        """
        text = self.source.text
        self._next()
        if isinstance(self._next(), StreamEndEvent):
            raise Stopped(self.source.finding(messages.empty(only_comments=bool(text.strip())), 0, 0))
        first = self._next()
        if isinstance(first, ScalarEvent) and start_of(first) == end_of(first):
            raise Stopped(self.source.finding(messages.empty(only_comments=False), 0, 0))
        result = self._node(first)
        self._next()
        after = self._next()
        if isinstance(after, DocumentStartEvent):
            raise Stopped(self.source.finding(messages.second_document(), start_of(after), end_of(after)))
        return result

    def _node(self, event: Event) -> tuple[Data, Place]:
        """Any value: the general case, which the loops below cut short for bare scalars."""
        self.events.append(event)
        if isinstance(event, AliasEvent):
            return self._alias(event)
        assert isinstance(event, (ScalarEvent, CollectionStartEvent))
        if event.tag is not None:
            self._report_tag(event)
        if event.anchor is not None:
            self._open_anchor(event, event.anchor)
        data: Data
        place: Place
        if isinstance(event, ScalarEvent):
            data, place = event.value, event
            if not event.style and event.tag is None:
                plain = read_plain(event.value)
                data = plain if isinstance(plain, (int, Decimal, str)) else self._without_value(plain, event)
        else:
            if len(self._path) >= MAX_DEPTH:
                raise Stopped(self._finding(messages.too_deep(MAX_DEPTH), event))
            data, place = self._mapping(event) if isinstance(event, MappingStartEvent) else self._list(event)
        if event.anchor is not None:
            self._anchors[event.anchor] = data, place
        return data, place

    def _mapping(self, start: Event) -> tuple[dict[str, Data], Branch]:
        data: dict[str, Data] = {}
        children: dict[str, tuple[Event, Place]] = {}
        merge_event: Event | None = None
        merged: list[tuple[dict[str, Data], Branch]] = []
        value: Data
        place: Place
        next_event, events, seen, path = self._next, self.events, self.events.append, self._path
        while (key_event := next_event()).__class__ is not MappingEndEvent:
            # Bare scalars are handled here, without a call: they are nearly all of a ruleset.
            if key_event.__class__ is ScalarEvent and key_event.tag is None and key_event.anchor is None:
                seen(key_event)
                key = key_event.value
                if not key_event.style and (key in SPECIAL_WORDS or key[0] in NUMERIC_STARTS):
                    key = self._plain_key(key_event)
            else:
                key = self._key(key_event)
            event = next_event()
            if event.__class__ is ScalarEvent and event.tag is None and event.anchor is None:
                seen(event)
                text = event.value
                value, place = text, event
                if not event.style and (text in SPECIAL_WORDS or text[0] in NUMERIC_STARTS):
                    plain = read_plain(text)
                    value = plain if isinstance(plain, (int, Decimal, str)) else self._without_value(plain, event, key)
            else:
                path.append(key)
                value, place = self._node(event)
                path.pop()
            if key == "<<" and not key_event.style:
                if merge_event is not None:
                    self._report_duplicate(key, key_event, merge_event)
                merge_event = key_event
                merged += self._mergeable(value, place)
            elif key in data:
                self._report_duplicate(key, key_event, children[key][0])
            else:
                data[key] = value
                children[key] = key_event, place
            if len(events) > MAX_EVENTS:
                raise Stopped(self._finding(messages.too_much(MAX_EVENTS), key_event))
        seen(key_event)
        # What is written in the mapping itself wins, then what is merged first.
        for other, branch in merged:
            assert isinstance(branch.children, dict)
            for key in other:
                if key not in data:
                    data[key] = other[key]
                    children[key] = branch.children[key]
        return data, Branch(start, key_event, children)

    def _list(self, start: Event) -> tuple[list[Data], Branch]:
        data: list[Data] = []
        children: list[Place] = []
        value: Data
        place: Place
        next_event, events, seen, path = self._next, self.events, self.events.append, self._path
        while (event := next_event()).__class__ is not SequenceEndEvent:
            if event.__class__ is ScalarEvent and event.tag is None and event.anchor is None:
                seen(event)
                text = event.value
                value, place = text, event
                if not event.style and (text in SPECIAL_WORDS or text[0] in NUMERIC_STARTS):
                    plain = read_plain(text)
                    value = (
                        plain
                        if isinstance(plain, (int, Decimal, str))
                        else self._without_value(plain, event, len(data))
                    )
            else:
                path.append(len(data))
                value, place = self._node(event)
                path.pop()
            data.append(value)
            children.append(place)
            if len(events) > MAX_EVENTS:
                raise Stopped(self._finding(messages.too_much(MAX_EVENTS), event))
        seen(event)
        return data, Branch(start, event, children)

    def _without_value(self, refusal: Words | None, event: Event, *step: str | int) -> Data:
        """What a plain scalar without a value counts as: it was left out, is null, or is refused."""
        if refusal is not None:
            hint = self._hint_for_option(event, (*self._path, *step))
            self._report(refusal if hint is None else refusal._replace(hint=hint), event, *step)
        elif start_of(event) == end_of(event):
            self.has_empty = True
        return None

    def _hint_for_option(self, event: Event, path: tuple[str | int, ...]) -> str | None:
        """The hint for a word for yes or no among the options of a field: there is a type for it."""
        is_option = len(path) == 3 and path[0] == "fields" and isinstance(path[2], int)
        if is_option and isinstance(event, ScalarEvent) and event.value in SPECIAL_WORDS:
            return messages.switch_option(event.value, str(path[1]))
        return None

    def _key(self, event: Event) -> str:
        """The text of any key; one that cannot be a key is reported and given a text of its own."""
        if isinstance(event, ScalarEvent):
            self.events.append(event)
            if event.tag is not None:
                self._report_tag(event)
            key = event.value if event.style or event.tag is not None else self._plain_key(event)
            if event.anchor is not None:
                self._open_anchor(event, event.anchor)
                self._anchors[event.anchor] = key, event
            return key
        if isinstance(event, AliasEvent):
            self.events.append(event)
            self._report(messages.alias_key(), event)
        else:
            self._path.append("?")
            _, place = self._node(event)
            self._path.pop()
            self._report(messages.complex_key(), place)
        return f"\0{start_of(event)}"

    def _plain_key(self, event: ScalarEvent) -> str:
        key = read_key(event.value)
        if isinstance(key, Words):
            self._report(key, event, event.value)
            return event.value
        return key

    def _mergeable(self, value: Data, place: Place) -> list[tuple[dict[str, Data], Branch]]:
        """The mappings that a merge key's value brings in."""
        if isinstance(value, dict) and isinstance(place, Branch):
            return [(value, place)]
        if isinstance(value, list) and isinstance(place, Branch) and isinstance(place.children, list):
            found: list[tuple[dict[str, Data], Branch]] = []
            for item, item_place in zip(value, place.children, strict=True):
                if isinstance(item, dict) and isinstance(item_place, Branch):
                    found.append((item, item_place))
                elif not isinstance(item_place, AliasEvent):
                    self._report(messages.bad_merge("a list with other things in it"), item_place, "<<")
            return found
        # An alias that names nothing has been reported already.
        if not isinstance(place, AliasEvent):
            self._report(messages.bad_merge("a list" if isinstance(value, list) else "a single value"), place, "<<")
        return []

    def _open_anchor(self, event: Event, name: str) -> None:
        first = self._anchor_events.setdefault(name, event)
        if first is not event:
            words = messages.second_anchor(name, self.source.line(start_of(first)))
            start = self.source.text.index("&" + name, start_of(event))
            self._add(self.source.finding(words, start, start + len(name) + 1, tuple(self._path)))
        self._anchors[name] = None

    def _alias(self, event: AliasEvent) -> tuple[Data, Place]:
        name = event.anchor or ""
        if name not in self._anchors:
            # The nearest of the latest few: a search through thousands would be slow.
            self._report(messages.unknown_alias(name, list(self._anchors)[-50:]), event)
            return None, event
        known = self._anchors[name]
        if known is None:
            self._report(messages.alias_to_itself(name), event)
            return None, event
        count, height = self._measure(known[0])
        self._repeated += count
        if self._repeated > MAX_REPEATED:
            raise Stopped(self._finding(messages.too_many_aliases(MAX_REPEATED), event))
        if len(self._path) + height > MAX_DEPTH:
            raise Stopped(self._finding(messages.too_deep(MAX_DEPTH), event))
        return known

    def _measure(self, data: Data) -> tuple[int, int]:
        """How many values, if written out, and how many levels; each collection is counted once only."""
        if not isinstance(data, dict | list):
            return 1, 0
        if id(data) not in self._measured:
            each = [self._measure(child) for child in (data.values() if isinstance(data, dict) else data)]
            height = 1 + max((height for _, height in each), default=0)
            self._measured[id(data)] = 1 + sum(count for count, _ in each), height
        return self._measured[id(data)]

    def _report_duplicate(self, key: str, event: Event, first: Event) -> None:
        self._report(messages.duplicate_key(key, self.source.line(start_of(first))), event, key)

    def _report_tag(self, event: ScalarEvent | CollectionStartEvent) -> None:
        found = _TAG.search(self.source.text, start_of(event))
        assert found is not None
        words = messages.tag(found[0], self._path[-1] if self._path else None)
        self._add(self.source.finding(words, found.start(), found.end(), tuple(self._path)))

    def _report(self, words: Words, place: Place, *step: str | int) -> None:
        self._add(self._finding(words, place, *step))

    def _finding(self, words: Words, place: Place, *step: str | int) -> Diagnostic:
        return self.source.finding(words, *extent(place, self.source.text), (*self._path, *step))

    def _add(self, finding: Diagnostic) -> None:
        if len(self.findings) >= MAX_FINDINGS:
            raise Stopped(finding)
        self.findings.append(finding)
