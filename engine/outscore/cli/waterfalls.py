"""What `explain --plot` adds: the run that was explained -> a picture of its waterfall in a file.

Apart from the command, so that its help and completion load none of this.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Literal

import click

from outscore.cli.console import os_words, stop
from outscore.cli.explanations import Made
from outscore.cli.files import results_file
from outscore.explain import Bill
from outscore.report.waterfall import bars, paid


def check(path: str) -> None:
    """End where no picture could be made, before anything is worked out."""
    _form(path)
    if find_spec("matplotlib") is None:
        stop("a picture needs matplotlib: pip install 'outscore[report]'")


def save(made: Made, path: str) -> None:
    """Draw the waterfall; a run that has no score has none."""
    if not isinstance(made, Bill):
        click.echo(f"no waterfall in {path}: the run has no score", err=True)
        return
    from outscore.report.plot import waterfall_picture

    score = made.score
    agent = f", {score.agent}" if score.agent is not None else ""
    found = bars(score.exact, paid(score.account), score.incidents)
    picture = waterfall_picture(f"{score.run} ({score.task}{agent})", found, _form(path))
    try:
        with results_file(path) as file:
            file.buffer.write(picture)  # type: ignore[attr-defined]
    except OSError as error:
        stop(os_words(error))


def _form(path: str) -> Literal["svg", "png"]:
    for form in ("svg", "png"):
        if path.lower().endswith(f".{form}"):
            return form
    raise click.UsageError(f"--plot: {path} ends in neither .svg nor .png.")
