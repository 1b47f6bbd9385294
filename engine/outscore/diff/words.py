"""Two Rulesets -> what changed in words for people and in tests, neither of which has a part in the rules' meaning.

Of what was added or removed as a whole nothing is said here: that is a change of rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from outscore.ruleset import Ruleset
from outscore.ruleset.model import Test


@dataclass(frozen=True, slots=True)
class WordChanges:
    """What changed apart from the rules."""

    texts: tuple[str, ...]
    """Where texts for people changed: `title`, `contacts.people.sponsor.role`."""
    tests_added: tuple[str, ...]
    """By name; the other two likewise."""
    tests_removed: tuple[str, ...]
    tests_changed: tuple[str, ...]
    are_tests_reordered: bool
    """Whether the tests are the same in another order."""

    def __bool__(self) -> bool:
        return bool(self.texts or self.tests)

    @property
    def tests(self) -> str:
        """The change of the tests in words; empty where there is none."""
        counts = (("added", self.tests_added), ("removed", self.tests_removed), ("changed", self.tests_changed))
        said = ", ".join(f"{len(names)} {what}" for what, names in counts if names)
        return said or ("in another order" if self.are_tests_reordered else "")


def word_changes(old: Ruleset, new: Ruleset) -> WordChanges:
    """What changed in words and tests."""
    before, after = dict(_texts(old)), dict(_texts(new))
    # Both have the thing that the text is about, or it is no change of words.
    texts = tuple(name for name, text in after.items() if name in before and before[name] != text)
    was, now = _by_name(old.tests), _by_name(new.tests)
    changed = tuple(name for name in now if name in was and now[name] != was[name])
    added, removed = tuple(name for name in now if name not in was), tuple(name for name in was if name not in now)
    is_reordered = not (added or removed or changed) and old.tests != new.tests
    return WordChanges(texts, added, removed, changed, is_reordered)


def _texts(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    yield "title", ruleset.title
    yield "description", ruleset.description
    yield "kpi.name", ruleset.kpi.name
    yield "kpi.unit", ruleset.kpi.unit
    contacts = ruleset.contacts
    if contacts is not None:
        yield from ((f"contacts.people.{name}.role", person.role) for name, person in contacts.people.items())
        if contacts.anyone_else is not None:
            yield "contacts.anyone_else.role", contacts.anyone_else.role
    for section in ("contacts", "trials", "waiting"):
        part = getattr(ruleset, section)
        for each in part.restrictions if part is not None else ():
            yield f"{section}.restrictions.{each.id}.why", each.why
    yield from ((f"incidents.{name}.why", each.why) for name, each in ruleset.incidents.items())


def _by_name(tests: tuple[Test, ...]) -> dict[str, list[Test]]:
    """Tests by name, which several may share."""
    found: dict[str, list[Test]] = {}
    for test in tests:
        found.setdefault(test.name, []).append(test)
    return found
