// The order in which the page comes alive: what answers to a click first, then the charts.

const THEME = "outscore-theme";

function remembered() {
  try {
    return localStorage.getItem(THEME) ?? "";
  } catch {
    return "";
  }
}

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

function redraw() {
  if (!window.Plotly) return;
  redrawCharts();
  if (opened?.isScored) drawWaterfall(opened);
}

function startTheme() {
  const choice = find("theme");
  choice.value = remembered();
  setTheme(choice.value);
  choice.addEventListener("change", () => {
    setTheme(choice.value);
    try {
      localStorage.setItem(THEME, choice.value);
    } catch {
      // A page that may store nothing still has its switch.
    }
    redraw();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
}

startTheme();
startFilters();
startRuns();
startBoards();
startRun();
filter();
performance.mark("outscore-usable");
// The plotting library stands below this script and is there when the page is whole.
document.addEventListener("DOMContentLoaded", () => {
  listeners.push(redrawCharts);
  startCharts();
  openNamed();
});
