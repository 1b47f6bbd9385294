"""`outscore explain RULESET [RUNS]`: the price sheet of a ruleset, or the bill of one run."""

from __future__ import annotations

import json
import os

import click


@click.command("explain")
@click.argument("ruleset", type=click.Path(exists=True))
@click.argument("runs", required=False, type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option("--run", metavar="ID", help="Which run of RUNS; not needed where there is only one.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "md"]),
    default="text",
    show_default=True,
    help="text for people, json for programs, md to paste into a pull request.",
)
@click.option(
    "--all",
    "whole",
    is_flag=True,
    help="Everyone, however many they are; in a bill, also the rules that did not apply.",
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False),
    metavar="FILE.svg|png",
    help="Also draw the run's waterfall, from uplift to score, to this file.",
)
def command(ruleset: str, runs: str | None, run: str | None, form: str, whole: bool, plot: str | None) -> None:
    """Show what RULESET charges, as a price sheet; or, with RUNS, what one run was charged and why, as a bill.

    RUNS is a file: JSON Lines, .json or .yaml with one run or a list of runs, or a live ledger's file; - is standard
    input (JSON Lines). With RUNS, RULESET may be a folder: the run's own scenario's ruleset is taken.

    \b
    Examples:
      outscore explain rulesets/claims_intake.yaml
      outscore explain rulesets/claims_intake.yaml rulesets/claims_intake.runs.jsonl --run r-0017
      outscore explain rulesets/claims_intake.yaml --format md
      outscore explain rulesets/claims_intake.yaml rulesets/claims_intake.runs.jsonl --run r-0017 --plot r-0017.svg
    """
    if run is not None and runs is None:
        raise click.UsageError("--run needs RUNS, the file of runs.")
    if plot is not None:
        if runs is None:
            raise click.UsageError("--plot needs RUNS: a waterfall is of one run.")
        from outscore.cli import waterfalls

        waterfalls.check(plot)
    from outscore.cli import explanations
    from outscore.cli.console import FINDINGS

    if runs is None:
        if os.path.isdir(ruleset):
            raise click.UsageError("a price sheet is of one ruleset; name a file, or give RUNS too.")
        made: explanations.Made = explanations.sheet(explanations.read_ruleset(ruleset))
    else:
        made = explanations.outcome(ruleset, runs, run, whole)
    if form == "json":
        record = explanations.record(made)
        # As bytes, so that it is UTF-8 whatever the terminal's encoding.
        click.echo(json.dumps(record, indent=2, ensure_ascii=False).encode(errors="replace"))
    elif form == "md":
        from outscore.explain.markdown import markdown

        click.echo(markdown(explanations.page(made, whole)).encode(errors="replace"), nl=False)
    else:
        from outscore.cli.page import show

        show(explanations.page(made, whole))
    if plot is not None:
        waterfalls.save(made, plot)
    if explanations.is_bad(made):
        raise SystemExit(FINDINGS)
