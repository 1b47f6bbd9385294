"""Plan -> source of `score`: a run's record to its Score."""

from __future__ import annotations

from outscore.fastpath.events import EventsWriter
from outscore.fastpath.support import KPI_SCALE
from outscore.lowering import Lowering, Piece
from outscore.plan import Values


class RecordWriter(EventsWriter):
    """Writes the function that scores a record."""

    def score_function(self) -> None:
        put, bind = self.put, self.lowering.bind
        put(0, "def score(record):")
        put(1, "get = record.get", "n = 3", 'run = record["run"]')
        put(1, "if run.__class__ is not str or not run or not (run.isascii() or is_unicode(run)):")
        put(2, "raise Unproven")
        put(1, f'if record["scenario"] != {bind(self.plan.scenario)}:')
        put(2, "raise Unproven")
        for key in ("task", "agent", "data"):
            put(1, f'{key} = get("{key}")', f"if {key} is not None:")
            put(
                2,
                "n += 1",
                f"if {key}.__class__ is not str or not {key} or not ({key}.isascii() or is_unicode({key})):",
            )
            put(3, "raise Unproven")
        put(1, "if task is None:")
        put(2, f"task = {bind(self.plan.scenario)}")
        self._kpi()
        self._incidents()
        put(1, 'events = get("events")', "counts = start()", "if events is None:")
        put(2, "entries = []", "total = 0")
        put(1, "else:")
        put(2, "n += 1", "if events.__class__ is not list:")
        put(3, "raise Unproven")
        put(2, "entries, total = price(events, counts)")
        put(1, "if len(record) != n:")
        put(2, "raise Unproven")
        scenario, digest = bind(self.plan.scenario), bind(self.plan.digest)
        put(1, f"figures = judge(gain, span, incidents, total, {self.quanta})")
        put(1, "account = Account(entries, read)")
        put(1, f"return finish(run, {scenario}, task, agent, figures, tuple(incidents), (), account, {digest})", "")

    def _kpi(self) -> None:
        put, kpi = self.put, self.plan.kpi
        pinned = {"baseline": kpi.pinned_baseline, "delivered": None, "reference": kpi.pinned_reference}
        put(1, 'kpi = record["kpi"]', f"if len(kpi) != {sum(value is None for value in pinned.values())}:")
        put(2, "raise Unproven")
        self.pieces = {}
        results = []
        for system, fixed in pinned.items():
            for measure in kpi.measures or ("kpi",):
                self.pieces[f"{system}.{measure}"] = self._measured(system, measure, fixed)
            if kpi.measures:
                if fixed is None:
                    put(1, f'if len(kpi["{system}"]) != {len(kpi.measures)}:')
                    put(2, "raise Unproven")
                assert kpi.formula is not None
                names = {measure: self.pieces[f"{system}.{measure}"] for measure in kpi.measures}
                piece = Lowering.lower(self._within(names), kpi.formula)
                put(1, f"{system} = {piece.source}")
                self.pieces[f"{system}.kpi"] = Piece(system, piece.scale)
            results.append(self.pieces[f"{system}.kpi"])
        baseline, delivered, reference = self.lowering.alike(results)
        put(1, f"gain = {delivered.source} - {baseline.source}", f"span = {reference.source} - {baseline.source}")
        put(1, f"if not span {'>' if kpi.direction == 'higher' else '<'} 0:")
        put(2, "raise Unproven")
        if not delivered.scale:
            put(1, "gain, span = Fraction(gain), Fraction(span)")
            put(1, "gain, span = gain.numerator * span.denominator, span.numerator * gain.denominator")

    def _within(self, names: dict[str, Piece]) -> Lowering:
        """The same lowering, with a formula's names for one system."""
        inner = Lowering(lambda name: names[name.name], scaled=True)
        inner.constants = self.lowering.constants
        return inner

    def _measured(self, system: str, measure: str, fixed: Values | None) -> Piece:
        if fixed is not None:
            value = fixed[measure] if isinstance(fixed, dict) else fixed
            return Piece(f"({value.numerator})", value.denominator, value.numerator)
        variable = f"{system}_{len(self.pieces)}"
        place = f'kpi["{system}"]' + (f"[{self.lowering.bind(measure)}]" if self.plan.kpi.measures else "")
        self.put(1, f"{variable} = {place}")
        self.scale_in(1, variable, KPI_SCALE)
        return Piece(variable, KPI_SCALE)

    def _incidents(self) -> None:
        put, rules = self.put, self.plan.incidents
        put(1, 'incidents = get("incidents")', "if incidents is None:")
        put(2, "incidents = []")
        put(1, "else:")
        put(2, "n += 1", "if incidents.__class__ is not list:")
        put(3, "raise Unproven")
        put(2, "incidents = incidents[:]", "for name in incidents:")
        # A name that is unknown, or reported twice, wants a warning or a second look.
        put(3, f"if name not in {self.lowering.bind(frozenset(rules))} or incidents.count(name) > 1:")
        put(4, "raise Unproven")
        for name in sorted(rules):
            when = rules[name]
            if when is not None:
                constant = self.lowering.bind(name)
                put(1, f"if {self.lowering.lower(when).source} and {constant} not in incidents:")
                put(2, f"incidents.append({constant})")
