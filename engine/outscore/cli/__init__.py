"""The command `outscore`: each command in its own module, imported only when it runs.

Exit codes: 0 clean (warnings and void runs included), 1 findings, 2 could not do the job.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from typing import Final

import click

from outscore import __version__

_COMMANDS: Final = {
    "audit": "Bill another harness's log anew, and say where it charged otherwise.",
    "compare": "Compare two agents on the tasks that both were set.",
    "completion": "Print the script that makes a shell complete outscore's commands.",
    "diff": "Say what a change of a ruleset changes, in words and in results.",
    "explain": "Show a ruleset as a price sheet, or one run's account as a bill.",
    "fmt": "Bring rulesets into canonical order and layout.",
    "import": "Turn another harness's files into rulesets and runs.",
    "new": "Write a new ruleset to start from, with its tests.",
    "report": "Make a page to look at: leaderboard, charts, and each run's waterfall and bill.",
    "rescore": "Score stored results' runs anew, and keep the old scores beside the new.",
    "rule": "Explain a finding by its code, with examples.",
    "schema": "Print a JSON Schema: of rulesets, of runs, of scores.",
    "score": "Score runs by a ruleset, or by a folder of rulesets.",
    "summary": "Sum up results: counts, averages, intervals, by agent, scenario or task.",
    "test": "Run the tests beside the rules, and say what they reach.",
    "validate": "Check rulesets.",
}
"""Commands and their short help, so that `--help` and completion import none of them."""

_MODULES: Final = {"import": "import_"}
"""The modules of commands whose names cannot be a module's, being words of Python's."""


class _Commands(click.Group):
    """Finds a command's module by its name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"outscore.cli.{_MODULES.get(cmd_name, cmd_name)}")
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
    # Rulesets are checked by our model alone, whatever plugins of pydantic's stand about; none are looked for either.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # Whoever closed these wants to say or hear nothing; no command needs to know. Results do want an open output.
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    try:
        for stream in (sys.stdout, sys.stderr):
            # A terminal that cannot show a character gets a stand-in, never a traceback.
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")
        outscore.main(prog_name="outscore")
    except BrokenPipeError:
        _close_quietly()
        sys.exit(1)
    except OSError as error:
        # Commands tell of the files they read and write; what is left is an output that takes no more: a full disk.
        from outscore.cli.console import CANNOT, os_words

        click.echo(f"outscore: the output cannot be written: {os_words(error)}", err=True)
        _close_quietly()
        sys.exit(CANNOT)
    finally:
        # The process ends here, and its memory with it: to visit every object once more would only take time.
        gc.freeze()


def _close_quietly() -> None:
    """Let the interpreter's last flush go nowhere: whoever read our output has gone."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
