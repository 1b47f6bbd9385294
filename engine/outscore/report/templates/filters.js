// What is looked for -> the runs that are shown; whoever shows them is told of each change.

const form = find("filters");
const listeners = [];
let shown = runs;

// What a search goes through; built when a run is first searched, so that opening the page need not wait for it.
function searched(run) {
  run.words ??= [run.name, run.taskName, run.agentName, run.scenarioName, run.why ?? "",
    ...(run.incidents ?? []).map((number) => source.incidents[number])].join("\n").toLowerCase();
  return run.words;
}

function fillChoices() {
  const agents = new Set(runs.map((run) => run.agentName));
  for (const [name, values] of [["scenario", [...source.scenarios].sort()], ["agent", [...agents].sort()],
    ["outcome", source.outcomes]]) {
    form.elements[name].append(...values.map((value) => new Option(value, `=${value}`)));
  }
}

const chosen = (name) => form.elements[name].value.slice(1);

function filter() {
  const words = form.elements.search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const [scenario, agent, outcome] = ["scenario", "agent", "outcome"].map((name) => form.elements[name].value && chosen(name));
  shown = runs.filter((run) =>
    (form.elements.scenario.value === "" || run.scenarioName === scenario)
    && (form.elements.agent.value === "" || run.agentName === agent)
    && (form.elements.outcome.value === "" || run.outcome === outcome)
    && words.every((word) => searched(run).includes(word)));
  find("count").textContent = `${count(shown.length)} of ${count(runs.length)} runs`;
  for (const tell of listeners) tell();
}

function startFilters() {
  fillChoices();
  let waiting = 0;
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, 80);
  });
  form.addEventListener("reset", () => setTimeout(filter));
  form.addEventListener("submit", (event) => event.preventDefault());
}
