"""A Ruleset -> what cannot be meant, though its shape is right: names, ids, the time zone, the pinned measures.

What expressions say and what charges come to is checked after.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import chain, islice

from outscore.diagnostics import MAX_FINDINGS, Code, Diagnostic, Path, Severity, dotted, in_order, nearest
from outscore.document import Document
from outscore.expression.names import RESERVED
from outscore.ruleset.model import Restrictions, Ruleset
from outscore.times import zone_names


def check_meaning(ruleset: Ruleset, document: Document) -> list[Diagnostic]:
    """Every finding about what the rules name, up to a bound."""
    findings = chain(
        _reserved_names(ruleset, document),
        _repeated_ids(ruleset, document),
        _timezone(ruleset, document),
        _pinned_form(ruleset, document),
    )
    return list(in_order(islice(findings, MAX_FINDINGS)))


def restrictions_by_section(ruleset: Ruleset) -> dict[str, Restrictions]:
    """The restrictions of each section that the ruleset has."""
    sections = {"contacts": ruleset.contacts, "trials": ruleset.trials, "waiting": ruleset.waiting}
    return {name: section.restrictions for name, section in sections.items() if section is not None}


def _reserved_names(ruleset: Ruleset, document: Document) -> Iterator[Diagnostic]:
    for name in ruleset.fields:
        if name in RESERVED:
            yield _reserved("field", name, ("fields", name), document)
    for position, name in enumerate(ruleset.kpi.measures):
        if name in RESERVED:
            yield _reserved("measure", name, ("kpi", "measures", position), document)


def _reserved(kind: str, name: str, path: Path, document: Document) -> Diagnostic:
    return Diagnostic(
        Code.RESERVED_NAME,
        Severity.ERROR,
        f"a {kind} cannot be named '{name}': the name has a meaning of its own in runs or in expressions",
        document.key_span(path),
        path,
        f"choose another, for example '{kind}_{name}'".lower(),
    )


def _repeated_ids(ruleset: Ruleset, document: Document) -> Iterator[Diagnostic]:
    for section, restrictions in restrictions_by_section(ruleset).items():
        first: dict[str, Path] = {}
        for position, restriction in enumerate(restrictions):
            path: Path = (section, "restrictions", position, "id")
            if first.setdefault(restriction.id, path) == path:
                continue
            line = document.span(first[restriction.id]).line
            yield Diagnostic(
                Code.DUPLICATE_ID,
                Severity.ERROR,
                f"the restriction id '{restriction.id}' is used twice in {section}, first in line {line}",
                document.span(path),
                path,
                "give each restriction of a section an id of its own",
            )


def _timezone(ruleset: Ruleset, document: Document) -> Iterator[Diagnostic]:
    name = ruleset.timezone
    if name is None or name in zone_names():
        return
    near = _nearest_zone(name)
    yield Diagnostic(
        Code.UNKNOWN_TIMEZONE,
        Severity.ERROR,
        f"there is no time zone '{name[:60]}'",
        document.span(("timezone",)),
        ("timezone",),
        f"did you mean '{near}'?" if near else "write an IANA name, for example Europe/Berlin",
    )


def _nearest_zone(name: str) -> str | None:
    # Offsets and abbreviations name no place: EST and CEST are one letter apart, and Etc/GMT+1 lies west of Greenwich.
    if any(each.isdigit() for each in name) or (name.isupper() and len(name) <= 5):
        return None
    word = name.strip().lower().replace(" ", "_")
    by_word = {zone.lower(): zone for zone in sorted(zone_names())}
    by_city = {zone.rpartition("/")[2]: zone for zone in by_word}
    if word not in by_word:
        word = by_city.get(word) or nearest(word, by_word) or by_city.get(nearest(word, by_city) or "") or ""
    return by_word.get(word)


def _pinned_form(ruleset: Ruleset, document: Document) -> Iterator[Diagnostic]:
    pinned = ruleset.kpi.pinned
    if pinned is None:
        return
    for system, values in (("baseline", pinned.baseline), ("reference", pinned.reference)):
        yield from _form(("kpi", "pinned", system), values, ruleset.kpi.measures, document)


def _form(
    path: Path, values: Fraction | Mapping[str, Fraction], measures: tuple[str, ...], document: Document
) -> Iterator[Diagnostic]:
    where, known = dotted(path), frozenset(measures)
    if isinstance(values, Fraction):
        if measures:
            message = f"{where} must give each measure, since runs report measures, but it is a number"
            hint = f"write {{{_listed(f'{each}: ...' for each in measures)}}}"
            yield Diagnostic(Code.WRONG_TYPE, Severity.ERROR, message, document.span(path), path, hint)
        return
    if not measures:
        message = f"{where} must be a number, the KPI itself, since there are no measures, but it is a mapping"
        hint = "write the number, or add 'measures' and 'formula' to kpi"
        yield Diagnostic(Code.WRONG_TYPE, Severity.ERROR, message, document.span(path), path, hint)
        return
    unknown = islice((name for name in values if name not in known), MAX_FINDINGS)
    near = {name: nearest(name, measures) for name in unknown}
    for name, meant in near.items():
        hint = f"did you mean '{meant}'?" if meant else f"the measures are {_listed(measures)}"
        message = f"{where} gives '{name}', which is no measure"
        at = (*path, name)
        yield Diagnostic(Code.UNKNOWN_KEY, Severity.ERROR, message, document.key_span(at), at, hint)
    meant_names = set(near.values())
    for name in measures:
        if name not in values and name not in meant_names:
            message = f"{where} does not give the measure '{name}'"
            yield Diagnostic(
                Code.MISSING_KEY, Severity.ERROR, message, document.key_span(path), path, f"add '{name}: ...'"
            )


def _listed(names: Iterable[str]) -> str:
    """The first dozen of the names."""
    shown = list(islice(names, 13))
    return ", ".join([*shown[:12], *(["..."] if len(shown) > 12 else [])])
