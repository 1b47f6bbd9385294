"""`outscore completion SHELL`: the script that makes a shell complete our commands, options and files."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script of SHELL.

    In bash: eval "$(outscore completion bash)", or put that line into ~/.bashrc.
    """
    from outscore.cli import outscore

    made = get_completion_class(shell)
    assert made is not None
    click.echo(made(outscore, {}, "outscore", "_OUTSCORE_COMPLETE").source())
