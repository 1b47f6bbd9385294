"""An Engagement -> the text of a ruleset that charges as the harness does, with comments on what it cannot say.

What their file holds and format 1 has no words for (who stops answering when, credits, the calendar) is never left out
in silence: it stands in a comment, and in a warning where it moves a charge.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Context, Decimal
from typing import Final

from outscore.document.scalars import SPECIAL_WORDS
from outscore.integrations.fde_gym.engagement import OVER_FACTOR, Clock, Engagement, Person, Trials
from outscore.integrations.fde_gym.ids import to_ours
from outscore.integrations.fde_gym.reading import shown
from outscore.numbers import Number, NumberError, take_number
from outscore.plan import Direction

RECORDED: Final = "recorded"
"""The field that carries what their log charged, where that cannot be priced anew."""

ASKED: Final = "asked"
"""The field that carries their own count, `n_asked`, where a ruleset goes by it."""

RECOUNT: Final = "recount"
"""The restriction that lets what they charged stand where their count is not the run's."""

_ALLOW: Final = "# outscore: allow unreachable-price"
"""Said where a list price is always replaced: their list is kept, so that it can be read here."""

_EXACTLY: Final = Context(prec=100)
_MOST_TESTED: Final = 10
_WIDTH: Final = 120


@dataclass(frozen=True, slots=True)
class Converted:
    """A ruleset's text, and what it charges otherwise than the harness."""

    text: str
    warnings: tuple[str, ...]


def ruleset_of(
    engagement: Engagement,
    scenario: str,
    direction: Direction | None = None,
    *,
    why_direction: str | None = None,
    as_recorded: bool = False,
) -> Converted:
    """Write an engagement's ruleset.

    scenario is an id of ours. Without a direction, higher is taken for better, which is said. With as_recorded,
    contacts carry the harness's own count, and what it charged stands where that count is not the run's.
    """
    writer = _Writer(engagement, as_recorded)
    lines = [
        *writer.head(scenario),
        *writer.kpi(direction, why_direction),
        *writer.contacts(),
        *writer.trials(engagement.trials),
        *writer.waiting(engagement.clock),
        *writer.tests(direction or "higher"),
    ]
    return Converted("\n".join(line.rstrip() for line in lines) + "\n", tuple(writer.warnings))


class _Writer:
    """Writes the sections in order, and collects what must be warned of."""

    def __init__(self, engagement: Engagement, as_recorded: bool) -> None:
        self._engagement = engagement
        self._as_recorded = as_recorded
        self.warnings: list[str] = []

    def _warn(self, words: str, indent: int) -> Iterator[str]:
        self.warnings.append(words)
        yield from _comment(f"NOTE: {words}", indent)

    def head(self, scenario: str) -> Iterator[str]:
        yield from _comment(
            "What FDE-Gym charges in this engagement, written by `outscore import fde-gym`. Comments say what "
            "npcs.json has and a ruleset cannot say. What people know and write is no matter of cost and stays there."
        )
        # Where the schema is to stand is for those who keep the file.
        yield "# outscore: allow schema-line"
        yield "outscore: 1"
        yield f"scenario: {_id(scenario)}"
        yield ""

    def kpi(self, direction: Direction | None, why: str | None) -> Iterator[str]:
        yield "kpi:"
        if direction is None:
            words = "the direction is not known from npcs.json, so higher is taken for better"
            yield from self._warn(words, 2)
        elif why:
            yield from _comment(why, 2)
        yield f"  direction: {direction or 'higher'}"
        yield ""
        yield "fields:"
        yield from _comment(
            "What their log charged, in trials and waits: nothing else tells a trial's extra cost or a wait's hours.",
            2,
        )
        yield f"  {RECORDED}: number"
        if self._as_recorded:
            yield from _comment("Their count of this person's messages, n_asked, in answered contacts.", 2)
            yield f"  {ASKED}: number"
        yield ""

    def contacts(self) -> Iterator[str]:
        engagement = self._engagement
        yield "contacts:"
        yield from _comment(
            "Unanswered messages are free, there and here, and so are messages to people who are gone.", 2
        )
        if engagement.total_questions is not None:
            words = (
                f"Their total_questions is {shown(engagement.total_questions)}: after so many answers nobody answers."
            )
            yield from _comment(words, 2)
        for identifier in engagement.repeated:
            yield from self._warn(f"{shown(identifier)} is listed more than once; the last entry counts, as there", 2)
        if engagement.people:
            yield "  people:"
            for person in engagement.people:
                yield from self._person(person)
        else:
            yield "  people: {}"
        restrictions = list(self._restrictions())
        if restrictions:
            yield "  restrictions:"
            yield from restrictions
        yield ""

    def _person(self, person: Person) -> Iterator[str]:
        name = to_ours(person.id)
        who = shown(person.id)
        yield f"    {_id(name)}:"
        if name != person.id:
            yield from _comment(f"Their id is {who}.", 6)
        if person.role:
            yield f"      role: {shown(person.role, 500)}"
        if person.fails:
            words = f"{person.fails}: there each message to {who} fails, unlogged and free"
            yield from self._warn(words, 6)
        yield from self._price(person, who)
        yield from self._patience(person, who)
        for key, value in person.limits.items():
            yield from _comment(f"Their {key} is {shown(value)}: {_LIMIT_WORDS[key]}", 6)

    def _price(self, person: Person, who: str) -> Iterator[str]:
        if person.cost < 0:
            words = f"the cost of {who} is {_number(person.cost)}, a credit; no charge is below zero here"
            yield from self._warn(words, 6)
        price = f"      price: {_number(max(person.cost, 0))}"
        # A restriction says the list price of somebody off limits once more; and past a patience of 0, a price in
        # past_patience leaves it nothing.
        has_no_factor = person.over_factor is None or person.over_factor < 0
        is_replaced = person.off_limits or (person.soft_limit is not None and person.soft_limit < 1 and has_no_factor)
        yield f"{price}  {_ALLOW}" if is_replaced else price

    def _patience(self, person: Person, who: str) -> Iterator[str]:
        limit, factor = person.soft_limit, person.over_factor
        if limit is None:
            if person.has_over_factor:
                yield from _comment(f"Their over_factor is {shown(factor)}, and never applies without a soft_limit.", 6)
            return
        # Their count is whole, so a fraction on top of the limit changes nothing.
        patience = max(int(limit), 0)
        if patience != limit:
            yield from _comment(f"Their soft_limit is {_number(limit)}, which comes to the same.", 6)
        yield f"      patience: {_number(patience)}"
        if factor is None:
            words = f"over_factor is null: past the soft_limit each message to {who} fails there, unlogged and free"
            yield from self._warn(words, 6)
            yield "      past_patience: {price: 0}"
        elif factor < 0:
            words = f"the over_factor of {who} is {_number(factor)}; no charge is below zero here"
            yield from self._warn(words, 6)
            yield "      past_patience: {price: 0}"
        else:
            if not person.has_over_factor:
                yield from _comment(f"They give no over_factor, which means {OVER_FACTOR}.", 6)
            yield f"      past_patience: {{times: {_number(factor)}}}"

    def _restrictions(self) -> Iterator[str]:
        for person in self._engagement.people:
            if not person.off_limits:
                continue
            name = to_ours(person.id)
            yield f"    - id: off_limits_{name}"
            yield "      why: Off limits. The list price each time, whatever the count."
            yield f'      when: to == "{name}"'
            yield f"      charge: {{price: {_number(max(person.cost, 0))}}}"
        if self._as_recorded:
            yield f"    - id: {RECOUNT}"
            yield "      why: The people server counted otherwise, after a restart or a failure. Its charge stands."
            yield f"      when: {ASKED} != nth"
            yield f"      charge: {{price: {RECORDED}}}"

    def trials(self, trials: Trials) -> Iterator[str]:
        yield "trials:"
        yield from _comment("Whether there are trials at all is not in npcs.json but in pilot.py.", 2)
        if trials.fails:
            yield from self._warn(f"in pilot, {trials.fails}: there each trial fails, unlogged and free", 2)
        else:
            yield from _comment(
                f"Their max_runs is {shown(trials.max_runs)}: later ones are refused, unlogged and free.", 2
            )
        if any(price < 0 for price in trials.prices):
            yield from self._warn("a trial has a cost below zero, a credit; no charge is below zero here", 2)
        yield "  count: true"
        yield f"  prices: [{', '.join(_number(max(price, 0)) for price in trials.prices)}]"
        yield from _as_recorded("A trial may cost more than its list price; only the log knows how much.")
        yield ""

    def waiting(self, clock: Clock | None) -> Iterator[str]:
        if clock is None:
            yield from _comment("There is no clock in npcs.json, so nobody can wait.")
            yield ""
            return
        yield "waiting:"
        if clock.settings:
            words = ", ".join(f"{key}: {shown(value)}" for key, value in clock.settings.items())
            yield from _comment(f"Their calendar: {words}. No price goes by it.", 2)
        if clock.fails:
            yield from self._warn(f"{clock.fails}: there each wait fails, unlogged and free", 2)
        if clock.price_per_day < 0:
            words = f"wait_cost_per_day is {_number(clock.price_per_day)}, a credit; no charge is below zero here"
            yield from self._warn(words, 2)
        yield "  count: true"
        yield f"  price_per_day: {_number(max(clock.price_per_day, 0))}"
        yield from _as_recorded("The log has no exact hours, and each wait's cost in it is rounded to 4 places.")
        yield ""

    def tests(self, direction: Direction) -> Iterator[str]:
        """Two tests: a delivery for nothing, and the first message to each, up to a number pleasant to read."""
        reference = 1 if direction == "higher" else -1
        charges = {person.id: charge for person in self._engagement.people if (charge := _first_charge(person))}
        few = dict(list(charges.items())[:_MOST_TESTED])
        yield "tests:"
        yield "  - name: the oracle's delivery, without asking anybody"
        yield "    run:"
        yield f"      kpi: {{baseline: 0, delivered: {reference}, reference: {reference}}}"
        yield "    expect: {score: 1, resolved: true}"
        yield "  - name: first messages, and a trial as it was recorded"
        yield "    run:"
        yield f"      kpi: {{baseline: 0, delivered: {reference}, reference: {reference}}}"
        yield "      events:"
        for identifier in few:
            asked = f", {ASKED}: 1" if self._as_recorded else ""
            yield f"        - {{type: contact, to: {_id(to_ours(identifier))}{asked}}}"
        yield f"        - {{type: trial, {RECORDED}: 0.01}}"
        yield f"    expect: {{charges: [{', '.join([*few.values(), '0.01'])}]}}"


_LIMIT_WORDS: Final = {
    "patience": "after so many answers every further message is unanswered and free.",
    "gone_after_hours": "from then on the calendar finds nobody there, and messages are free.",
    "gone_at": "from then on nobody is there, and messages are free.",
    "gone_after_asks": "after so many answers of all people together nobody is there, and messages are free.",
}


def _as_recorded(why: str) -> Iterator[str]:
    yield "  restrictions:"
    yield f"    - id: {RECORDED}  {_ALLOW}"
    yield f"      why: {why}"
    yield f"      charge: {{price: {RECORDED}}}"


def _first_charge(person: Person) -> str | None:
    """What the first message to somebody costs; None where that has more digits than a ruleset takes."""
    charge = Decimal(max(person.cost, 0))
    if person.soft_limit is not None and person.soft_limit < 1 and not person.off_limits:
        charge = _EXACTLY.multiply(charge, Decimal(max(person.over_factor or 0, 0)))
    try:
        return _number(take_number(charge))
    except NumberError:
        return None


def _id(name: str) -> str:
    """The id as YAML takes it for text: some words need quotes."""
    return f'"{name}"' if name in SPECIAL_WORDS else name


def _number(value: Number) -> str:
    """The number as a ruleset writes it."""
    if isinstance(value, Decimal):
        return format(value, "f")
    digits = str(value)
    short = digits.rstrip("0")
    # Many zeros would count as digits, of which a ruleset's number has at most forty.
    return f"{short}e{len(digits) - len(short)}" if len(digits) - len(short) > 15 else digits


def _comment(words: str, indent: int = 0) -> Iterator[str]:
    """Comment lines, wrapped."""
    start = " " * indent + "#"
    line = start
    for word in words.split():
        if len(line) + 1 + len(word) > _WIDTH and line != start:
            yield line
            line = start
        line += f" {word}"
    yield line
