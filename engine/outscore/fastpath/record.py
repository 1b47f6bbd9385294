"""Plan -> source of `measure` and `score`: a run's record to its Score."""

from __future__ import annotations

from outscore.fastpath.events import EventsWriter
from outscore.fastpath.support import KPI_SCALE
from outscore.fastpath.writer import attribute
from outscore.lowering import Lowering, Piece
from outscore.plan import Values
from outscore.run import MAX_EVENTS


class RecordWriter(EventsWriter):
    """Writes the functions that measure and score a record."""

    def score_function(self) -> None:
        put, bind = self.put, self.lowering.bind
        if self.typed:
            put(0, "def score(text):")
            put(1, "quotes = quotes_in(text)", "record = decode(text)")
        else:
            put(0, "def score(record):")
        put(1, *(() if self.typed else ("get = record.get",)), f"n = {self.passed(3, 2)}")
        put(1, f"run = {self.needed('record', 'run')}")
        self.refuse(1, self.no_text("run"), "not run")
        self.refuse(1, f"{self.needed('record', 'scenario')} != {bind(self.plan.scenario)}")
        for key in ("task", "agent", "data"):
            put(1, f"{key} = {self.optional('record', key)}", f"if {key} is not None:")
            put(2, f"n += {self.passed(1, 1)}")
            self.refuse(2, self.no_text(key), f"not {key}")
        put(1, "if task is None:")
        put(2, f"task = {bind(self.plan.scenario)}")
        put(1, f"kpi = {self.needed('record', 'kpi')}")
        # Measures come with more decimals than a scale holds, more often than prices or hours do.
        put(1, "try:")
        put(2, "gain, span, found, kpi_quoted = measure(kpi)")
        put(1, "except Exception:")
        put(2, "gain, span, found, kpi_quoted = measure_exactly(kpi)")
        self._reported_incidents()
        put(1, f"events = {self.optional('record', 'events')}", "if events is None:")
        put(2, "entries = []", "total = quoted = 0")
        put(1, "else:")
        put(2, "n += 1")
        self.refuse(2, "" if self.typed else "events.__class__ is not list", f"len(events) > {MAX_EVENTS}")
        put(2, "entries, total, quoted = price(events, start())")
        self.refuse(1, "2 * (n + kpi_quoted + quoted) != quotes" if self.typed else "len(record) != n")
        scenario, digest = bind(self.plan.scenario), bind(self.plan.digest)
        put(1, f"figures = judge(gain, span, incidents, total, {self.quanta})")
        # What was decoded is nobody else's, and can be priced again when somebody looks at the account; a record that
        # was handed over may have changed by then.
        put(1, f"account = Account({'entries' if self.recording else 'events or []'}, read)")
        put(1, f"return finish(run, {scenario}, task, agent, figures, tuple(incidents), (), account, {digest})", "")

    def _reported_incidents(self) -> None:
        put = self.put
        put(1, f"incidents = {self.optional('record', 'incidents')}", "if incidents is None:")
        put(2, "incidents = found")
        put(1, "else:")
        put(2, "n += 1 + len(incidents)" if self.typed else "n += 1")
        self.refuse(2, "" if self.typed else "incidents.__class__ is not list")
        put(2, "for name in incidents:")
        # A name that is unknown, or reported twice, wants a warning or a second look.
        known = self.lowering.bind(frozenset(self.plan.incidents))
        no_text = "" if self.typed else "name.__class__ is not str"
        self.refuse(3, no_text, f"name not in {known}", "incidents.count(name) > 1")
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
                put(1, "n += 1", f"values = {self.needed('kpi', system)}")
                self._read_values(1, system, is_scaled=is_scaled)
            else:
                # A pinned system may be reported all the same, and then must be equal.
                there = f"kpi.{attribute(system)} is not None" if self.typed else f'"{system}" in kpi'
                put(1, f"if {there}:")
                put(2, "n += 1", f"values = {self.needed('kpi', system)}")
                read = self._read_values(2, system, is_scaled=is_scaled)
                self._pin(system, fixed, read)
        self.refuse(1, "" if self.typed else "len(kpi) != n")
        results = [self._kpi_of(system) for system in pinned]
        baseline, delivered, reference = self.lowering.alike(results)
        put(1, f"gain = {delivered.source} - {baseline.source}", f"span = {reference.source} - {baseline.source}")
        self.refuse(1, f"not span {'>' if kpi.direction == 'higher' else '<'} 0")
        if not delivered.scale:
            put(1, "gain, span = Fraction(gain), Fraction(span)")
            put(1, "gain, span = gain.numerator * span.denominator, span.numerator * gain.denominator")
        self._found_incidents()
        quoted = f"n * {1 + len(kpi.measures)}" if kpi.measures else "n"
        put(1, f"return gain, span, found, {quoted}", "")

    def _read_values(self, depth: int, system: str, *, is_scaled: bool) -> list[str]:
        """Read one system's measures, or its KPI, into variables, and say what its names mean; gives the variables."""
        put, measures = self.put, self.plan.kpi.measures
        variables = []
        for index, measure in enumerate(measures or ("kpi",)):
            variable = f"{system}_{index}"
            put(depth, f"{variable} = {self.needed('values', measure) if measures else 'values'}")
            if is_scaled:
                self.scale_in(depth, variable, KPI_SCALE)
            else:
                put(depth, f"{variable} = exact({variable})")
            self.pieces[f"{system}.{measure}"] = Piece(variable, KPI_SCALE if is_scaled else 0)
            variables.append(variable)
        if measures and not self.typed:
            self.refuse(depth, f"len(values) != {len(measures)}")
        return variables

    def _pin(self, system: str, fixed: Values, variables: list[str]) -> None:
        """Hold what was reported against what is pinned, and let the names mean what is pinned."""
        for variable, measure in zip(variables, self.plan.kpi.measures or ("kpi",), strict=True):
            value = fixed[measure] if isinstance(fixed, dict) else fixed
            name = f"{system}.{measure}"
            scale = self.pieces[name].scale or 1
            self.refuse(2, f"{variable} * {value.denominator} != {value.numerator * scale}")
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
