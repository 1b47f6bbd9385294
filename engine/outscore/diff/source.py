"""FILE or REV:PATH -> a ruleset's bytes and what to call it.

Asks git for what a revision holds, and runs no shell.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Final, NamedTuple

# How git names a stage of the index: `:0:PATH`, for which it takes `:PATH` too.
_STAGE: Final = re.compile(r"\A:[0-3](?=:)")


class NoSourceError(Exception):
    """A ruleset that cannot be had; the message says why."""


class Source(NamedTuple):
    """A ruleset's bytes."""

    name: str
    content: bytes


def read_pair(old: str, new: str | None) -> tuple[Source, Source]:
    """The two rulesets; without a new one, the file of the work tree that the old one is a revision of.

    Raises NoSourceError, and OSError where a file cannot be read.
    """
    if new is not None:
        return read_source(old), read_source(new)
    if not _is_revision(old):
        raise NoSourceError(f"{old} stands alone; name a second file, or a revision to compare it with: HEAD:{old}")
    before = read_source(old)
    path = _in_work_tree(_STAGE.sub("", old).partition(":")[2])
    return before, Source(path, Path(path).read_bytes())


def read_source(text: str) -> Source:
    """The ruleset of a file, or of REV:PATH where there is no file of that name."""
    if not _is_revision(text):
        return Source(text, Path(text).read_bytes())
    revision, _, path = text.partition(":")
    if revision.startswith("-"):
        raise NoSourceError(f"{text}: a revision does not begin with '-'")
    if not path:
        raise NoSourceError(f"{text}: name a file behind the colon, like {text}rulesets/claims_intake.yaml")
    # `cat-file blob` and not `show`: that would give the list of a folder's files for a ruleset.
    return Source(text, _git(text, "cat-file", "blob", text))


def _is_revision(text: str) -> bool:
    return ":" in text and not os.path.exists(text)


def _in_work_tree(path: str) -> str:
    """A path of a revision as a file: from the top of the work tree, unless it begins with a point, as git has it."""
    if path.startswith(("./", "../")):
        return os.path.normpath(path)
    top = os.fsdecode(_git(path, "rev-parse", "--show-toplevel").rstrip(b"\r\n"))
    return os.path.relpath(os.path.join(top, path))


def _git(subject: str, *arguments: str) -> bytes:
    # In English whatever the user's language, as all else that is said; the rest of the environment is git's to know.
    environment = os.environ | {"LC_ALL": "C"}
    try:
        done = subprocess.run(
            ["git", *arguments], stdin=subprocess.DEVNULL, capture_output=True, env=environment, check=False
        )
    except FileNotFoundError:
        raise NoSourceError(
            f"{subject} is no file, and git, which would know it as a revision, is not installed"
        ) from None
    if done.returncode:
        words = done.stderr.decode(errors="replace").strip().partition("\n")[0].removeprefix("fatal: ")
        if words.endswith(": bad file"):
            words = "that is a folder"
        raise NoSourceError(f"{subject}: git says: {words or f'exit code {done.returncode}'}")
    return done.stdout
