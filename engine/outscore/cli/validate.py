"""`outscore validate PATH...`: checks rulesets and prints what it finds."""

from __future__ import annotations

from pathlib import Path

import click

from outscore.cli.console import FINDINGS, echo_diagnostics, os_words, stop


@click.command("validate")
@click.argument("paths", nargs=-1, required=True, type=click.Path())
def command(paths: tuple[str, ...]) -> None:
    """Check the rulesets PATHS: files, or folders whose *.yaml and *.yml files are all rulesets.

    Prints nothing for a ruleset without findings. Warnings are printed and do not fail.

    \b
    Examples:
      outscore validate rulesets/claims_intake.yaml
      outscore validate rulesets/
    """
    from outscore.diagnostics import has_errors
    from outscore.loader import check, find_rulesets

    found = find_rulesets(paths)
    if not found:
        stop(f"no ruleset (*.yaml, *.yml) in {', '.join(paths)}")
    failed = 0
    for path in found:
        try:
            source = Path(path).read_bytes()
        except OSError as error:
            stop(os_words(error))
        checked = check(source, str(path))
        echo_diagnostics(checked.diagnostics, {str(path): checked.text}, err=False)
        failed += has_errors(checked.diagnostics)
    if failed:
        of = f" of {len(found)}" if len(found) > 1 else ""
        click.echo(f"{failed}{of} ruleset{'s' if failed > 1 or of else ''} with errors", err=True)
        raise SystemExit(FINDINGS)
