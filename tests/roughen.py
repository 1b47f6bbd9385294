"""A ruleset's text and a seed -> the same rules badly laid out, with comments in odd places; some come out broken.

Every comment put in is `# c` and a number, so that whoever formats the text can be asked what became of each.
"""

from __future__ import annotations

import re
from random import Random

Lines = list[str]


def roughen(text: str, seed: int) -> tuple[str, list[str]]:
    """The text roughened, and the comments that were put in."""
    random = Random(f"roughen {seed}")
    comments = [f"# c{number}" for number in range(random.choice((1, 3, 6)))]
    lines = text.rstrip("\n").split("\n")
    ways = (_alone, _alone, _behind, _behind, _into_brackets, _into_brackets)
    for comment in comments:
        lines = random.choice(ways)(lines, comment, random)
    for _ in range(random.randrange(4)):
        lines = random.choice((_blank, _swap, _shuffle_sections, _break_brackets))(lines, "", random)
    end = random.choice(("\n", "\n", "", "\n\n\n"))
    return random.choice(("\n", "\n", "\n", "\r\n")).join(lines) + end, comments


def _alone(lines: Lines, comment: str, random: Random) -> Lines:
    at = random.randrange(len(lines) + 1)
    return [*lines[:at], " " * random.randrange(9) + comment, *lines[at:]]


def _behind(lines: Lines, comment: str, random: Random) -> Lines:
    at = random.choice([number for number, line in enumerate(lines) if line.strip()])
    return [*lines[:at], f"{lines[at]} {comment}", *lines[at + 1 :]]


def _into_brackets(lines: Lines, comment: str, random: Random) -> Lines:
    return _break_brackets(lines, f" {comment}", random)


def _break_brackets(lines: Lines, behind: str, random: Random) -> Lines:
    places = [
        (number, match.end()) for number, line in enumerate(lines) for match in re.finditer(r"[,{\[](?=.*[]}])", line)
    ]
    if not places:
        return [*lines, behind.lstrip()] if behind else lines
    at, split = random.choice(places)
    first, rest = lines[at][:split], lines[at][split:]
    return [*lines[:at], first + behind, " " * random.choice((9, 12)) + rest.lstrip(), *lines[at + 1 :]]


def _blank(lines: Lines, comment: str, random: Random) -> Lines:
    at = random.randrange(len(lines) + 1)
    return [*lines[:at], *[""] * random.choice((1, 1, 3)), *lines[at:]]


def _swap(lines: Lines, comment: str, random: Random) -> Lines:
    """Swap two neighbours of one depth: keys of the format out of their order."""
    depths = [len(line) - len(line.lstrip()) for line in lines]
    places = [at for at in range(len(lines) - 1) if depths[at] == depths[at + 1]]
    if not places:
        return lines
    at = random.choice(places)
    return [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]


def _shuffle_sections(lines: Lines, comment: str, random: Random) -> Lines:
    starts = [at for at, line in enumerate(lines) if re.match(r"[a-z]", line)]
    sections = [lines[start:end] for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)]
    random.shuffle(sections)
    return [*lines[: starts[0]], *(line for section in sections for line in section)]
