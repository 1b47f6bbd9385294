"""`outscore fmt PATH...`: rulesets in canonical order and layout, written in place or only checked."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from outscore.cli.console import CANNOT, FINDINGS, echo_diagnostics, os_words, printable, stop
from outscore.cli.selection import select, selection_options

if TYPE_CHECKING:
    from outscore.fmt import Formatted

_STDIN: Final = "-"


@click.command("fmt")
@click.argument("paths", nargs=-1, required=True, type=click.Path())
@click.option("--check", "only_check", is_flag=True, help="Write nothing; name the files that would change, and fail.")
@click.option("--diff", is_flag=True, help="Like --check, and show what would change in them.")
@selection_options
def command(paths: tuple[str, ...], only_check: bool, diff: bool, force_exclude: bool, allow_empty: bool) -> None:
    """Bring the rulesets PATHS into canonical form: files, folders whose *.yaml and *.yml files are all rulesets, or
    quoted patterns.

    The format's keys come in its own order, levels are two blanks apart, comments go where their thing goes, numbers
    and texts keep their spelling. The rules' meaning never changes: what is made is read again, and compared. A
    ruleset with errors is shown like in validate, and left as it is; the exit code is then 1.

    With - as the only path, the ruleset of standard input is written to standard output.

    \b
    Examples:
      outscore fmt rulesets/
      outscore fmt --check rulesets/
      outscore fmt --diff rulesets/claims_intake.yaml
    """
    is_dry = only_check or diff
    if _STDIN in paths:
        if len(paths) > 1 or is_dry:
            raise click.UsageError("- stands alone, without --check and --diff.")
        _filter()
        return
    changed = errors = refused = count = 0
    for path in select(paths, force_exclude=force_exclude, allow_empty=allow_empty):
        count += 1
        formatted = _formatted(path)
        if formatted is None:
            refused += 1
        elif formatted.after is None:
            errors += 1
        elif formatted.is_changed:
            changed += 1
            if is_dry:
                _show(formatted, diff)
            else:
                _write(path, formatted)
    _close(count, changed, errors, refused, is_dry=is_dry)
    if refused:
        raise SystemExit(CANNOT)
    if errors or (is_dry and changed):
        raise SystemExit(FINDINGS)


def _formatted(path: Path) -> Formatted | None:
    """The file in canonical form; None, and the reason told, where there is none."""
    from outscore.document import read_source

    try:
        source = read_source(path)
    except OSError as error:
        stop(os_words(error))
    return _format(source, str(path))


def _format(source: bytes, name: str) -> Formatted | None:
    from outscore.diagnostics import has_errors
    from outscore.fmt import CannotFormatError, format_ruleset

    try:
        formatted = format_ruleset(source, name)
    except CannotFormatError as error:
        place = printable(name) if error.line is None else f"{printable(name)}:{error.line}"
        click.echo(f"outscore: {place}: left as it is: {error.message}", err=True)
        return None
    if has_errors(formatted.diagnostics):
        echo_diagnostics(formatted.diagnostics, {name: formatted.before}, err=True)
    return formatted


def _write(path: Path, formatted: Formatted) -> None:
    from outscore.fmt.replace import replace_file

    assert formatted.after is not None
    try:
        replace_file(path, formatted.after.encode())
    except OSError as error:
        stop(os_words(error))
    click.echo(f"formatted {printable(formatted.name)}")


def _show(formatted: Formatted, diff: bool) -> None:
    without = f" (without its {' and '.join(formatted.dropped)})" if formatted.dropped else ""
    click.echo(f"would format {printable(formatted.name)}{without}", err=diff)
    if diff:
        from outscore.fmt.difference import difference

        # As bytes, so that it is UTF-8 whatever the terminal's encoding.
        click.echo(difference(formatted).encode(), nl=False)


def _filter() -> None:
    """Standard input in canonical form to standard output, as editors call it."""
    formatted = _format(sys.stdin.buffer.read(), "<stdin>")
    if formatted is None:
        raise SystemExit(CANNOT)
    if formatted.after is None:
        raise SystemExit(FINDINGS)
    click.echo(formatted.after.encode(), nl=False)


def _close(count: int, changed: int, errors: int, refused: int, *, is_dry: bool) -> None:
    """Say in a line what came of many files; a clean pass says nothing."""
    parts = [(changed, "would change" if is_dry else "changed"), (errors, "with errors"), (refused, "left as they are")]
    said = ", ".join(f"{number} {words}" for number, words in parts if number)
    if said:
        click.echo(f"{said}, of {count} ruleset{'' if count == 1 else 's'}", err=True)
