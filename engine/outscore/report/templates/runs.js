// The runs that are shown -> a table that can be sorted, page by page; and the leaderboards' sorting.

const COLUMNS = [
  { name: "Run", value: (run) => run.name, cell: (run) => make("button", { type: "button", onclick: () => openRun(run) }, run.name), isHead: true },
  { name: "Agent", value: (run) => run.agentName, isName: true },
  { name: "Scenario", value: (run) => run.scenarioName, isName: true, isWide: true },
  { name: "Task", value: (run) => run.taskName, isName: true, isWide: true },
  { name: "Outcome", value: (run) => source.outcomes.indexOf(run.outcome), cell: (run) => outcomeMark(run) },
  { name: "Uplift", value: (run) => run.uplift, isNumber: true, isWide: true },
  { name: "Contact cost", value: (run) => run.cost, isNumber: true, isWide: true },
  { name: "Score", value: (run) => run.score, isNumber: true },
];
const ROWS = 50;
const order = { column: 0, isDown: false, isAsGiven: true };
let page = 0;

function outcomeMark(run) {
  const sign = { resolved: "✓ ", incident: "⚠ " }[run.outcome] ?? "";
  const tone = run.outcome === "resolved" ? "good" : run.isScored && run.outcome !== "incident" ? "" : "bad";
  return make("span", { class: tone }, sign + run.outcome);
}

// Nothing comes last, whichever way is sorted.
function compare(a, b) {
  if (a === null || b === null) return (a === null) - (b === null);
  const sign = typeof a === "string" ? (a < b ? -1 : a > b ? 1 : 0) : a - b;
  return order.isDown ? -sign : sign;
}

function sortedRuns() {
  if (order.isAsGiven) return shown;
  const { value } = COLUMNS[order.column];
  return shown.map((run) => [value(run), run]).sort((a, b) => compare(a[0], b[0]) || a[1].index - b[1].index).map((pair) => pair[1]);
}

function runRow(run) {
  return make("tr", {}, ...COLUMNS.map((column) => {
    const value = column.cell ? column.cell(run) : column.isNumber ? decimal(column.value(run)) : column.value(run);
    const classes = [column.isNumber ? "number" : column.isName ? "name" : "", column.isWide ? "wide" : ""].join(" ");
    const cell = make(column.isHead ? "th" : "td", { class: classes }, value);
    if (column.isHead) cell.scope = "row";
    return cell;
  }));
}

function showRuns() {
  const rows = sortedRuns();
  const pages = Math.max(1, Math.ceil(rows.length / ROWS));
  page = Math.min(page, pages - 1);
  const here = rows.slice(page * ROWS, (page + 1) * ROWS);
  const empty = make("tr", {}, make("td", { colSpan: COLUMNS.length }, "No run matches the filters."));
  find("runs-table").tBodies[0].replaceChildren(...(here.length ? here.map(runRow) : [empty]));
  find("page").textContent = `Page ${page + 1} of ${count(pages)}`;
  find("previous").disabled = page === 0;
  find("next").disabled = page === pages - 1;
}

function turn(by) {
  page += by;
  showRuns();
}

function startRuns() {
  const heads = COLUMNS.map((column, position) => {
    const classes = [column.isNumber ? "number" : "", column.isWide ? "wide" : ""].join(" ");
    const button = make("button", { type: "button" }, column.name);
    const head = make("th", { scope: "col", class: classes, "aria-sort": "none" }, button);
    button.addEventListener("click", () => {
      order.isDown = order.isAsGiven || order.column !== position ? Boolean(column.isNumber) : !order.isDown;
      order.column = position;
      order.isAsGiven = false;
      for (const other of heads) other.setAttribute("aria-sort", "none");
      head.setAttribute("aria-sort", order.isDown ? "descending" : "ascending");
      page = 0;
      showRuns();
    });
    return head;
  });
  find("runs-table").tHead.rows[0].replaceChildren(...heads);
  find("previous").addEventListener("click", () => turn(-1));
  find("next").addEventListener("click", () => turn(1));
  listeners.push(() => {
    page = 0;
    showRuns();
  });
}

// The leaderboards stand in the page already; their heads become buttons.
function startBoards() {
  for (const board of document.querySelectorAll("table.sortable")) {
    const heads = [...board.tHead.rows[0].cells];
    const key = (row, column) => {
      const cell = row.cells[column];
      if (column === 0) return cell.textContent;
      const text = cell.dataset.sort ?? cell.textContent.replaceAll(",", "").trim();
      return text === "" || text === NONE ? null : Number(text);
    };
    heads.forEach((head, column) => {
      const button = make("button", { type: "button" }, head.textContent);
      head.replaceChildren(button);
      if (!head.hasAttribute("aria-sort")) head.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => {
        const was = head.getAttribute("aria-sort");
        const isDown = was === "none" ? column > 0 : was === "ascending";
        for (const other of heads) other.setAttribute("aria-sort", "none");
        head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
        const rows = [...board.tBodies[0].rows].map((row) => [key(row, column), row]);
        rows.sort(([a], [b]) => {
          if (a === null || b === null) return (a === null) - (b === null);
          const sign = a < b ? -1 : a > b ? 1 : 0;
          return isDown ? -sign : sign;
        });
        board.tBodies[0].append(...rows.map((row) => row[1]));
      });
    });
  }
  listeners.push(showBoard);
}

function boardShown() {
  const scenario = form.elements.scenario.value === "" ? null : chosen("scenario");
  const position = source.boards.findIndex((board) => board.scenario === scenario);
  // One scenario alone has no leaderboard of its own: it is that of everything.
  return Math.max(position, 0);
}

function showBoard() {
  for (const each of document.querySelectorAll("[data-board]")) each.hidden = Number(each.dataset.board) !== boardShown();
}
