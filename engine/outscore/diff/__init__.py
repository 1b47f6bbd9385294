"""Two rulesets, and runs -> what a change of the rules is, in words, and what it does to results; both as values.

    source    FILE or REV:PATH -> a ruleset's bytes
    rules     two plans -> the changes of meaning, rule by rule
    words     two rulesets -> what changed in words and tests alone
    results   two scorers and files of runs -> scores, verdicts and ranks before and after
    page, record   these -> what people see, and plain data

Meaning is what the digest covers: where there is no change of rules, the two digests are one. Judges nothing: whether a
change is wanted is for people.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import BinaryIO

from outscore.compiler import compile_ruleset
from outscore.diff.results import Effects, compare_results
from outscore.diff.rules import RuleChange, rule_changes
from outscore.diff.words import WordChanges, word_changes
from outscore.plan import Plan
from outscore.ruleset import Ruleset
from outscore.scorer import Scorer

__all__ = ["Difference", "Effects", "RuleChange", "WordChanges", "compare_rulesets"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One ruleset beside another."""

    old_name: str
    new_name: str
    old: Plan
    new: Plan
    rules: tuple[RuleChange, ...]
    """Changes of meaning, in the order of the format."""
    words: WordChanges
    effects: Effects | None = None
    """What the change does to runs; None where none were given."""

    @property
    def is_same(self) -> bool:
        """Whether the two mean the same."""
        return self.old.digest == self.new.digest

    def with_runs(self, paths: Iterable[str], stdin: BinaryIO | None = None, *, top: int) -> Difference:
        """The same with what the change does to the runs of these files; raises OSError.

        Of changed runs and the like the `top` largest are kept.
        """
        effects = compare_results(Scorer(self.old), Scorer(self.new), tuple(paths), stdin, top=top)
        return Difference(self.old_name, self.new_name, self.old, self.new, self.rules, self.words, effects)


def compare_rulesets(old: Ruleset, new: Ruleset, old_name: str, new_name: str) -> Difference:
    """What changed from one checked ruleset to the other."""
    before, after = compile_ruleset(old), compile_ruleset(new)
    return Difference(old_name, new_name, before, after, tuple(rule_changes(before, after)), word_changes(old, new))
