// The text about the PE that was chosen: values, routes, and the lines at which PEs of its program are.

const kMostLinesOfPe = 12;
const kWaits = ["bank", "slot", "input", "output", "fifo", "thread"];  // causes that are no work of the main thread

function programIndexAt(run, x, y) {
  const plane = run.planes.get("program");
  return plane && run.tile === 1 ? valueAt(plane, "largest", tileOf(run, x, y)) : null;
}

function programAt(run, x, y) {
  const index = programIndexAt(run, x, y);
  return index === null ? null : run.meta.programs[index] ?? null;
}

// All arrays at one PE, of each run that is shown.
function peTable(runs, x, y, statistic) {
  const rows = [];
  for (const [name, plane] of runs[0].planes) {
    if (name === "program") continue;
    rows.push({plane, values: runs.map(run => {
      const other = run.planes.get(name);
      return other ? valueAt(other, statistic, tileOf(run, x, y)) : null;
    })});
  }
  const title = run => runs.length > 1 ? run.name : "value";
  const columns = [{title: "array", cell: row => row.plane.label},
                   ...runs.map((run, k) => ({title: title(run), number: true, cell: row => row.values[k]})),
                   {title: "unit", cell: row => row.plane.unit}];
  return tableOf(columns, rows);
}

// Whether a PE is in a rectangle [x0, x1, step, y0, y1, step] of a program's text.
function isIn([x0, x1, xStep, y0, y1, yStep], x, y) {
  return x >= x0 && x <= x1 && (x - x0) % xStep === 0 && y >= y0 && y <= y1 && (y - y0) % yStep === 0;
}

// The routes of a PE: {colour, positions: texts, start, end, pop}. Null: the profile has none.
function routesAt(run, x, y) {
  const kinds = run.meta.routes?.kinds;
  if (!Array.isArray(kinds)) return null;
  const turned = run.meta.record.positions ?? [], areAll = turned.length === (run.meta.record.positions_total ?? 0);
  return kinds.filter(kind => kind.where.some(rect => isIn(rect, x, y))).map(kind => {
    const colour = run.meta.colours[kind.colour] ?? String(kind.colour);
    const last = turned.find(entry => entry.pe[0] === x && entry.pe[1] === y && entry.colour === colour);
    const positions = kind.positions.map(([from, to]) => `${from} \u2192 ${to.join(", ") || "nowhere"}`);
    return {colour, positions, start: kind.start, end: last?.position ?? (areAll ? 0 : "unknown"), pop: kind.pop, tornDown: kind.torn_down};
  });
}

function routesTable(run, x, y) {
  const routes = routesAt(run, x, y);
  if (routes === null) return null;
  const isSwitched = routes.some(route => route.positions.length > 1);
  const position = (route, number) => route.positions.length > 1 ? number : "";
  const columns = [{title: "colour", cell: route => route.colour + (route.tornDown ? " (torn down)" : "")},
                   {title: isSwitched ? "switch positions" : "route", cell: route => route.positions.length === 1
                     ? route.positions[0] : route.positions.map((text, k) => `${k}: ${text}`).join("; ")}];
  if (isSwitched) {
    columns.push({title: "begins at", number: true, cell: route => position(route, route.start)},
                 {title: "ended at", number: true, cell: route => position(route, route.end)},
                 {title: "pops", cell: route => position(route, route.pop)});
  }
  return tableOf(columns, routes);
}

// The lines of the program of a PE: {line, cycles, causes}, on average of its PEs, longest first. Null: the
// profile knows no lines.
function linesOfProgram(run, index) {
  const cycles = run.tables.get("line_cycles"), causes = run.meta.causes ?? [];
  if (!cycles || index === null) return null;
  const pes = run.planes.get("program").largest.reduce((sum, program) => sum + (program === index ? 1 : 0), 0);
  const table = run.tables.get("line_cause"), rows = [];
  run.meta.lines.forEach((line, at) => {
    if (line.program !== run.meta.programs[index] || cycles[at] === 0) return;
    const of = causes.map((_, cause) => table ? table[at * causes.length + cause] / pes : 0);
    rows.push({line, cycles: cycles[at] / pes, causes: of});
  });
  return {pes, rows: rows.sort((a, b) => b.cycles - a.cycles)};
}

// "waits most for input, 61 cycles, at heat.wsa:62", or that it does not wait.
function longestWait(run, rows) {
  const causes = run.meta.causes ?? [];
  let most = {cycles: 0};
  for (const {line, causes: cycles} of rows) {
    cycles.forEach((count, cause) => {
      if (kWaits.includes(causes[cause]) && count > most.cycles) most = {cycles: count, line, cause: causes[cause]};
    });
  }
  if (most.cycles === 0) return "waits for nothing";
  return `waits most for ${most.cause}, ${shown(most.cycles)} cycles, at ${most.line.file}:${most.line.line}`;
}

function waitsOf(run, index) {
  const lines = linesOfProgram(run, index);
  if (lines === null) return null;
  const {pes, rows} = lines, causes = run.meta.causes ?? [];
  const used = causes.map((title, cause) => ({title, cause})).filter(({cause}) => rows.some(row => row.causes[cause] > 0));
  const table = tableOf([
    {title: "cycles", number: true, cell: row => row.cycles},
    ...used.map(({title, cause}) => ({title, number: true, cell: row => row.causes[cause]})),
    {title: "place", className: "place", cell: row => row.line.kind === "line" ? `${row.line.file}:${row.line.line}` : row.line.kind},
    {title: "source", className: "source", cell: row => row.line.text.trim()},
  ], rows.slice(0, kMostLinesOfPe));
  const who = pes === 1 ? "This PE, alone with its program," : `On average a PE of its program, one of ${shown(pes)},`;
  return {text: `${who} ${longestWait(run, rows)}.`, table};
}

// Returns what is shown of PE (x, y), as nodes.
function peParts(runs, x, y, statistic) {
  const run = runs[0], parts = [];
  const add = (id, title, ...nodes) => parts.push(element("div", {id, className: "scroll", tabIndex: 0},
    element("h3", {textContent: title}), ...nodes.map(node => typeof node === "string" ? element("p", {className: "hint"}, node) : node)));
  const waits = waitsOf(run, programIndexAt(run, x, y));
  if (waits) add("pe-lines", "Where it works and waits", waits.text, waits.table);
  const routes = routesTable(run, x, y), total = run.meta.routes?.total ?? 0;
  const where = run.tile === 1 ? "Routes" : `Routes of PE(${x}, ${y})`;
  if (routes) add("pe-routes", where, routesAt(run, x, y).length === 0 ? "It has none." : routes);
  else if (total > 0) add("pe-routes", where, `The profile leaves out the routes: there are ${shown(total)} of them.`);
  add("pe-values", "Values", peTable(runs, x, y, statistic));
  return parts;
}
