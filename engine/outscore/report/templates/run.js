// One run -> what is known of it: the verdict, a waterfall, and the bill.

let opened = null;

function waterfallBars(run) {
  const bars = [{ name: "uplift", from: 0, to: run.uplift, kind: "total" }];
  let level = run.uplift;
  if (run.incidents.length) {
    bars.push({ name: "incident", from: level, to: run.adjusted, kind: "change" });
    level = run.adjusted;
  }
  let fine = level * (FINE / UNITS);
  for (const [payee, cost] of run.costs) {
    const next = fine - cost;
    bars.push({ name: source.payees[payee][1], from: fine / (FINE / UNITS), to: next / (FINE / UNITS), kind: "change", cost });
    fine = next;
  }
  bars.push({ name: "score", from: 0, to: run.score, kind: "total" });
  return bars;
}

function barWords(bar) {
  if (bar.kind === "total") return decimal(bar.to);
  if (bar.cost !== undefined) return `-${decimal(fineToUnits(bar.cost))}`;
  return decimal(bar.to - bar.from);
}

function drawWaterfall(run) {
  const bars = waterfallBars(run);
  const positions = bars.map((_, position) => position);
  const tone = (bar) => (bar.kind === "total" ? colour("neutral") : bar.to < bar.from ? colour("bad") : colour("good"));
  const trace = {
    type: "bar", orientation: "h", y: positions, base: bars.map((bar) => bar.from / UNITS),
    x: bars.map((bar) => (bar.to - bar.from) / UNITS), marker: { color: bars.map(tone) }, width: 0.62,
    customdata: bars.map(barWords), hovertemplate: "%{customdata}<extra></extra>",
  };
  const ends = bars.flatMap((bar) => [bar.from / UNITS, bar.to / UNITS]).concat([0, 0.8]);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const room = (high - low) * 0.16;
  const links = bars.slice(0, -1).map((bar, position) => ({
    type: "line", x0: bar.to / UNITS, x1: bar.to / UNITS, y0: position + 0.31, y1: position + 0.69, line: { color: colour("quiet"), width: 1 },
  }));
  const mark = markLine("x");
  // The line at the mark may pass behind a label, and must not cross out a sign.
  const labels = bars.map((bar, position) => ({
    x: Math.max(bar.from, bar.to) / UNITS, y: position, text: barWords(bar), showarrow: false, xanchor: "left", xshift: 4,
    font: { color: colour("text") }, bgcolor: colour("ground"),
  }));
  return draw("run-chart", [trace], {
    height: 80 + 34 * bars.length, shapes: [...mark.shapes, ...links], annotations: [...mark.annotations, ...labels],
    xaxis: { range: [low - room / 4, high + room], zerolinecolor: colour("quiet") },
    yaxis: { tickvals: positions, ticktext: bars.map((bar) => plain(bar.name, 18)), range: [bars.length - 0.4, -0.6], zeroline: false, showgrid: false },
  }, `Waterfall from uplift to score: ${bars.map((bar) => `${bar.name} ${barWords(bar)}`).join(", ")}.`);
}

function facts(pairs) {
  return make("dl", { class: "facts" }, ...pairs.filter(([, value]) => value !== "" && value !== undefined)
    .flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
}

function eventCell([type, to, nth, hours]) {
  const words = [type, to === null ? "" : ` with ${to}`, hours === null ? "" : ` of ${hours} h`, nth === null ? "" : `, number ${nth}`];
  return words.join("");
}

function stepLines([, , , , , free, steps]) {
  if (free !== null) return [make("span", { class: "quiet" }, free)];
  const lines = steps.map(([rule, kind, operand, running]) =>
    make("div", {}, make("code", {}, source.rules[rule]), `: ${kind} ${operand}`, steps.length > 1 ? `, makes ${running}` : ""));
  return [make("div", { class: "steps" }, ...lines)];
}

function billTable(run) {
  if (run.bill === null) {
    return make("p", { class: "hint" }, "This run's bill was left out to keep the report small: it is one of the longest. "
      + "outscore explain shows it.");
  }
  if (run.bill.length === 0) return make("p", { class: "hint" }, "No event.");
  const rows = run.bill.map((number, position) => {
    const item = source.items[number];
    return [String(position + 1), eventCell(item), stepLines(item), item[4]];
  });
  rows.push(["", make("strong", {}, "contact cost"), "", make("strong", {}, exactWords(run.cost, run.exact[1]))]);
  return table([["#", true], ["Event", false], ["Rules", false], ["Charge", true]], rows, "Bill", "bill");
}

const exactWords = (units, exact) => (exact === null ? decimal(units) : `${decimal(units)} (${exact})`);

function runBody(run) {
  const about = [["Agent", run.agentName], ["Scenario", run.scenarioName], ["Task", run.taskName]];
  const verdict = make("p", { class: "verdict" }, outcomeMark(run));
  if (!run.isScored) return [verdict, facts([...about, ["Why", run.why], ["Run at", run.place]])];
  const gap = run.score - MARK;
  const distance = gap === 0 && run.exact[2] === null ? "exactly 0.8" : gap >= 0 ? `${decimal(gap)} above 0.8` : `${decimal(-gap)} short of 0.8`;
  verdict.append(`: ${decimal(run.score)}, ${distance}`);
  const incidents = run.incidents.map((number) => source.incidents[number]).join(", ");
  return [
    verdict,
    facts([...about, ["Incidents", incidents], ["Warnings", run.warnings.join("; ")]]),
    make("div", { class: "chart", id: "run-chart" }),
    make("h3", {}, "Figures"),
    table([["Figure", false], ["Value", true]], [
      ["Uplift", exactWords(run.uplift, run.exact[0])],
      ...(run.incidents.length ? [["Adjusted uplift", run.adjusted === run.uplift ? exactWords(run.uplift, run.exact[0]) : decimal(run.adjusted)]] : []),
      ["Contact cost", exactWords(run.cost, run.exact[1])],
      ["Score", exactWords(run.score, run.exact[2])],
    ], "Figures"),
    make("h3", {}, "Bill"),
    billTable(run),
    make("p", { class: "hint" }, "Ruleset ", make("code", {}, source.rulesets[run.ruleset])),
  ];
}

function openRun(run) {
  opened = run;
  find("run-title").textContent = `Run ${run.name}`;
  find("run-body").replaceChildren(...runBody(run));
  if (!find("run").open) find("run").showModal();
  find("run").scrollTop = 0;
  if (run.id !== null) history.replaceState(null, "", `#run=${encodeURIComponent(run.id)}`);
  if (run.isScored && window.Plotly) drawWaterfall(run);
}

function openNamed() {
  const found = /^#run=(.*)$/.exec(location.hash);
  if (!found) return;
  let id = found[1];
  try {
    id = decodeURIComponent(id);
  } catch {
    // Not written by us; taken as it stands.
  }
  const run = runs.find((each) => each.id === id);
  if (run) openRun(run);
}

function startRun() {
  const dialog = find("run");
  find("close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => {
    opened = null;
    history.replaceState(null, "", location.pathname + location.search);
  });
  window.addEventListener("hashchange", openNamed);
}
