// The runs that are shown -> charts. Each has the same content as a table or in words, for whoever does not see it.

const COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#B58900", "#56B4E9", "#8C6BB1", "#7F7F7F"];
const BIN = 500;
const LOWEST = -10000;
const HIGHEST = 12000;
const POINTS = 1000;

const probe = make("span", { hidden: true });
document.body.append(probe);

function colour(name) {
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}

// The library reads some markup in texts; ours have none.
function plain(text, length = 26) {
  const short = text.length > length ? `${text.slice(0, length - 1)}…` : text;
  return short.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function draw(id, traces, layout, words) {
  const axis = { color: colour("quiet"), gridcolor: colour("line"), zerolinecolor: colour("line"), automargin: true, fixedrange: true };
  const element = find(id);
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", words);
  return Plotly.react(element, traces, {
    font: { family: getComputedStyle(document.body).fontFamily, size: 12, color: colour("text") },
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", dragmode: false, hovermode: "closest",
    margin: { l: 10, r: 16, t: 24, b: 30 }, bargap: 0.08, showlegend: false,
    hoverlabel: { bgcolor: colour("raised"), bordercolor: colour("line"), font: { color: colour("text") } },
    ...layout,
    xaxis: { ...axis, ...layout.xaxis }, yaxis: { ...axis, ...layout.yaxis },
  }, { displayModeBar: false, responsive: true, scrollZoom: false, doubleClick: false });
}

// A line at the mark, across the whole chart, with its name.
function markLine(axis, { labelled = true } = {}) {
  const line = { color: colour("good"), width: 2, dash: "dash" };
  const across = axis === "x" ? { x0: 0.8, x1: 0.8, y0: 0, y1: 1, yref: "paper" } : { y0: 0.8, y1: 0.8, x0: 0, x1: 1, xref: "paper" };
  const label = { text: "0.8", showarrow: false, font: { color: colour("good") }, x: 0.8, y: 1, yref: "paper", yanchor: "bottom" };
  return { shapes: [{ type: "line", line, ...across }], annotations: labelled ? [label] : [] };
}

// Agents with their colours; past as many as can be told apart they share one.
function agentColours() {
  const names = [...new Set(runs.map((run) => run.agentName))].sort();
  return new Map(names.map((name, position) => [name, names.length > COLOURS.length ? COLOURS[0] : COLOURS[position]]));
}
const colours = agentColours();
const isTold = colours.size > 1 && colours.size <= COLOURS.length;

function byAgent(list) {
  const groups = new Map();
  for (const run of list) {
    const name = isTold || colours.size === 1 ? run.agentName : "all agents";
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(run);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

// Which colour is whose, where colours tell agents apart.
function legend(id, groups) {
  const items = groups.map(([name]) => {
    const patch = make("span", { "aria-hidden": "true" });
    patch.style.background = colours.get(name);
    return make("li", {}, patch, name);
  });
  find(id).previousElementSibling.replaceChildren(...(isTold ? items : []));
}

function drawBoard() {
  const rows = source.boards[boardShown()].rows.filter((row) => row[1] !== null);
  const ends = (row, sign, end) => (end === null ? 0 : sign * (end - row[1]));
  const positions = rows.map((row, position) => position);
  const trace = {
    type: "scatter", mode: "markers", x: rows.map((row) => row[1]), y: positions,
    marker: { size: 10, color: rows.map((row) => colours.get(row[0]) ?? COLOURS[0]) },
    error_x: {
      type: "data", symmetric: false, array: rows.map((row) => ends(row, 1, row[3])), color: colour("neutral"),
      arrayminus: rows.map((row) => ends(row, -1, row[2])), thickness: 2, width: 5,
    },
    text: rows.map((row) => plain(row[0], 60)), hovertemplate: "%{text}: %{x:.4f}<extra></extra>",
  };
  const words = rows.map((row) => `${row[0]} ${row[1].toFixed(4)}`).join(", ");
  find("board-chart").hidden = rows.length === 0;
  return draw("board-chart", [trace], {
    ...markLine("x"), height: 90 + 30 * rows.length,
    xaxis: { title: { text: "mean floored score" } },
    yaxis: { tickvals: positions, ticktext: rows.map((row) => plain(row[0])), range: [rows.length - 0.4, -0.6], zeroline: false, showgrid: false },
  }, `Mean floored scores with their intervals: ${words}. The table below has the numbers.`);
}

const binOf = (units) => (units < LOWEST ? -1 : Math.min(Math.floor((units - LOWEST) / BIN), (HIGHEST - LOWEST) / BIN));
const binWords = (bin) => {
  if (bin < 0) return "below -1.00";
  const from = (LOWEST + bin * BIN) / UNITS;
  return from >= HIGHEST / UNITS ? "1.20 and above" : `${from.toFixed(2)} to below ${(from + BIN / UNITS).toFixed(2)}`;
};

function drawScores() {
  const scored = shown.filter((run) => run.isScored);
  const bins = Array.from({ length: (HIGHEST - LOWEST) / BIN + 2 }, (_, position) => position - 1);
  const groups = byAgent(scored).map(([name, list]) => {
    const counts = new Array(bins.length).fill(0);
    for (const run of list) counts[binOf(run.score) + 1] += 1;
    return [name, counts];
  });
  const traces = groups.map(([name, counts]) => ({
    type: "bar", y: counts, x: bins.map((bin) => (LOWEST + (bin + 0.5) * BIN) / UNITS),
    width: (BIN / UNITS) * 0.94, marker: { color: colours.get(name) ?? COLOURS[0] },
    customdata: bins.map(binWords), hovertemplate: "%{customdata}: %{y}<extra></extra>",
  }));
  legend("scores-chart", groups);
  const above = scored.filter((run) => run.score >= MARK).length;
  const heads = [["Score", false], ...groups.map(([name]) => [name, true])];
  const kept = bins.filter((bin) => groups.some(([, counts]) => counts[bin + 1]));
  const rows = kept.map((bin) => [binWords(bin), ...groups.map(([, counts]) => count(counts[bin + 1]))]);
  find("scores-table").replaceChildren(table(heads, rows, "Scores by range"));
  return draw("scores-chart", traces, {
    ...markLine("x"), barmode: "stack", height: 300,
    xaxis: { title: { text: "score" }, range: [-1.06, 1.26], dtick: innerWidth < 640 ? 0.4 : 0.2 }, yaxis: { title: { text: "runs" } },
  }, `Distribution of ${count(scored.length)} scores; ${count(above)} are at least 0.8. The table below has the numbers.`);
}

const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

// Of very many runs those that would cover each other become one point in their middle, which is larger.
function points(list, isMany, width) {
  const cells = new Map();
  for (const run of list) {
    const [x, y] = [clamp(run.cost, 0, 15000), clamp(run.uplift, -15000, 15000)];
    const key = isMany ? `${Math.floor(x / width)}:${Math.floor(y / 1000)}` : run.index;
    const cell = cells.get(key);
    if (cell) cell.push(run);
    else cells.set(key, [run]);
  }
  const middle = (cell, name, low) => cell.reduce((sum, run) => sum + clamp(run[name], low, 15000), 0) / cell.length / UNITS;
  return [...cells.values()].map((cell) => ({ x: middle(cell, "cost", 0), y: middle(cell, "uplift", -15000), cell }));
}

function drawCloud() {
  const scored = shown.filter((run) => run.isScored);
  const isMany = scored.length > POINTS;
  const width = scored.reduce((most, run) => Math.max(most, clamp(run.cost, 0, 15000)), 100) / 80;
  const groups = byAgent(scored).map(([name, list]) => [name, points(list, isMany, width)]);
  const traces = groups.map(([name, made]) => ({
    type: "scatter", mode: "markers", x: made.map((point) => point.x), y: made.map((point) => point.y),
    marker: {
      color: colours.get(name) ?? COLOURS[0], opacity: isMany ? 0.6 : 0.85, line: { width: 0 },
      size: made.map((point) => (isMany ? 3 + 1.6 * Math.sqrt(point.cell.length) : 8)),
      symbol: made.map((point) => (point.cell.some((run) => run.outcome === "incident") && !isMany ? "x" : "circle")),
    },
    customdata: made.map((point) => point.cell[0].index),
    text: made.map(({ cell }) => (cell.length > 1 ? `${cell.length} runs, one is ${plain(cell[0].name)}` : plain(cell[0].name, 60))),
    hovertemplate: "%{text}<br>uplift %{y:.4f}, cost %{x:.4f}<extra></extra>",
  }));
  legend("cloud-chart", groups);
  const most = Math.max(0.1, ...groups.flatMap(([, made]) => made.map((point) => point.x)));
  const frontier = { type: "line", x0: 0, y0: 0.8, x1: most * 1.05, y1: 0.8 + most * 1.05, line: { color: colour("good"), width: 2, dash: "dash" } };
  find("cloud-hint").textContent = isMany
    ? "Runs that lie close together are one point, which is larger; filters bring out single ones."
    : "A cross is a run with an incident; a point opens its run.";
  return draw("cloud-chart", traces, {
    shapes: [frontier], height: 420, annotations: [],
    xaxis: { title: { text: "contact cost" }, range: [-0.02 * most, most * 1.05] }, yaxis: { title: { text: "uplift" } },
  }, `Uplift against contact cost of ${count(scored.length)} scored runs. The table of runs has the numbers.`).then((element) => {
    element.removeAllListeners?.("plotly_click");
    element.on("plotly_click", (event) => openRun(runs[event.points[0].customdata]));
  });
}

function drawPeople() {
  const groups = byAgent(shown.filter((run) => run.isScored)).map(([name, list]) => {
    const sums = new Array(source.payees.length).fill(0);
    for (const run of list) for (const [payee, fine] of run.costs) sums[payee] += fine;
    return [name, sums.map((sum) => sum / list.length)];
  });
  const total = (payee) => groups.reduce((sum, [, means]) => sum + means[payee], 0);
  const payees = source.payees.map((_, payee) => payee).filter((payee) => total(payee) > 0).sort((a, b) => total(b) - total(a));
  const names = payees.map((payee) => source.payees[payee][1]);
  const rows = payees.map((payee) => [source.payees[payee][1], ...groups.map(([, means]) => decimal(fineToUnits(means[payee])))]);
  find("people-table").replaceChildren(table([["Person", false], ...groups.map(([name]) => [name, true])], rows, "Cost by person"));
  const few = payees.slice(0, 15);
  const traces = groups.map(([name, means]) => ({
    type: "bar", orientation: "h", name: plain(name), y: few.map((_, position) => position), x: few.map((payee) => means[payee] / FINE),
    marker: { color: colours.get(name) ?? COLOURS[0] }, hovertemplate: `%{x:.4f}<extra>%{fullData.name}</extra>`,
  }));
  legend("people-chart", groups);
  find("people-chart").hidden = few.length === 0;
  const lines = groups.length > 1 ? groups.length : 1.6;
  return draw("people-chart", traces, {
    height: 100 + few.length * Math.max(24, 11 * lines), barmode: "group", bargap: 0.25,
    xaxis: { title: { text: "mean cost a run" } },
    yaxis: { tickvals: few.map((_, position) => position), ticktext: names.slice(0, 15).map((name) => plain(name, 20)), autorange: "reversed", showgrid: false, zeroline: false },
  }, `Mean cost by person. The table below has the numbers.`);
}

const CHARTS = new Map([["board-chart", drawBoard], ["scores-chart", drawScores], ["cloud-chart", drawCloud], ["people-chart", drawPeople]]);
const near = new Set();
const stale = new Set();
let isDrawing = false;

// Charts in sight, or nearly, one after the other with room for clicks between them; the others when they come closer.
async function drawStale() {
  if (isDrawing) return;
  isDrawing = true;
  const next = () => [...CHARTS.keys()].find((id) => stale.has(id) && near.has(id));
  for (let id = next(); id; id = next()) {
    stale.delete(id);
    await CHARTS.get(id)();
    await new Promise((resolve) => setTimeout(resolve));
  }
  isDrawing = false;
  performance.mark("outscore-drawn");
  document.documentElement.dataset.drawn = [...CHARTS.keys()].filter((id) => !stale.has(id)).join(" ");
}

function redrawCharts() {
  delete document.documentElement.dataset.drawn;
  for (const id of CHARTS.keys()) stale.add(id);
  drawStale();
}

function startCharts() {
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      const id = target.querySelector(".chart").id;
      if (isIntersecting) near.add(id);
      else near.delete(id);
    }
    drawStale();
  }, { rootMargin: "200px" });
  for (const id of CHARTS.keys()) {
    stale.add(id);
    observer.observe(find(id).parentElement);
  }
  window.addEventListener("beforeprint", () => {
    for (const id of CHARTS.keys()) near.add(id);
    drawStale();
  });
}
