"""Imports go strictly downward: the table of layers, held by reading the source.

A module that is not in the table fails, so that each new one is given its place. Imports inside functions and under
TYPE_CHECKING count like any other.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "engine" / "outscore"

LANGUAGE = {"schema", "ruleset", "expression"}
RUNNING = {"account", "ledger", "lowering", "run", "score"}
LAYERS = [
    {"diagnostics", "folders", "numbers", "resources"},
    {"alike", "document", "findings", "formula", "jsontext", "plan", "times"},
    LANGUAGE | RUNNING,
    {"compiler", "fastpath", "lint", "prices", "scorer"},
    {"loader"},
    {
        "batch",
        "casetest",
        "diff",
        "explain",
        "fmt",
        "journal",
        "new",
        "report",
        "rescore",
        "results",
        "runfiles",
        "spark",
        "summary",
        "table",
    },
    {"__init__", "__main__", "cli", "integrations", "pytest_plugin"},
]
"""From the bottom up."""

BESIDE = {
    "batch": {"runfiles"},
    "ruleset": {"expression", "schema"},
    "score": {"account"},
    "ledger": {"account", "lowering", "run"},
    "lint": {"compiler", "scorer"},
    "prices": {"fastpath"},
    "scorer": {"fastpath", "prices"},
    "diff": {"batch", "explain", "runfiles", "summary"},
    "explain": {"batch", "runfiles"},
    "report": {"explain", "results", "summary"},
    "rescore": {"batch", "results", "summary"},
    "runfiles": {"journal"},
    "summary": {"batch", "results"},
    "spark": {"table"},
    "cli": {"integrations"},
    "__main__": {"cli"},
}
"""What a module may import of its own layer; without a line here, nothing."""

# The root may give nothing but the version: all else there is resolved lazily from the modules above.
FROM_THE_ROOT = {"__version__"}

OUTSIDE = {
    "click": {"cli"},
    "inspect_ai": {"integrations"},
    "jinja2": {"report"},
    "jsonschema": {"schema"},
    "markupsafe": {"report"},
    "matplotlib": {"report"},
    "msgspec": RUNNING
    | {
        "batch",
        "compiler",
        "fastpath",
        "formula",
        "integrations",
        "jsontext",
        "journal",
        "plan",
        "prices",
        "rescore",
        "results",
        "runfiles",
    }
    | {"report", "scorer", "summary"},
    "numpy": {"summary"},
    "pydantic": {"ruleset"},
    "pydantic_core": {"ruleset"},
    "pytest": {"pytest_plugin"},
    "referencing": {"schema"},
    "rich": {"cli", "report"},
    "scipy": {"summary"},
    "simpleeval": {"expression"},
    "tzdata": {"times"},
    "yaml": {"document", "fmt"},
}
"""Who may import which library."""

SCORING = RUNNING | {"fastpath", "scorer"}
TEXT = LANGUAGE | {"document"}
"""What scoring knows nothing of."""


def modules_of(package: Path) -> dict[str, list[Path]]:
    """The package's modules by name, each with its files: one, or those of a folder."""
    modules: dict[str, list[Path]] = {}
    for path in sorted(package.rglob("*.py")):
        modules.setdefault(path.relative_to(package).parts[0].removesuffix(".py"), []).append(path)
    return modules


def imports_of(path: Path, package: Path) -> Iterator[tuple[str, int]]:
    """The dotted names that a file imports, with their lines; a name taken from a package counts as below it."""
    here = ["outscore", *path.relative_to(package).with_suffix("").parts]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = [*here[: len(here) - node.level], *([node.module] if node.module else [])] if node.level else []
            module = ".".join(base) if base else str(node.module)
            yield from ((f"{module}.{alias.name}", node.lineno) for alias in node.names)


def layer_of(module: str) -> int | None:
    return next((index for index, layer in enumerate(LAYERS) if module in layer), None)


def faults(package: Path) -> list[str]:
    """Every import that the tables do not allow, and every module that they do not have."""
    found = []
    for module, paths in modules_of(package).items():
        layer = layer_of(module)
        if layer is None:
            found.append(f"{module}: not in the table of layers")
            continue
        for path in paths:
            for name, line in imports_of(path, package):
                fault = _fault(module, layer, name.split("."))
                if fault:
                    found.append(f"{path.relative_to(package)}:{line}: {fault}")
    return found


def _fault(module: str, layer: int, name: list[str]) -> str | None:
    if name[0] != "outscore":
        if name[0] in sys.stdlib_module_names:
            return None
        return None if module in OUTSIDE.get(name[0], set()) else f"{module} may not import {name[0]}"
    other = name[1] if len(name) > 1 else "__init__"
    if other == module or other in FROM_THE_ROOT:
        return None
    if module in SCORING and other in TEXT:
        return f"{module} may not import {other}: a plan is all that passes"
    beneath = layer_of(other)
    if beneath is None:
        return f"{other} is not in the table of layers"
    if beneath < layer or other in BESIDE.get(module, set()):
        return None
    return f"{module} may not import {other}, which is not below it"


def closure(starts: set[str]) -> set[str]:
    """The modules that importing these brings in."""
    modules = modules_of(PACKAGE)
    reached: set[str] = set()
    waiting = [start for start in starts if start in modules]
    while waiting:
        module = waiting.pop()
        if module in reached:
            continue
        reached.add(module)
        names = [name.split(".") for path in modules[module] for name, _ in imports_of(path, PACKAGE)]
        waiting += [name[1] for name in names if name[0] == "outscore" and len(name) > 1 and name[1] in modules]
    return reached


def test_every_import_goes_down() -> None:
    assert faults(PACKAGE) == []


def test_the_table_is_sound() -> None:
    everything = [module for layer in LAYERS for module in layer]
    assert len(everything) == len(set(everything))
    for module, others in BESIDE.items():
        assert {layer_of(other) for other in others} == {layer_of(module)}
    # Raises CycleError where two modules of one layer lean on each other.
    assert list(TopologicalSorter(BESIDE).static_order())


def test_the_running_side_knows_nothing_of_the_language_side() -> None:
    assert closure(SCORING) & TEXT == set()
    # And of the libraries that scoring must not load, none is allowed to any module it brings in.
    for library in ("pydantic", "jsonschema", "simpleeval", "yaml", "click", "rich"):
        assert OUTSIDE[library] & closure(SCORING) == set()


@pytest.mark.parametrize(
    ("file", "source", "fault"),
    [
        ("numbers.py", "import outscore.plan", "numbers may not import plan"),
        ("run.py", "from outscore.document import Document", "run may not import document"),
        ("run.py", "from outscore.ledger import Ledger", "run may not import ledger"),
        ("ledger.py", "from outscore import run", None),
        ("ledger.py", "def f():\n    from outscore import scorer", "ledger may not import scorer"),
        ("scorer.py", "from outscore import load", "load is not in the table"),
        ("scorer.py", "from outscore import __version__", None),
        ("scorer.py", "import pydantic", "scorer may not import pydantic"),
        ("scorer.py", "import numpy.linalg", "scorer may not import numpy"),
        ("cli/score.py", "from . import table\nfrom .. import scorer", None),
        ("expression/check.py", "from ..compiler import compile", "expression may not import compiler"),
        ("helpers.py", "", "helpers: not in the table"),
    ],
)
def test_faults_are_found(file: str, source: str, fault: str | None, tmp_path: Path) -> None:
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text(source, encoding="utf-8")
    found = faults(tmp_path)
    assert len(found) == (fault is not None)
    assert fault is None or fault in found[0]
