"""The command `outscore`: each command in its own module, imported only when it runs.

Exit codes: 0 clean (warnings and void runs included), 1 findings, 2 could not do the job.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import Final

import click

from outscore import __version__

_COMMANDS: Final = {
    "completion": "Print the script that makes a shell complete outscore's commands.",
    "explain": "Show a ruleset as a price sheet, or one run's account as a bill.",
    "score": "Score runs by a ruleset, or by a folder of rulesets.",
    "validate": "Check rulesets.",
}
"""Commands and their short help, so that `--help` and completion import none of them."""


class _Commands(click.Group):
    """Finds a command's module by its name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"outscore.cli.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(_COMMANDS.items()))


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, "--version", message="outscore %(version)s")
def outscore() -> None:
    """Score runs of forward-deployed agents, exactly, by a scenario's declared rules.

    Exit codes: 0 clean, 1 findings (bad rulesets or bad runs), 2 could not do the job.
    """


def main() -> None:
    """Run the command line; the process's exit code says how it went."""
    try:
        for stream in (sys.stdout, sys.stderr):
            # A terminal that cannot show a character gets a stand-in, never a traceback.
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")
        outscore.main(prog_name="outscore")
    except BrokenPipeError:
        _close_quietly()
        sys.exit(1)


def _close_quietly() -> None:
    """Let the interpreter's last flush go nowhere: whoever read our output has gone."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
