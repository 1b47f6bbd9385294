"""What the commands about other harnesses' files share: how faults and warnings are said, and the scenario's name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from outscore.cli.console import FINDINGS, os_words, printable, stop

if TYPE_CHECKING:
    from outscore.integrations.fde_gym import Result


@contextmanager
def faults_end_it() -> Iterator[None]:
    """Say what is wrong with the files, and end: with 1 for what stands in them, with 2 where they cannot be read."""
    from outscore.diagnostics import RulesetError
    from outscore.integrations.fde_gym import ForeignFileError

    try:
        yield
    except ForeignFileError as error:
        for fault in error.faults:
            lines = [printable(line) for line in str(fault).split("\n")]
            click.echo("\n".join([click.style(lines[0], fg="red", bold=True), *lines[1:]]), err=True)
        raise SystemExit(FINDINGS) from None
    except RulesetError as error:
        for line in str(error).split("\n"):
            click.echo(printable(line), err=True)
        stop("the file is well-formed, but what it says makes no ruleset")
    except BrokenPipeError:
        raise
    except OSError as error:
        stop(os_words(error))


def warn(words: str) -> None:
    """Say something on standard error that does not fail."""
    click.echo(click.style(f"warning: {printable(words)}", fg="yellow"), err=True)


def scenario_of(given: str | None, result: Result | None, npcs: str | None, name: str | None = None) -> str:
    """The scenario's id: as given, else the engagement's name, else that of the folder the files lie in."""
    from outscore.integrations.fde_gym import to_ours

    named = given or (result and result.engagement) or name or _folder(npcs or (result.file if result else ""))
    scenario = to_ours(named)
    if given and scenario != given:
        warn(f"the scenario is called {scenario}: {given!r} is no id of ours")
    return scenario


def run_id(log: str) -> str:
    """What a run is called of which only the log is known: its folder's name."""
    file = Path(log).resolve()
    folder = file.parent.parent if file.parent.name == "logs" else file.parent
    return (folder.name if file.name == "ask.jsonl" else file.stem) or "run"


def _folder(path: str) -> str:
    # An engagement's npcs.json lies in the engagement's own folder; a file of another name is called after itself.
    file = Path(path).resolve()
    is_standard = file.name in ("npcs.json", "result.json")
    return (file.parent.name if is_standard else file.stem) or "engagement"
