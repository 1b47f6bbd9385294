// What all parts share: the data, texts and elements.

const source = JSON.parse(document.getElementById("data").textContent);
const UNITS = 10000;
const FINE = 1000000000;
const MARK = 8000;
const NONE = "–";
const NO_AGENT = "(no agent named)";

const find = (id) => document.getElementById(id);

const runs = source.runs.map((row, index) => {
  const [id, scenario, task, agent, outcome, ...rest] = row;
  const run = {
    index, id, scenario, task, agent,
    name: id ?? "(no id)",
    scenarioName: source.scenarios[scenario] ?? NONE,
    taskName: source.tasks[task] ?? NONE,
    agentName: source.agents[agent] ?? NO_AGENT,
    outcome: source.outcomes[outcome],
    isScored: outcome < 3,
    uplift: null, cost: null, score: null,
  };
  if (!run.isScored) {
    [run.why, run.place] = rest;
    return run;
  }
  [run.uplift, run.adjusted, run.cost, run.score, run.exact, run.incidents, run.ruleset, run.costs, run.warnings, run.bill] = rest;
  return run;
});

// An element with its properties and children; texts stay texts.
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "class") element.className = value;
    else if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// Whole numbers of a ten-thousandth as a decimal: they were cut before, so nothing is rounded here.
function decimal(units) {
  if (units === null) return NONE;
  if (!Number.isSafeInteger(units)) return (units / UNITS).toPrecision(5);
  const digits = String(Math.abs(units)).padStart(5, "0");
  return `${units < 0 ? "-" : ""}${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

const count = (number) => number.toLocaleString("en-US");
const fineToUnits = (fine) => Math.floor(fine / (FINE / UNITS));

function table(heads, rows, label, kind = "") {
  const head = make("tr", {}, ...heads.map(([name, isNumber]) =>
    make("th", { scope: "col", class: isNumber ? "number" : "" }, name)));
  const body = rows.map((row) => make("tr", {}, ...row.map((cell, column) => {
    const isNumber = heads[column][1];
    const made = make(column ? "td" : "th", { class: isNumber ? "number" : "" });
    if (!column) made.scope = "row";
    made.append(...(Array.isArray(cell) ? cell : [cell]));
    return made;
  })));
  const made = make("table", { class: kind }, make("thead", {}, head), make("tbody", {}, ...body));
  return make("div", { class: "scroll", role: "region", tabIndex: 0, "aria-label": label }, made);
}
