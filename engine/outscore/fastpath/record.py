"""Plan -> source of `measure` and `score`: a run's record to its Score."""

from __future__ import annotations

from outscore.fastpath.events import EventsWriter
from outscore.fastpath.support import KPI_SCALE
from outscore.lowering import Lowering, Piece
from outscore.plan import Values


class RecordWriter(EventsWriter):
    """Writes the functions that measure and score a record."""

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
        put(1, 'kpi = record["kpi"]')
        # Measures come with more decimals than a scale holds, more often than prices or hours do.
        put(1, "try:")
        put(2, "gain, span, found = measure(kpi)")
        put(1, "except Exception:")
        put(2, "gain, span, found = measure_exactly(kpi)")
        self._reported_incidents()
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

    def _reported_incidents(self) -> None:
        put = self.put
        put(1, 'incidents = get("incidents")', "if incidents is None:")
        put(2, "incidents = found")
        put(1, "else:")
        put(2, "n += 1", "if incidents.__class__ is not list:")
        put(3, "raise Unproven")
        put(2, "for name in incidents:")
        # A name that is unknown, or reported twice, wants a warning or a second look.
        put(3, f"if name not in {self.lowering.bind(frozenset(self.plan.incidents))} or incidents.count(name) > 1:")
        put(4, "raise Unproven")
        put(2, "incidents = incidents + [name for name in found if name not in incidents]")

    def measure_function(self, name: str, *, is_scaled: bool) -> None:
        """Write the function from `kpi` to D - B and R - B in one unit, and the incidents found."""
        put, kpi = self.put, self.plan.kpi
        pinned = {"baseline": kpi.pinned_baseline, "delivered": None, "reference": kpi.pinned_reference}
        put(0, f"def {name}(kpi):")
        put(1, "n = 0")
        self.pieces = {}
        for system, fixed in pinned.items():
            if fixed is None:
                put(1, "n += 1", f'values = kpi["{system}"]')
                self._read_values(1, system, is_scaled=is_scaled)
            else:
                # A pinned system may be reported all the same, and then must be equal.
                put(1, f'if "{system}" in kpi:')
                put(2, "n += 1", f'values = kpi["{system}"]')
                read = self._read_values(2, system, is_scaled=is_scaled)
                self._pin(system, fixed, read)
        put(1, "if len(kpi) != n:")
        put(2, "raise Unproven")
        results = [self._kpi_of(system) for system in pinned]
        baseline, delivered, reference = self.lowering.alike(results)
        put(1, f"gain = {delivered.source} - {baseline.source}", f"span = {reference.source} - {baseline.source}")
        put(1, f"if not span {'>' if kpi.direction == 'higher' else '<'} 0:")
        put(2, "raise Unproven")
        if not delivered.scale:
            put(1, "gain, span = Fraction(gain), Fraction(span)")
            put(1, "gain, span = gain.numerator * span.denominator, span.numerator * gain.denominator")
        self._found_incidents()
        put(1, "return gain, span, found", "")

    def _read_values(self, depth: int, system: str, *, is_scaled: bool) -> list[str]:
        """Read one system's measures, or its KPI, into variables, and say what its names mean; gives the variables."""
        put, measures = self.put, self.plan.kpi.measures
        variables = []
        for index, measure in enumerate(measures or ("kpi",)):
            variable = f"{system}_{index}"
            put(depth, f"{variable} = values" + (f"[{self.lowering.bind(measure)}]" if measures else ""))
            if is_scaled:
                self.scale_in(depth, variable, KPI_SCALE)
            else:
                put(depth, f"{variable} = exact({variable})")
            self.pieces[f"{system}.{measure}"] = Piece(variable, KPI_SCALE if is_scaled else 0)
            variables.append(variable)
        if measures:
            put(depth, f"if len(values) != {len(measures)}:")
            put(depth + 1, "raise Unproven")
        return variables

    def _pin(self, system: str, fixed: Values, variables: list[str]) -> None:
        """Hold what was reported against what is pinned, and let the names mean what is pinned."""
        for variable, measure in zip(variables, self.plan.kpi.measures or ("kpi",), strict=True):
            value = fixed[measure] if isinstance(fixed, dict) else fixed
            name = f"{system}.{measure}"
            scale = self.pieces[name].scale or 1
            self.put(2, f"if {variable} * {value.denominator} != {value.numerator * scale}:")
            self.put(3, "raise Unproven")
            self.pieces[name] = Piece(f"({value.numerator})", value.denominator, value.numerator)

    def _kpi_of(self, system: str) -> Piece:
        """The KPI of one system: reported, or computed from its measures."""
        kpi = self.plan.kpi
        if kpi.formula is not None:
            names = {measure: self.pieces[f"{system}.{measure}"] for measure in kpi.measures}
            piece = self._within(names).lower(kpi.formula)
            self.put(1, f"{system} = {piece.source}")
            self.pieces[f"{system}.kpi"] = Piece(system, piece.scale)
        return self.pieces[f"{system}.kpi"]

    def _within(self, names: dict[str, Piece]) -> Lowering:
        """The same lowering, with a formula's names for one system."""
        inner = Lowering(lambda name: names[name.name], scaled=True)
        inner.constants = self.lowering.constants
        return inner

    def _found_incidents(self) -> None:
        put = self.put
        put(1, "found = []")
        for name, when in sorted(self.plan.incidents.items()):
            if when is not None:
                put(1, f"if {self.lowering.lower(when).source}:")
                put(2, f"found.append({self.lowering.bind(name)})")
