"""Nothing -> the three JSON Schemas; a Document -> findings about its shape.

This package is the one source of the formats' shapes and of the words that explain each key. The files under
`schemas/` are written from it (`python -m outscore.schema`) and never by hand. They are built by plain functions
rather than taken from the pydantic model, because a generated schema would bring `$ref`s with siblings, `anyOf` with
null, and branches where editors complete nothing; here every key stands inline with its own words, closed at every
depth, in the part of draft 07 that editors enforce. The model says the same rules a second time, for Python; a test
holds the two together.

Does not say whether rules make sense: that is the ruleset's meaning. Nothing is imported or built until needed.
"""

from __future__ import annotations

from typing import Final

from outscore.diagnostics import Diagnostic
from outscore.document import Document
from outscore.plan import Plan
from outscore.schema.parts import Schema

NAMES: Final = ("ruleset", "run", "score")
"""The schemas there are."""


def generate(name: str) -> Schema:
    """The JSON Schema `ruleset`, `run` or `score`, as plain data."""
    # Imported here, so that a program pays only for the schema it wants.
    if name == "ruleset":
        from outscore.schema.ruleset import ruleset_schema

        return ruleset_schema()
    if name == "run":
        from outscore.schema.run import run_schema

        return run_schema()
    if name == "score":
        from outscore.schema.score import score_schema

        return score_schema()
    raise ValueError(f"there is no schema '{name}'; there are: {', '.join(NAMES)}")


def run_schema_for(plan: Plan) -> Schema:
    """The strict schema of one scenario's runs: its people, fields and measures, and no others."""
    from outscore.schema import run

    return run.run_schema_for(plan)


def check_shape(document: Document) -> list[Diagnostic]:
    """Check a ruleset's keys and types; every finding carries its place."""
    from outscore.schema.check import check_ruleset

    return check_ruleset(document)


def as_text(schema: Schema) -> str:
    """A schema as the text of its file."""
    import json

    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
