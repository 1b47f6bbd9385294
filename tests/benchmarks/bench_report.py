"""A report of 10,000 runs in Chromium: until it is loaded and drawn, against an empty page with its library."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.reports import many
from tests.scores import written
from tests.test_report_browser import PROGRAMS, Browser, report, times_beside_an_empty_page


def figures() -> Iterator[tuple[str, float, float]]:
    """Both ratios; nothing where there is no Chromium to open a report in."""
    if PROGRAMS["chromium"] is None or PROGRAMS["chromedriver"] is None:
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = report(folder, written(folder / "scores.jsonl", *many(10_000)), "--resamples", "200")
        browser = Browser(folder / "profile")
        try:
            ratios = times_beside_an_empty_page(browser, made, folder, rounds=5)
        finally:
            browser.driver.quit()
    for name, ratio in ratios.items():
        yield f"a report of 10,000 runs {name} / an empty page with the library", ratio, 3.0
