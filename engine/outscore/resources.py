"""Name -> shipped file: the JSON Schemas, the sample rulesets, the page of diagnostics, wherever we are installed.

In a wheel they lie inside the package; in an editable install beside `engine/`, in the repository. Reads nothing
when imported, and parses nothing.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


class ResourceMissingError(FileNotFoundError):
    """A shipped file that is not where an installation puts it."""


def schema_text(name: str) -> str:
    """The text of `schemas/NAME.schema.json`; the names are `ruleset`, `run` and `score`."""
    path = schema_folder() / f"{name}.schema.json"
    if not path.is_file():
        known = ", ".join(sorted(each.name.removesuffix(".schema.json") for each in path.parent.glob("*.schema.json")))
        raise ResourceMissingError(f"there is no schema '{name}'; there are: {known}")
    return path.read_text(encoding="utf-8")


def shipped_rulesets() -> list[Path]:
    """The sample rulesets that come with the package, by name."""
    # Runs may be YAML too; beside rulesets they are told apart by name.
    return sorted(each for each in ruleset_folder().glob("*.yaml") if not each.name.endswith(".runs.yaml"))


def diagnostics_page() -> str:
    """The text of the documentation's page that explains every code of a finding."""
    # In a wheel this one page of the documentation lies by itself.
    for path in (_PACKAGE / "docs" / "diagnostics.md", _PACKAGE.parents[1] / "docs" / "reference" / "diagnostics.md"):
        if path.is_file():
            return path.read_text(encoding="utf-8")
    raise ResourceMissingError("the page of diagnostics is missing from this installation of outscore")


def schema_folder() -> Path:
    """Where the JSON Schemas lie."""
    return _folder("schemas")


def ruleset_folder() -> Path:
    """Where the sample rulesets, with their runs, lie."""
    return _folder("rulesets")


def _folder(name: str) -> Path:
    # The wheel's copy first: it is there only in a wheel, and a neighbour of site-packages is never ours.
    for folder in (_PACKAGE / name, _PACKAGE.parents[1] / name):
        if folder.is_dir():
            return folder
    raise ResourceMissingError(f"the folder '{name}' is missing from this installation of outscore")
