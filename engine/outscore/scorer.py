"""Plan -> Scorer: a run's record to its Score.

A Scorer is immutable and may be used from many threads. It does no I/O, no parsing of rules, reads no clock and draws
no random number; the same run gives the same score, whichever of its two paths judged it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

from outscore.account import Account
from outscore.diagnostics import Code, RunError, nearest
from outscore.fastpath import Fast, generate, generate_for_json
from outscore.formula import is_improvement, judge
from outscore.jsontext import read_json
from outscore.ledger import Ledger, Tariff
from outscore.lowering import Value, rational_function
from outscore.numbers import brief
from outscore.plan import Plan, Values
from outscore.prices import PriceSheet, price_sheet
from outscore.run import Run, Void, read_run
from outscore.score import Score, finish
from outscore.times import load_zone


class Scorer:
    """Scores the runs of one scenario; made from a Plan, which is all that pickling carries."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._fast: Fast = generate(plan)

    @property
    def plan(self) -> Plan:
        """The checked rules."""
        return self._plan

    @property
    def scenario(self) -> str:
        """The id of the scenario whose runs this scores."""
        return self._plan.scenario

    @property
    def digest(self) -> str:
        """The digest of the rules' meaning, which every score carries as `ruleset`."""
        return self._plan.digest

    @property
    def fast(self) -> Fast:
        """The generated functions, for those who price a run while it goes on."""
        return self._fast

    @property
    def tariff(self) -> Tariff:
        """The rules of the general path, for the same: what the generated functions give way to."""
        return self._exact_rules.tariff

    @cached_property
    def _score_json(self) -> Callable[[bytes], Score]:
        # Made when first needed, as the exact rules are.
        return generate_for_json(self._plan)

    @cached_property
    def _exact_rules(self) -> _ExactRules:
        # Made when first needed: most runs never are judged on this path.
        return _ExactRules(self._plan)

    def price_sheet(self) -> PriceSheet:
        """What events cost by these rules, before any run is seen."""
        return price_sheet(self._plan)

    def score(self, run: Mapping[str, Any] | bytes | str | Run | Void) -> Score | Void:
        """Score one run: a record (plain data), its JSON text, or a Run or Void that was read before.

        A void run comes back as Void. Raises RunError, with the run's id, the place and a code, for a run that cannot
        be scored.
        """
        try:
            if run.__class__ is dict:
                return self._fast.score(run)
            return self._score_json(run.encode() if isinstance(run, str) else run)  # type: ignore[arg-type]
        except Exception:
            # Whatever the fast path stumbled over, the general path judges anew: it alone has words for it.
            return self._score_strictly(run)

    def _score_strictly(self, run: Mapping[str, Any] | bytes | str | Run | Void) -> Score | Void:
        if isinstance(run, Run):
            _check_origin(run, self._plan)
            return self._judge(run)
        if isinstance(run, Void):
            _check_scenario(run, self._plan)
            return run
        if isinstance(run, bytearray | memoryview):
            run = bytes(run)
        record: object = run
        if isinstance(run, bytes | str):
            record = read_json(run)
            try:
                return self._fast.score(record)
            except Exception:
                pass  # As in `score`.
        read = read_run(record, self._plan)
        return read if isinstance(read, Void) else self._judge(read)

    def score_many(
        self, runs: Iterable[Mapping[str, Any] | bytes | str | Run | Void]
    ) -> Iterator[Score | Void | RunError]:
        """Score runs in the order given; a bad run comes as its RunError, and never stops the others."""
        for run in runs:
            try:
                yield self.score(run)
            except RunError as error:
                yield error

    def _judge(self, run: Run) -> Score:
        """The general path: every rule over exact rationals, event by event."""
        rules = self._exact_rules
        try:
            gain, span, found = rules.measure(run)
            ledger = Ledger(rules.tariff)
            for event in run.events:
                ledger.charge(event)
            unknown = [name for name in run.incidents if name not in self._plan.incidents]
            incidents = tuple(dict.fromkeys((*run.incidents, *found)))
            account = Account.of(ledger.charges)
            cost = account.total()
            figures = judge(
                gain.numerator * span.denominator,
                span.numerator * gain.denominator,
                bool(incidents),
                cost.numerator,
                cost.denominator,
            )
            warnings = tuple(unknown_incident(name, self._plan) for name in unknown)
            scenario, digest = self._plan.scenario, self._plan.digest
            return finish(run.run, scenario, run.task, run.agent, figures, incidents, warnings, account, digest)
        except OverflowError:
            message = "a figure of this run lies beyond the range of double numbers"
            raise RunError(Code.RESULT_TOO_LARGE, message, run=run.run) from None
        except RunError as error:
            if error.run is not None:
                raise
            raise RunError(error.code, error.message, path=error.path, hint=error.hint, run=run.run) from None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scorer) and self._plan == other._plan

    def __hash__(self) -> int:
        return hash(self._plan.digest)

    def __repr__(self) -> str:
        return f"Scorer({self.scenario!r}, {self.digest!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Scorer, (self._plan,)


def _check_origin(run: Run, plan: Plan) -> None:
    """Refuse a Run that other rules than these have read, where its form shows it; raises RunError."""
    _check_scenario(run, plan)
    hint = "read the run's record with the ruleset that scores it"
    pinned = {"baseline": plan.kpi.pinned_baseline, "delivered": None, "reference": plan.kpi.pinned_reference}
    for system, fixed in pinned.items():
        found = getattr(run, system)
        if set(found if isinstance(found, dict) else ()) != set(plan.kpi.measures):
            message = "the run was read by other rules: its measures are not those of this ruleset"
            raise RunError(Code.WRONG_TYPE, message, path=f"$.kpi.{system}", hint=hint, run=run.run)
        if fixed is not None and found != fixed:
            message = "the run was read by other rules: this ruleset pins other values"
            raise RunError(Code.PINNED_MISMATCH, message, path=f"$.kpi.{system}", hint=hint, run=run.run)


def _check_scenario(run: Run | Void, plan: Plan) -> None:
    if run.scenario != plan.scenario:
        message = f"the run is of scenario {run.scenario!r}, the ruleset of {plan.scenario!r}"
        hint = "read the run's record with the ruleset that scores it"
        raise RunError(Code.WRONG_SCENARIO, message, path="$.scenario", hint=hint, run=run.run)


def unknown_incident(name: str, plan: Plan) -> str:
    """The warning about a reported name that the rules do not declare."""
    near = nearest(name, plan.incidents)
    hint = f"; did you mean {near!r}?" if near else ""
    return f"incident {name!r} is reported, but the ruleset does not know it; it counts all the same{hint}"


class _ExactRules:
    """What the general path needs of a plan."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.tariff = Tariff(plan, load_zone(plan.timezone) if plan.timezone else None)
        formula = plan.kpi.formula
        self._formula: Callable[[Mapping[str, Value]], Value] | None = rational_function(formula) if formula else None
        self._found = {name: rational_function(when) for name, when in sorted(plan.incidents.items()) if when}

    def measure(self, run: Run) -> tuple[Fraction, Fraction, list[str]]:
        """D - B, R - B, and the incidents found; raises RunError."""
        values: dict[str, Value] = {}
        kpis = []
        for system, measured in (
            ("baseline", run.baseline),
            ("delivered", run.delivered),
            ("reference", run.reference),
        ):
            kpi = self._kpi(measured, system)
            if isinstance(measured, dict):
                values |= {f"{system}.{measure}": value for measure, value in measured.items()}
            values[f"{system}.kpi"] = kpi
            kpis.append(kpi)
        baseline, delivered, reference = kpis
        direction = self._plan.kpi.direction
        if not is_improvement(baseline, reference, direction):
            fault = "equals" if reference == baseline else "is worse than"
            message = (
                f"the reference ({brief(reference)}) {fault} the baseline ({brief(baseline)}); better is {direction}"
            )
            hint = "a score needs an expert who improved on the unchanged system"
            raise RunError(Code.REFERENCE_NOT_BETTER, message, path="$.kpi.reference", hint=hint)
        found = []
        for name, when in self._found.items():
            try:
                if when(values):
                    found.append(name)
            except ZeroDivisionError:
                message = f"the rule of incident {name!r} divides by zero on this run"
                raise RunError(Code.DIVISION_BY_ZERO, message, path="$.kpi") from None
        return delivered - baseline, reference - baseline, found

    def _kpi(self, measured: Values, system: str) -> Fraction:
        if self._formula is None:
            assert isinstance(measured, Fraction)
            return measured
        assert isinstance(measured, dict)
        try:
            return Fraction(self._formula(measured))
        except ZeroDivisionError:
            message = f"kpi.formula divides by zero on the {system} measures"
            raise RunError(Code.DIVISION_BY_ZERO, message, path=f"$.kpi.{system}") from None
