"""`outscore diff OLD [NEW]`: what a change of a ruleset changes, in words and, with runs, in results."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Final

import click

from outscore.cli.console import FINDINGS, echo_diagnostics, os_words, printable, stop
from outscore.cli.file_paths import RUNS, paths_of

if TYPE_CHECKING:
    from outscore.diff import Difference
    from outscore.diff.source import Source
    from outscore.ruleset import Ruleset

_RUNS: Final = "--runs"


class _TakesManyRuns(click.Command):
    """Lets --runs take every word up to the next option, so that shell patterns can follow it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        words: list[str] = []
        is_taking = False
        for position, word in enumerate(args):
            if word == "--":
                words += args[position:]
                break
            if word.startswith("-") and word != "-":
                is_taking = word == _RUNS
                if not is_taking:
                    words.append(word)
                elif position + 1 == len(args) or _is_option(args[position + 1]):
                    raise click.BadOptionUsage(_RUNS, f"Option '{_RUNS}' needs a file of runs.", ctx)
            elif is_taking:
                words += [_RUNS, word]
            else:
                words.append(word)
        return super().parse_args(ctx, words)


def _is_option(word: str) -> bool:
    return word.startswith("-") and word != "-"


@click.command("diff", cls=_TakesManyRuns)
@click.argument("old", type=click.Path())
@click.argument("new", required=False, type=click.Path())
@click.option(
    _RUNS,
    "runs",
    multiple=True,
    metavar="RUNS...",
    type=click.Path(),
    callback=paths_of(RUNS),
    help="Files of runs to score by both, all up to the next option, folders of them or quoted patterns; - is standard "
    "input (JSON Lines).",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "md"]),
    default="text",
    show_default=True,
    help="text for people, json for programs, md to post as a comment in a pull request.",
)
@click.option(
    "--top", type=click.IntRange(min=1), default=10, show_default=True, help="How many changed runs are shown."
)
@click.option("--exit-code", is_flag=True, help="Exit with 1 where the rules' meaning has changed.")
def command(old: str, new: str | None, runs: tuple[str, ...], form: str, top: int, exit_code: bool) -> None:
    """Say what changes from the ruleset OLD to NEW, and with --runs what that does to scores, verdicts and ranks.

    Each is a file, or REV:PATH of git where there is no file of that name; PATH then counts from the top of the
    repository, or from here where it begins with ./ as git has it. Without NEW, OLD is compared with the file of the
    work tree.

    The exit code is 0 whether or not anything has changed; 2 where one of the two cannot be read or has errors.

    \b
    Examples:
      outscore diff old.yaml new.yaml
      outscore diff HEAD:rulesets/claims_intake.yaml --runs rulesets/claims_intake.runs.jsonl
      outscore diff main:rulesets/on_call.yaml HEAD:rulesets/on_call.yaml --format md
    """
    difference = _compare(old, new)
    if runs:
        try:
            difference = difference.with_runs(runs, sys.stdin.buffer, top=top)
        except OSError as error:
            stop(os_words(error))
        if difference.effects is not None and not difference.effects.seen and not difference.effects.foreign:
            stop(f"no run in {', '.join(map(printable, runs))}")
    _SHOW[form](difference)
    if exit_code and not difference.is_same:
        raise SystemExit(FINDINGS)


def _compare(old: str, new: str | None) -> Difference:
    from outscore.diff import compare_rulesets
    from outscore.diff.source import NoSourceError, read_pair

    try:
        before, after = read_pair(old, new)
    except NoSourceError as error:
        stop(printable(str(error)))
    except OSError as error:
        stop(os_words(error))
    checked = [_checked(each) for each in (before, after)]
    rulesets = [each for each in checked if each is not None]
    if len(rulesets) < 2:
        stop("nothing was compared, the rules have errors")
    return compare_rulesets(rulesets[0], rulesets[1], before.name, after.name)


def _checked(source: Source) -> Ruleset | None:
    """The ruleset; None, and the errors told, where it has any. Warnings are for validate."""
    from outscore.loader import check

    checked = check(source.content, source.name)
    if checked.ruleset is None:
        echo_diagnostics(checked.diagnostics, {source.name: checked.text}, err=True)
    return checked.ruleset


def _show_text(difference: Difference) -> None:
    from outscore.cli.page import show
    from outscore.diff.page import difference_page

    show(difference_page(difference))


def _show_markdown(difference: Difference) -> None:
    from outscore.diff.page import difference_page
    from outscore.explain.markdown import markdown

    # As bytes, so that it is UTF-8 whatever the terminal's encoding.
    click.echo(markdown(difference_page(difference, is_comment=True)).encode(errors="replace"), nl=False)


def _show_json(difference: Difference) -> None:
    from outscore.diff.record import difference_record

    click.echo(json.dumps(difference_record(difference), indent=2, ensure_ascii=False).encode(errors="replace"))


_SHOW: Final = {"text": _show_text, "json": _show_json, "md": _show_markdown}
