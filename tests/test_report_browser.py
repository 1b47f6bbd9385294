"""What a report is to whoever opens it: in real Chromium, with mouse, keyboard, on a phone, in the dark, offline.

`make test-all` installs axe-core into tests/browser/node_modules; without it, the suite installs it itself. It is
skipped only where there is no Chromium, no driver of it, or no npm. To look at the screenshots, name a folder for them
in OUTSCORE_SCREENSHOTS.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from outscore.cli import outscore

from tests.reports import HOSTILE, many, plan_of, shipped_scores
from tests.scores import failed, scored, void, written

PROGRAMS = {
    "chromium": shutil.which("chromium") or shutil.which("google-chrome"),
    "chromedriver": shutil.which("chromedriver"),
    "npm": shutil.which("npm"),
}
MISSING = " and ".join(name for name, path in PROGRAMS.items() if path is None)

pytestmark = [
    pytest.mark.needs_programs,
    pytest.mark.skipif(bool(MISSING), reason=f"the browser suite needs {MISSING}, not found here"),
]

FOLDER = Path(__file__).parent / "browser"
AXE = FOLDER / "node_modules" / "axe-core" / "axe.min.js"
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)
WATCH = """
window.refused = [];
document.addEventListener("securitypolicyviolation", (event) => refused.push(event.effectiveDirective));
"""


class Browser:
    """Chromium, and what the tests ask of it."""

    def __init__(self, profile: Path) -> None:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        options = webdriver.ChromeOptions()
        options.binary_location = str(PROGRAMS["chromium"])
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(str(PROGRAMS["chromedriver"])))
        self.command("Page.addScriptToEvaluateOnNewDocument", source=WATCH)

    def command(self, name: str, **arguments: Any) -> Any:
        return self.driver.execute_cdp_cmd(name, arguments)

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def size(self, width: int, height: int = 900) -> None:
        self.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )

    def scheme(self, value: str) -> None:
        features = [{"name": "prefers-color-scheme", "value": value}]
        self.command("Emulation.setEmulatedMedia", features=features)

    def open(self, page: Path, fragment: str = "") -> None:
        self.driver.get("about:blank")
        self.driver.get_log("performance")
        self.driver.get(f"{page.as_uri()}{fragment}")
        self.wait("document.documentElement.dataset.drawn")

    def wait(self, condition: str, seconds: int = 60) -> None:
        from selenium.webdriver.support.wait import WebDriverWait

        WebDriverWait(self.driver, seconds, 0.05).until(lambda _: self.run(f"return Boolean({condition})"), condition)

    def requests(self) -> list[str]:
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [each["params"]["request"]["url"] for each in messages if each["method"] == "Network.requestWillBeSent"]

    def keys(self, *keys: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def choose(self, name: str, value: str) -> None:
        """Set a filter, and wait until what it leaves is shown."""
        self.run(
            """
            const field = document.getElementById("filters").elements[arguments[0]];
            field.value = arguments[1];
            document.getElementById("count").textContent = "";
            field.dispatchEvent(new Event("input", {bubbles: true}));
            """,
            name,
            value,
        )
        self.wait('document.getElementById("count").textContent')

    def rows(self) -> list[list[str]]:
        return self.run(  # type: ignore[no-any-return]
            "return [...document.querySelectorAll('#runs-table tbody tr')].map(r => [...r.cells].map(c => c.innerText))"
        )

    def column(self, position: int) -> list[str]:
        return [row[position] for row in self.rows()]

    def faults(self) -> list[str]:
        """What axe finds that is serious."""
        self.run(AXE.read_text(encoding="utf-8"))
        found = self.driver.execute_async_script("axe.run().then(arguments[0])")
        assert found["passes"]
        return [
            f"{each['id']}: {node['html'][:200]} {node['failureSummary']}"
            for each in found["violations"]
            if each["impact"] in ("serious", "critical")
            for node in each["nodes"][:3]
        ]

    def picture(self, name: str, folder: Path) -> Path:
        """A screenshot of the whole page as it stands."""
        width = self.run("return innerWidth")
        self.size(width, min(6000, self.run("return document.documentElement.scrollHeight")))
        self.wait("document.documentElement.dataset.drawn?.split(' ').length === 4")
        path = Path(os.environ.get("OUTSCORE_SCREENSHOTS") or folder) / f"{name}.png"
        assert self.driver.save_screenshot(str(path))
        self.size(width)
        return path


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if not AXE.exists():
        command = [str(PROGRAMS["npm"]), "ci", "--no-audit", "--no-fund"]
        done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    made = Browser(tmp_path_factory.mktemp("profile"))
    yield made
    made.driver.quit()


def report(folder: Path, *arguments: str) -> Path:
    out = folder / "report.html"
    done = CliRunner().invoke(outscore, ["report", *arguments, "-o", str(out)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return out


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped runs, with a failed run and a missing one."""
    folder = tmp_path_factory.mktemp("report")
    lines = [*shipped_scores(), json.dumps(failed("f-1", agent="model-a", scenario="claims_intake"))]
    plan = plan_of(lines, {"run": "gone-1", "scenario": "claims_intake", "agent": "model-b"})
    return report(folder, written(folder / "scores.jsonl", *lines), "--plan", written(folder / "plan.jsonl", *plan))


@pytest.fixture
def fresh(browser: Browser, page: Path) -> Browser:
    browser.size(1200)
    browser.scheme("light")
    browser.open(page)
    return browser


def test_it_asks_nothing_of_the_network_and_runs_only_its_own(fresh: Browser, page: Path) -> None:
    assert {url.split("#")[0] for url in fresh.requests()} == {page.as_uri()}
    fresh.picture("whole", page.parent)
    assert {url.split("#")[0] for url in fresh.requests()} <= {page.as_uri()}
    # The library's style for maps, and blanks kept in its texts: no report needs either.
    assert set(fresh.run("return refused")) <= {"style-src-elem", "style-src-attr"}
    errors = [each["message"] for each in fresh.driver.get_log("browser") if each["level"] == "SEVERE"]
    assert [each for each in errors if "inline style" not in each] == []
    fresh.run(
        "const e = document.createElement('script'); e.textContent = 'window.foreign = 1'; document.body.append(e)"
    )
    assert fresh.run("return window.foreign") is None
    assert fresh.run("return fetch('file:///').then(() => 'came', () => 'refused')") == "refused"


def test_fates_stand_beside_each_other(fresh: Browser) -> None:
    fates = fresh.run("return [...document.querySelectorAll('.fates div')].map(e => e.innerText.replace(/\\s+/g, ' '))")
    assert fates == ["Planned 64", "Scored 56", "Void 6", "Failed 1", "Missing 1"]
    for outcome, runs in (("void", 6), ("failed", 1), ("missing", 1)):
        fresh.choose("outcome", f"={outcome}")
        assert fresh.column(4) == [outcome] * runs
        assert fresh.column(7) == ["–"] * runs


def test_filters_leave_what_they_say(fresh: Browser) -> None:
    fresh.choose("agent", "=model-b")
    assert set(fresh.column(1)) == {"model-b"}
    fresh.choose("scenario", "=claims_intake")
    assert set(fresh.column(2)) == {"claims_intake"}
    # The leaderboard is now that of the scenario.
    boards = "return [...document.querySelectorAll('[data-board]:not([hidden]) caption')].map(e => e.innerText)"
    assert fresh.run(boards) == ["claims_intake"]
    fresh.choose("search", "r-0019")
    assert fresh.column(0) == ["r-0019"]
    assert fresh.run("return document.getElementById('count').innerText") == "1 of 64 runs"
    fresh.choose("search", "nothing like this")
    assert fresh.column(0) == ["No run matches the filters."]
    fresh.run("document.getElementById('filters').reset()")
    fresh.wait("document.querySelectorAll('#runs-table tbody tr').length === 50")
    assert fresh.run(boards) == ["All scenarios"]
    fresh.run("document.getElementById('next').click()")
    assert len(fresh.rows()) == 14


def test_runs_are_sorted_by_the_heads(fresh: Browser) -> None:
    head = "document.querySelectorAll('#runs-table thead button')[7]"
    fresh.run(f"{head}.click()")
    down = [Fraction(each) for each in fresh.column(7)]
    assert down == sorted(down, reverse=True)
    assert fresh.run(f"return {head}.closest('th').getAttribute('aria-sort')") == "descending"
    fresh.run(f"{head}.click()")
    up = [Fraction(each) for each in fresh.column(7)]
    assert up == sorted(up)
    assert up[0] < down[-1]


def test_the_leaderboard_is_sorted_by_its_heads(fresh: Browser) -> None:
    agents = "return [...document.querySelectorAll('[data-board=\"0\"] tbody th')].map(e => e.innerText)"
    assert fresh.run(agents) == ["model-a", "model-b", "model-c"]
    fresh.run("document.querySelectorAll('[data-board=\"0\"] thead button')[4].click()")
    assert fresh.run(agents) == ["model-b", "model-c", "model-a"]


def test_a_run_opens_by_keyboard_with_its_waterfall_and_bill(fresh: Browser, page: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    fresh.choose("search", "r-0017")
    fresh.run("document.querySelector('#runs-table tbody button').focus()")
    fresh.keys(Keys.ENTER)
    fresh.wait("document.querySelector('#run-chart .point')")
    words = fresh.run("return document.getElementById('run-chart').getAttribute('aria-label')")
    assert words.startswith("Waterfall from uplift to score: uplift 0.8056, incident -0.8056, head_of_claims -0.0200,")
    assert words.endswith("score -0.0250.")
    assert fresh.run("return document.querySelectorAll('#run-chart .point').length") == 5
    body = fresh.run("return document.getElementById('run').innerText")
    for text in ("incident", "0.8056 (5801/7200)", "contacts.restrictions.after_hours: plus 0.01", "unanswered"):
        assert text in body
    assert fresh.driver.current_url.endswith("#run=r-0017")
    # Where a label stands on the line at 0.8, the line gives way.
    for scheme in ("light", "dark"):
        fresh.scheme(scheme)
        ground = fresh.run("return getComputedStyle(document.getElementById('run')).backgroundColor")
        labels = "[...document.querySelectorAll('#run-chart .annotation .bg')].slice(1)"
        behind = f"{labels}.map(e => e.style.fill)"
        fresh.wait(f"{behind}.every(fill => fill === {ground!r})")
        assert fresh.run(f"return {behind}.length") == 5
    fresh.scheme("light")
    assert fresh.faults() == []
    fresh.driver.save_screenshot(str(Path(os.environ.get("OUTSCORE_SCREENSHOTS") or page.parent) / "run.png"))
    fresh.keys(Keys.ESCAPE)
    fresh.wait("!document.getElementById('run').open")
    assert fresh.run("return document.activeElement.innerText") == "r-0017"


def test_a_link_opens_its_run(browser: Browser, page: Path) -> None:
    browser.open(page, "#run=f-1")
    assert "'cheif' is nobody" in browser.run("return document.getElementById('run').innerText")


def test_every_chart_has_words_or_a_table(fresh: Browser, page: Path) -> None:
    fresh.picture("light", page.parent)
    for name in ("board", "scores", "cloud", "people"):
        words = fresh.run("return document.getElementById(arguments[0]).ariaLabel", f"{name}-chart")
        assert len(words) > 20
    total = "return [...document.querySelectorAll('#scores-table td')].reduce((sum, e) => sum + Number(e.innerText), 0)"
    fresh.run("for (const each of document.querySelectorAll('details')) each.open = true")
    assert fresh.run(total) == 56
    assert fresh.faults() == []


def test_light_and_dark(fresh: Browser, page: Path) -> None:
    ground = "return getComputedStyle(document.body).backgroundColor"
    light = fresh.run(ground)
    fresh.scheme("dark")
    fresh.wait(f"(() => {{ {ground} }})() !== {json.dumps(light)}")
    dark = fresh.run(ground)
    fresh.picture("dark", page.parent)
    # Its texts stand out from the ground there too.
    assert fresh.faults() == []
    choose = "const e = document.getElementById('theme'); e.value = arguments[0]; e.dispatchEvent(new Event('change'))"
    fresh.run(choose, "light")
    assert fresh.run(ground) == light
    fresh.scheme("light")
    fresh.run(choose, "dark")
    assert fresh.run(ground) == dark
    fresh.run(choose, "")
    assert fresh.run(ground) == light


def test_on_a_phone_nothing_runs_over_the_edge(browser: Browser, page: Path) -> None:
    browser.scheme("light")
    browser.size(390, 844)
    browser.open(page)
    browser.picture("phone", page.parent)
    assert browser.run("return document.documentElement.scrollWidth") == 390
    browser.choose("search", "r-0017")
    browser.run("document.querySelector('#runs-table tbody button').click()")
    browser.wait("document.querySelector('#run-chart .point')")
    assert browser.run("return document.getElementById('run').scrollWidth") <= 390
    assert browser.faults() == []


def test_texts_of_others_stay_texts(browser: Browser, tmp_path: Path) -> None:
    browser.size(1200)
    lines = [
        scored(HOSTILE, "9/10", agent=HOSTILE, task=HOSTILE, scenario=HOSTILE, incidents=(HOSTILE,)),
        scored("plain", "1/2", agent="model $a$ %{x} <b>bold</b>", scenario=HOSTILE),
        void("v", agent=HOSTILE) | {"void": HOSTILE},
    ]
    made = report(tmp_path, written(tmp_path / "scores.jsonl", *lines), "--title", HOSTILE)
    browser.open(made)
    browser.picture("hostile", tmp_path)
    browser.run("for (const each of document.querySelectorAll('#runs-table tbody button')) each.click()")
    assert browser.run("return document.title") == HOSTILE
    assert browser.run("return window.taken") is None
    assert browser.run("return document.querySelectorAll('main img, main b, dialog img, a[href^=java]').length") == 0
    assert HOSTILE in browser.run("return document.querySelector('[data-board] tbody').innerText")


def test_ten_thousand_runs(browser: Browser, tmp_path: Path) -> None:
    made = report(tmp_path, written(tmp_path / "scores.jsonl", *many(10_000)), "--resamples", "200")
    assert made.stat().st_size < 15_000_000
    browser.size(1200)
    browser.scheme("light")
    browser.open(made)
    browser.choose("search", "r-09999")
    assert browser.column(0) == ["r-09999"]
    browser.run("document.querySelector('#runs-table tbody button').click()")
    assert "contact cost" in browser.run("return document.getElementById('run').innerText")


def times_beside_an_empty_page(browser: Browser, made: Path, folder: Path, rounds: int) -> dict[str, float]:
    """A report's time until it is loaded, and until its first chart is drawn, against an empty page's.

    The empty page has the same plotting library. Of interleaved rounds the least of each counts: what else the machine
    does only adds to it. For the benchmark, since a test claims no time.
    """
    library = re.findall(r"<script>(.*?)</script>", made.read_text(encoding="utf-8"), re.S)[-1]
    empty, drawn = folder / "empty.html", folder / "drawn.html"
    start = '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>empty</title><body><div id="plot"></div>'
    empty.write_text(f"{start}<script>{library}</script>", encoding="utf-8")
    draw = "Plotly.newPlot('plot', []).then(() => performance.mark('outscore-drawn'))"
    drawn.write_text(f"{start}<script>{library}</script><script>{draw}</script>", encoding="utf-8")

    def time(page: Path, read: str) -> float:
        browser.driver.get("about:blank")
        browser.driver.get(page.as_uri())
        browser.wait(read)
        return float(browser.run(f"return {read}"))

    browser.size(1200)
    browser.scheme("light")
    reads = {
        "loaded": ("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd", empty),
        "drawn": ("performance.getEntriesByName('outscore-drawn')[0]?.startTime", drawn),
    }
    ratios = {}
    for name, (read, other) in reads.items():
        pairs = [(time(made, read), time(other, read)) for _ in range(rounds)]
        mine, bare = (min(each) for each in zip(*pairs, strict=True))
        ratios[name] = mine / bare
    return ratios
