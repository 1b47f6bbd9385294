"""What `explain` was asked for -> a price sheet, a bill, a void or a bad run; and that -> plain data, or a page.

Apart from the command, so that its help and completion load none of this.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from outscore.batch import BadRun
from outscore.cli.console import echo_diagnostics, os_words, printable, stop
from outscore.compiler import compile_ruleset
from outscore.diagnostics import RunError, nearest
from outscore.document import read_document, read_source
from outscore.explain import Bill, PriceSheet, bill, price_sheet
from outscore.explain.bill_page import bad_page, bill_page, void_page
from outscore.explain.page import Page
from outscore.explain.records import bill_record, sheet_record
from outscore.explain.runs import FoundRun, NoSuchRunError, find_run
from outscore.explain.sheet_page import sheet_page
from outscore.loader import Checked, check, find_rulesets
from outscore.run import Void, read_run

Made = PriceSheet | Bill | Void | BadRun
"""What there is to show."""


def read_ruleset(path: str) -> Checked:
    """Check a ruleset, and print what is found; ends where there is an error."""
    try:
        checked = check(read_source(path), path)
    except OSError as error:
        stop(os_words(error))
    echo_diagnostics(checked.diagnostics, {path: checked.text}, err=True)
    if checked.ruleset is None:
        stop(f"{printable(path)}: nothing to explain, the rules have errors")
    return checked


def sheet(checked: Checked) -> PriceSheet:
    """The ruleset's price sheet."""
    assert checked.ruleset is not None
    assert checked.document is not None
    return price_sheet(checked.ruleset, compile_ruleset(checked.ruleset), checked.document)


def outcome(rules: str, path: str, run: str | None, whole: bool) -> Bill | Void | BadRun:
    """What became of the run that is meant, by a ruleset or by its scenario's in a folder."""
    if os.path.isdir(rules):
        found = _found(path, run)
        if isinstance(found.record, RunError):
            return found.as_bad(found.record)
        checked = read_ruleset(_ruleset_for(found, rules))
    else:
        checked = read_ruleset(rules)
        found = _found(path, run)
    assert checked.ruleset is not None
    assert checked.document is not None
    plan = compile_ruleset(checked.ruleset)
    try:
        if isinstance(found.record, RunError):
            raise found.record
        read = read_run(found.record, plan)
        if isinstance(read, Void):
            return read
        return bill(checked.ruleset, plan, checked.document, read, all_rules=whole)
    except RunError as error:
        return found.as_bad(error)


def _ruleset_for(found: FoundRun, folder: str) -> str:
    """The folder's ruleset of the run's scenario, whether or not it has errors."""
    wanted = found.record.get("scenario") if isinstance(found.record, dict) else None
    paths: list[str] = []
    scenarios: list[str] = []
    for path in map(str, find_rulesets([folder])):
        try:
            document, _ = read_document(read_source(path), path)
        except OSError as error:
            stop(os_words(error))
        scenario = document.data.get("scenario") if document is not None and isinstance(document.data, dict) else None
        if isinstance(scenario, str):
            scenarios.append(scenario)
            if scenario == wanted:
                paths.append(path)
    if len(paths) > 1:
        stop(f"{printable(folder)} has {len(paths)} rulesets of one scenario: {', '.join(map(printable, paths))}")
    if not paths:
        near = nearest(wanted, scenarios) if isinstance(wanted, str) else None
        hint = f"; did you mean {near!r}?" if near else ""
        named = printable(repr(wanted)) if isinstance(wanted, str) else "the scenario that the run should name"
        stop(f"{printable(folder)} has no ruleset of {named}{hint}")
    return paths[0]


def record(made: Made) -> dict[str, Any]:
    """Plain data for JSON."""
    if isinstance(made, PriceSheet):
        return sheet_record(made)
    return bill_record(made) if isinstance(made, Bill) else made.to_record()


def page(made: Made, whole: bool) -> Page:
    """What people see."""
    if isinstance(made, PriceSheet):
        return sheet_page(made, whole=whole)
    if isinstance(made, Bill):
        return bill_page(made)
    return void_page(made) if isinstance(made, Void) else bad_page(made)


def is_bad(made: Made) -> bool:
    """Whether the run could not be scored."""
    return isinstance(made, BadRun)


def _found(path: str, run: str | None) -> FoundRun:
    try:
        return find_run(path, sys.stdin.buffer, run)
    except NoSuchRunError as error:
        stop(printable(str(error)))
    except OSError as error:
        stop(os_words(error))
