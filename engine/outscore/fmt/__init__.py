"""A ruleset's bytes -> its text in canonical order and layout, or why it is left as it is.

    text -> syntax tree with comments (`reading`) -> the format's order (`order`) -> text (`layout`) -> held against the
    text it was made from

Works on the text's own spelling: numbers and texts are written as they were, and comments go where the thing goes that
they are about. What is made is read again and must mean the same to the letter, words, tests and comments included;
otherwise it is thrown away. Reads and writes no files (`replace` does).
"""

from __future__ import annotations

import codecs
from collections import Counter
from dataclasses import dataclass

from outscore.compiler import compile_ruleset
from outscore.diagnostics import Diagnostic
from outscore.document.comments import Comment, comments_of
from outscore.fmt.layout import lay_out
from outscore.fmt.order import put_in_order
from outscore.fmt.reading import read_tree
from outscore.fmt.syntax import CannotFormatError
from outscore.loader import Checked, check

__all__ = ["CannotFormatError", "Formatted", "format_ruleset"]


@dataclass(frozen=True, slots=True)
class Formatted:
    """What became of one ruleset."""

    name: str
    before: str
    """Its text, without a byte order mark."""
    after: str | None
    """The text in canonical form; None where the ruleset has errors."""
    is_changed: bool
    """Whether the file's bytes are others than those of the canonical form."""
    dropped: tuple[str, ...]
    """What a line by line comparison would not show: "byte order mark", "CRLF"."""
    diagnostics: tuple[Diagnostic, ...]
    """What checking found; where there is an error, nothing was formatted."""


def format_ruleset(source: bytes, name: str) -> Formatted:
    """Bring a ruleset into canonical form; `name` is what findings call the file.

    Raises CannotFormatError for a ruleset in order of which no canonical form can be made.
    """
    checked = check(source, name)
    if checked.ruleset is None:
        return Formatted(name, checked.text, None, False, (), checked.diagnostics)
    # The one form of line ends; within scalars YAML reads both alike.
    text = checked.text.replace("\r\n", "\n")
    tree = read_tree(text)
    put_in_order(tree.root)
    made = lay_out(tree)
    if made != text:
        _hold_against(checked, made)
    has = {"byte order mark": source.startswith(codecs.BOM_UTF8), "CRLF": "\r\n" in checked.text}
    dropped = tuple(what for what, is_there in has.items() if is_there)
    return Formatted(name, checked.text, made, made.encode() != source, dropped, checked.diagnostics)


def _hold_against(before: Checked, made: str) -> None:
    """Raise CannotFormatError where the text made is not the same ruleset as before."""
    after = check(made.encode(), "<formatted>")
    if after.ruleset is None or after.document is None:
        raise CannotFormatError(f"its canonical form could not be read: {after.diagnostics[0].message}")
    assert before.ruleset is not None
    assert before.document is not None
    if compile_ruleset(after.ruleset).digest != compile_ruleset(before.ruleset).digest:
        raise CannotFormatError("its canonical form would have another meaning")
    if after.ruleset != before.ruleset or after.document.data != before.document.data:
        raise CannotFormatError("its canonical form would have other words, tests or holders")
    was, now = (list(comments_of(document)) for document in (before.document, after.document))
    if Counter(map(_words, was)) != Counter(map(_words, now)):
        raise CannotFormatError("its canonical form would not keep every comment")
    if any(_words(each).startswith("outscore:") for each in was):
        _hold_findings(before.document.text, made)


def _words(comment: Comment) -> str:
    return comment.text.strip()


def _hold_findings(text: str, made: str) -> None:
    """Raise CannotFormatError where there would be more findings: a comment no longer allows what it allowed."""
    was, now = (
        Counter(each.code for each in check(version.encode(), "", lint=True).diagnostics) for version in (text, made)
    )
    if now - was:
        message = "a comment 'outscore: allow' would no longer stand on the line whose warning it allows"
        raise CannotFormatError(f"{message}; put it on the line above")
