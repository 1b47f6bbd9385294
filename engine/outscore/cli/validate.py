"""`outscore validate PATH...`: checks rulesets and says what it finds, to people or to programs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click

from outscore.cli.checked import CheckedFile
from outscore.cli.console import FINDINGS, echo_diagnostics, os_words, printable, stop
from outscore.cli.selection import is_excluded, select, selection_options

_STDIN = "-"
_UNNAMED = "<stdin>"


@click.command("validate")
@click.argument("paths", nargs=-1, required=True, type=click.Path())
@click.option("--strict", is_flag=True, help="Fail on warnings too.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "github", "sarif", "junit"]),
    default="text",
    show_default=True,
    help="text for people, json, sarif and junit (XML) for programs, github to annotate lines in a workflow.",
)
@click.option("--name", metavar="FILE", help="With -: what to call the ruleset, and where to look for its schema.")
@selection_options
def command(
    paths: tuple[str, ...], strict: bool, form: str, name: str | None, force_exclude: bool, allow_empty: bool
) -> None:
    """Check the rulesets PATHS: files, folders whose *.yaml and *.yml files are all rulesets, or quoted patterns.

    Findings go to standard output, and what they come to to standard error. Warnings fail only with --strict. What
    [tool.outscore] in pyproject.toml excludes is left out of folders and patterns.

    With - as the only path, the ruleset of standard input is checked.

    \b
    Examples:
      outscore validate rulesets/claims_intake.yaml
      outscore validate --strict rulesets/
      outscore validate "teams/**/rulesets/*.yaml"
      outscore validate --format github rulesets/
      outscore validate - --name rulesets/claims_intake.yaml < draft.yaml
    """
    if name is not None and _STDIN not in paths:
        raise click.UsageError("--name goes with -: it names the ruleset of standard input.")
    if _STDIN in paths and len(paths) > 1:
        raise click.UsageError("- stands alone.")
    if _STDIN in paths:
        files = list(_from_stdin(name, force_exclude, allow_empty))
    else:
        files = [_check(path) for path in select(paths, force_exclude=force_exclude, allow_empty=allow_empty)]
    _WRITERS[form](files, strict)
    failed = sum(each.has_failed(strict) for each in files)
    if failed:
        what = "findings" if strict else "errors"
        of = f" of {len(files)}" if len(files) > 1 else ""
        # So that nobody takes what is mended next for a new mistake.
        more = "; further checks follow once they are mended" if any(each.is_partial(strict) for each in files) else ""
        click.echo(f"{failed}{of} ruleset{'s' if failed > 1 or of else ''} with {what}{more}", err=True)
        raise SystemExit(FINDINGS)
    if form == "text" and files:
        click.echo(_passed(files), err=True)


def _passed(files: Sequence[CheckedFile]) -> str:
    """Said where nothing failed, so that silence is not all there is to see."""
    checked = "1 ruleset" if len(files) == 1 else f"{len(files)} rulesets"
    warnings = sum(len(each.findings) for each in files)
    if not warnings:
        return f"{checked} checked, nothing found"
    return f"{checked} checked, {warnings} warning{'s' if warnings > 1 else ''} and no errors"


def _check(path: Path) -> CheckedFile:
    from outscore.document import read_source
    from outscore.loader import check

    try:
        source = read_source(path)
    except OSError as error:
        stop(os_words(error))
    checked = check(source, str(path), lint=True, folder=path.parent)
    return CheckedFile(str(path), checked.diagnostics, checked.text, checked.is_complete)


def _from_stdin(name: str | None, force_exclude: bool, allow_empty: bool) -> Iterator[CheckedFile]:
    from outscore.loader import check

    if name is not None and force_exclude and is_excluded(name):
        if not allow_empty:
            stop(f"{printable(name)} is excluded by pyproject.toml")
        return
    # Without a name nothing says where it belongs, and so nothing of its schema line.
    folder = Path(name).parent if name is not None else None
    checked = check(sys.stdin.buffer.read(), name or _UNNAMED, lint=True, folder=folder)
    yield CheckedFile(name or _UNNAMED, checked.diagnostics, checked.text, checked.is_complete)


def _write_text(files: Sequence[CheckedFile], strict: bool) -> None:
    for each in files:
        echo_diagnostics(each.findings, {each.name: each.text}, err=False)


def _write_json(files: Sequence[CheckedFile], strict: bool) -> None:
    from outscore.cli.checked_formats import as_json

    # As bytes, here and below, so that it is UTF-8 whatever the terminal's encoding.
    click.echo(as_json(files), nl=False)


def _write_github(files: Sequence[CheckedFile], strict: bool) -> None:
    from outscore.cli.checked_formats import as_github

    for line in as_github(files):
        click.echo(line.encode("utf-8", "replace"))


def _write_sarif(files: Sequence[CheckedFile], strict: bool) -> None:
    from outscore.cli.sarif import as_sarif

    click.echo(as_sarif(files), nl=False)


def _write_junit(files: Sequence[CheckedFile], strict: bool) -> None:
    from outscore.cli.checked_formats import as_junit

    click.echo(as_junit(files, strict=strict), nl=False)


_WRITERS: dict[str, Callable[[Sequence[CheckedFile], bool], None]] = {
    "text": _write_text,
    "json": _write_json,
    "github": _write_github,
    "sarif": _write_sarif,
    "junit": _write_junit,
}
