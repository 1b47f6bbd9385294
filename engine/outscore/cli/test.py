"""`outscore test PATH...`: runs the tests that stand beside the rules, and says on request what they reach."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click

from outscore.cli.console import FINDINGS, echo_diagnostics, os_words, printable, stop
from outscore.cli.selection import select, selection_options

if TYPE_CHECKING:
    from outscore.casetest import SuiteResult
    from outscore.casetest.coverage import Coverage
    from outscore.explain.page import Table


def _percent(ctx: click.Context, param: click.Parameter, value: str | None) -> Fraction | None:
    """A number from 0 to 100, exact."""
    from outscore.numbers import NumberError, read_number

    if value is None:
        return None
    try:
        percent = Fraction(read_number(value.removesuffix("%")))
    except NumberError as error:
        raise click.BadParameter(f"{value[:40]!r}: {error}") from None
    if not 0 <= percent <= 100:
        raise click.BadParameter(f"{value[:40]!r} does not lie from 0 to 100")
    return percent


@click.command("test")
@click.argument("paths", nargs=-1, required=True, type=click.Path())
@click.option("-k", "part", metavar="SUBSTRING", help="Only tests with this in their name, in capitals or not.")
@click.option("--coverage", is_flag=True, help="Say line by line which places of the rules the tests reach.")
@click.option(
    "--fail-under",
    callback=_percent,
    metavar="PCT",
    help="Fail where the tests of a ruleset reach less than this percentage of its places; implies --coverage.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "junit", "github"]),
    default="text",
    show_default=True,
    help="text for people, json and junit (XML) for programs, github to annotate lines in a workflow.",
)
@selection_options
def command(
    paths: tuple[str, ...],
    part: str | None,
    coverage: bool,
    fail_under: Fraction | None,
    form: str,
    force_exclude: bool,
    allow_empty: bool,
) -> None:
    """Run the tests of the rulesets PATHS: files, folders whose *.yaml and *.yml files are all rulesets, or patterns.

    Each test's run is scored by its ruleset, and each expectation is compared exactly. A ruleset with errors is shown
    like in validate and fails; one without tests is named and does not.

    \b
    Examples:
      outscore test rulesets/
      outscore test rulesets/claims_intake.yaml -k sponsor
      outscore test rulesets/ --coverage --fail-under 80
      outscore test rulesets/ --format junit > tests.xml
    """
    found = select(paths, force_exclude=force_exclude, allow_empty=allow_empty)
    results = _results(found, part, coverage or fail_under is not None)
    if part is not None:
        results = [each for each in results if each.results or each.has_errors]
        if not results:
            stop(f"no test's name has {printable(part)!r} in it")
    _WRITERS[form](results, fail_under)
    from outscore.casetest.words import is_under

    if any(each.has_errors or each.failed or is_under(each.coverage, fail_under) for each in results):
        raise SystemExit(FINDINGS)


def _results(found: Sequence[Path], part: str | None, coverage: bool) -> list[SuiteResult]:
    from outscore.casetest import read_suite, run_suite
    from outscore.document import read_source

    wanted = (part or "").casefold()
    results = []
    for path in found:
        try:
            suite = read_suite(read_source(path), str(path))
        except OSError as error:
            stop(os_words(error))
        results.append(run_suite(suite, lambda name: wanted in name.casefold(), coverage=coverage))
    return results


def _write_text(results: Sequence[SuiteResult], fail_under: Fraction | None) -> None:
    from outscore.casetest.words import explained, summary, title, untested

    for result in results:
        suite = result.suite
        if result.has_errors:
            echo_diagnostics(suite.diagnostics, {suite.file: suite.text}, err=False)
        for each in result.failed:
            place = f"{suite.file}:{each.case.span.line}"
            click.secho(f"FAILED {printable(place)}: {printable(title(each.case.name))}", fg="red", bold=True)
            click.echo("\n".join(map(printable, explained(each))))
    for file in untested(results):
        click.echo(f"{printable(file)}: no tests")
    _show_coverage(results, fail_under)
    is_good = not any(each.has_errors or each.failed for each in results)
    click.secho(summary(results, fail_under), fg="green" if is_good else "red")


def _show_coverage(results: Sequence[SuiteResult], fail_under: Fraction | None) -> None:
    from outscore.casetest.words import covered

    for result in results:
        if result.coverage is None:
            continue
        # Imported here: a page of tables brings in what only they need.
        from outscore.cli.page import show
        from outscore.explain.page import Heading

        heading = Heading((covered(result.suite.file, result.coverage, fail_under),))
        show((heading, _table(result.coverage)))
        click.echo()


def _table(coverage: Coverage) -> Table:
    """A row for each line of the ruleset that has places."""
    from outscore.explain.page import Column, Table, cell

    rows: dict[tuple[str, int, str], list[tuple[str, bool, str]]] = {}
    for place in coverage.places:
        row = rows.setdefault((place.span.file, place.span.line, place.rule), [])
        row.append((place.side, coverage.is_reached(place), place.missing))
    return Table(
        (Column("place"), Column("rule"), Column("reached"), Column("not reached")),
        tuple(
            (
                cell(f"{file}:{line}"),
                cell(rule),
                cell(", ".join(side for side, is_reached, _ in sides if is_reached)),
                cell("; ".join(missing for _, is_reached, missing in sides if not is_reached), tone="bad"),
            )
            for (file, line, rule), sides in rows.items()
        ),
    )


def _write_json(results: Sequence[SuiteResult], fail_under: Fraction | None) -> None:
    from outscore.casetest.formats import as_json

    # As bytes, so that it is UTF-8 whatever the terminal's encoding.
    click.echo(as_json(results, fail_under), nl=False)
    _echo_summary(results, fail_under)


def _write_junit(results: Sequence[SuiteResult], fail_under: Fraction | None) -> None:
    from outscore.casetest.formats import as_junit

    click.echo(as_junit(results, fail_under), nl=False)
    _echo_summary(results, fail_under)


def _write_github(results: Sequence[SuiteResult], fail_under: Fraction | None) -> None:
    from outscore.casetest.formats import as_github

    for line in as_github(results, fail_under):
        click.echo(line.encode("utf-8", "replace"))
    _echo_summary(results, fail_under)


def _echo_summary(results: Sequence[SuiteResult], fail_under: Fraction | None) -> None:
    """The closing line, for whoever watches: standard output holds data alone."""
    from outscore.casetest.words import summary

    click.echo(summary(results, fail_under), err=True)


_WRITERS: dict[str, Callable[[Sequence[SuiteResult], Fraction | None], None]] = {
    "text": _write_text,
    "json": _write_json,
    "junit": _write_junit,
    "github": _write_github,
}
