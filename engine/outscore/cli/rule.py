"""`outscore rule [CODE]`: explains a finding by its code, out of the page of diagnostics that the documentation has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

import click

from outscore.cli.console import printable, stop


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from outscore.diagnostics import Code

    return sorted(code for code in Code if code.startswith(incomplete))


@click.command("rule")
@click.argument("code", required=False, shell_complete=_complete)
def command(code: str | None) -> None:
    """Explain the finding with this CODE, which stands in brackets: warning[missing-why]. Without one, list all.

    \b
    Examples:
      outscore rule
      outscore rule missing-why
    """
    sections = {section.code: section for section in read_sections(_page())}
    if code is None:
        _list(list(sections.values()))
        return
    found = re.fullmatch(r"(?:\w*\[)?([^\[\]]*)\]?", code.strip())
    wanted = found[1] if found is not None else code
    if wanted not in sections:
        from outscore.diagnostics import nearest

        near = nearest(wanted, sections)
        stop(f"no finding has the code '{printable(wanted[:60])}'" + (f"; did you mean '{near}'?" if near else ""))
    click.secho(wanted, bold=True)
    click.echo()
    click.echo("\n".join(as_text(sections[wanted].body)))


def _page() -> str:
    from outscore.resources import ResourceMissingError, diagnostics_page

    try:
        return diagnostics_page()
    except ResourceMissingError as error:
        stop(str(error))


class Section(NamedTuple):
    """What the page says of one code."""

    code: str
    group: str
    """The heading above it."""
    body: str
    """In Markdown, without its heading."""

    @property
    def summary(self) -> str:
        """Its first sentence."""
        paragraph = next(iter(re.split(r"\n\s*\n", _COMMENT.sub("", self.body).strip())), "")
        words = _plain(" ".join(paragraph.split()))
        return re.split(r"(?<=[.:;])\s", words, maxsplit=1)[0].rstrip(".:;")


_HEADING: Final = re.compile(r"^(#{1,6}) +(.+?) *#*$")
_FENCE: Final = re.compile(r"^(`{3,}|~{3,})")
_COMMENT: Final = re.compile(r"<!--.*?-->\n?", re.DOTALL)
_LINK: Final = re.compile(r"\[([^\]]+)\]\([^)]*\)")


def read_sections(page: str) -> Iterator[Section]:
    """The sections of the page whose headings are codes, in its order."""
    from outscore.diagnostics import Code

    codes = frozenset(str(code) for code in Code)
    group, code, level, body = "", "", 0, list[str]()
    fence = ""
    for line in page.splitlines():
        mark = _FENCE.match(line)
        if mark is not None:
            fence = mark[1] if not fence else "" if line.startswith(fence) else fence
        heading = _HEADING.match(line) if not fence else None
        title = heading[2].strip("`") if heading is not None else ""
        if heading is not None and (title in codes or len(heading[1]) <= level or not code):
            if code:
                yield Section(code, group, "\n".join(body).strip())
            code, level, body = (title if title in codes else ""), len(heading[1]), []
            group = group if code else title
        else:
            body.append(line)
    if code:
        yield Section(code, group, "\n".join(body).strip())


def as_text(markdown: str) -> Iterator[str]:
    """Markdown as lines of plain text: code is set in, comments are left out, links are their words."""
    fence = ""
    blank = True
    for line in _COMMENT.sub("", markdown).splitlines():
        mark = _FENCE.match(line)
        if mark is not None and (not fence or line.startswith(fence)):
            fence = "" if fence else mark[1]
            continue
        text = f"    {line}".rstrip() if fence else _plain(line).rstrip()
        if text or not blank:
            yield text
        blank = not text


def _plain(line: str) -> str:
    return _LINK.sub(r"\1", line).replace("**", "")


def _list(sections: list[Section]) -> None:
    width = max((len(section.code) for section in sections), default=0)
    group = None
    for section in sections:
        if section.group != group:
            if group is not None:
                click.echo()
            click.secho(_plain(section.group), bold=True)
            group = section.group
        click.echo(f"  {section.code:<{width}}  {section.summary}")
