"""A file of theirs -> plain data with exact numbers, or what is wrong with it and where.

Knows JSON and nothing of what the files mean. What is wrong is found as a RunError with a JSON path, and becomes a
Fault once the file, and for a log the line, is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from outscore.diagnostics import Code, Path, RunError, json_path
from outscore.jsontext import BadNumber, Duplicate, read_json
from outscore.numbers import Number

MAX_BYTES: Final = 32 * 2**20
"""Most that is read of one file."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a file."""

    file: str
    code: Code
    message: str
    path: str = "$"
    """JSON path into the file, or into the line where there is one."""
    line: int | None = None
    """From 1; None in a file that is one JSON document."""
    hint: str | None = None

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        hint = f"\n  hint: {self.hint}" if self.hint else ""
        return f"{place}: error[{self.code}]: {self.path}: {self.message}{hint}"


class ForeignFileError(Exception):
    """A file that cannot be taken; carries everything that was found wrong."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults: tuple[Fault, ...] = tuple(faults)
        super().__init__(self.faults)

    def __str__(self) -> str:
        return "\n".join(map(str, self.faults))


@contextmanager
def faults_of(file: str) -> Iterator[None]:
    """Turn a RunError about a file into a ForeignFileError that names it."""
    try:
        yield
    except RunError as error:
        raise ForeignFileError([fault_of(error, file)]) from None


def fault_of(error: RunError, file: str, line: int | None = None) -> Fault:
    """The fault that a RunError is, once its place is known."""
    return Fault(file, error.code, error.message, error.path, line, error.hint)


def read_bytes(path: str) -> bytes:
    """A file's bytes; raises OSError, and ForeignFileError for a file that is too large."""
    with open(path, "rb") as file:
        # One byte more than may be shows that it is too large, without reading it whole.
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        message = f"the file has more than {MAX_BYTES // 2**20} MiB, which is the most that is read"
        raise ForeignFileError([Fault(path, Code.TOO_LARGE, message)])
    return data


def read_document(path: str) -> Mapping[str, Any]:
    """A file that is one JSON object; raises OSError and ForeignFileError."""
    data = read_bytes(path)
    with faults_of(path):
        return object_at(parse(data, "the file must be one JSON object"), ())


def parse(data: bytes, hint: str) -> object:
    """JSON bytes as plain data; raises RunError."""
    try:
        return read_json(data)
    except RunError as error:
        message = error.message.replace("not a run: ", "").replace("the run has", "it has")
        raise RunError(error.code, message, hint=hint if error.code is Code.SYNTAX else None) from None


def object_at(value: object, path: Path) -> Mapping[str, Any]:
    """The value, which must be an object that gives no key twice."""
    if not isinstance(value, Mapping):
        raise wrong_type("an object", value, path)
    for key in value:
        if isinstance(key, Duplicate):
            raise error(Code.DUPLICATE_KEY, f"the key {shown(key.key)} is given twice", path)
    return value


def list_at(value: object, path: Path, wanted: str = "a list") -> list[Any]:
    """The value, which must be a list."""
    if not isinstance(value, list):
        raise wrong_type(wanted, value, path)
    return value


def needed(found: Mapping[str, Any], key: str, path: Path) -> Any:
    """The value of a key that must be there."""
    if key not in found:
        raise error(Code.MISSING_KEY, f"the key {key!r} is missing", path)
    return found[key]


def text_at(value: object, path: Path) -> str:
    """The value, which must be text with at least one character."""
    if not isinstance(value, str):
        raise wrong_type("text", value, path)
    if not value:
        raise error(Code.BAD_VALUE, "empty text; wanted at least one character", path)
    return value


def number_at(value: object, path: Path) -> Number:
    """The value, which must be a number."""
    if isinstance(value, BadNumber):
        raise error(Code.BAD_NUMBER, f"{value.text}: {value.reason}", path)
    if isinstance(value, bool) or not isinstance(value, Number):
        raise wrong_type("a number", value, path)
    return value


def count_at(value: object, path: Path) -> int:
    """The value, which must be a whole number from 0."""
    number = number_at(value, path)
    if not isinstance(number, int) or number < 0:
        raise error(Code.BAD_VALUE, f"{shown(number)}; wanted a whole number, zero or more", path)
    return number


def error(code: Code, message: str, path: Path, hint: str | None = None) -> RunError:
    """What is wrong at a path."""
    return RunError(code, message, path=json_path(path), hint=hint)


def wrong_type(wanted: str, found: object, path: Path) -> RunError:
    """A value of another type than wanted."""
    return error(Code.WRONG_TYPE, f"{_kind(found)}; wanted {wanted}", path)


def shown(value: object, most: int = 60, *, depth: int = 3) -> str:
    """A value as messages and comments show it: as JSON would, on one line, printable, cut short."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, BadNumber):
        return value.text
    if isinstance(value, str):
        whole = "".join(_printable(character) for character in value[:most])
        return f'"{whole}"' if len(value) <= most else f'"{whole}..."'
    if isinstance(value, Mapping | list) and not depth:
        return "..."
    if isinstance(value, Mapping):
        keys = [key.key if isinstance(key, Duplicate) else str(key) for key in value][:10]
        inner = [f"{shown(key)}: {shown(value.get(key), depth=depth - 1)}" for key in keys]
        return f"{{{', '.join(inner)}{', ...' if len(value) > 10 else ''}}}"
    if isinstance(value, list):
        inner = [shown(each, depth=depth - 1) for each in value[:10]]
        return f"[{', '.join(inner)}{', ...' if len(value) > 10 else ''}]"
    return str(value)[:most]


def _printable(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    if character.isprintable():
        return character
    # As YAML's and JSON's double quotes write it; half a surrogate pair is no character in either.
    code = 0xFFFD if 0xD800 <= ord(character) <= 0xDFFF else ord(character)
    return f"\\U{code:08x}"


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"the text {shown(value)}"
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list):
        return "a list"
    return f"the number {shown(value)}"
