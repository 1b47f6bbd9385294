"""A ruleset's file and what checking it found, as one value: what every format of `validate` is made from.

Checks nothing, and imports no format.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from outscore.diagnostics import Diagnostic, has_errors


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A ruleset's file after checking."""

    name: str
    findings: tuple[Diagnostic, ...]
    text: str
    """For excerpts; empty where it could not be decoded."""
    is_complete: bool
    """Whether every check that finds errors was made: errors leave out the checks of later stages."""

    def has_failed(self, strict: bool) -> bool:
        """Whether it has errors; or warnings, where these are not let pass."""
        return bool(self.findings) if strict else has_errors(self.findings)

    def is_partial(self, strict: bool) -> bool:
        """Whether checks were left out that may fail it yet; those for warnings are made where there are no errors."""
        return not self.is_complete or (strict and has_errors(self.findings))

    def findings_in(self, name: str) -> Iterator[Diagnostic]:
        """The findings with another name of the file."""
        for each in self.findings:
            yield each if each.span is None else replace(each, span=replace(each.span, file=name))
