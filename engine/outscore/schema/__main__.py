"""`python -m outscore.schema` -> the files under schemas/, written anew from the code."""

from __future__ import annotations

from outscore import resources
from outscore.schema import NAMES, as_text, generate


def main() -> None:
    """Write every schema to its file."""
    folder = resources.schema_folder()
    for name in NAMES:
        path = folder / f"{name}.schema.json"
        path.write_text(as_text(generate(name)), encoding="utf-8")
        print(f"wrote {path.name}")


if __name__ == "__main__":
    main()
