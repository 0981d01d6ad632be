// Tables. Texts of programs get into the page as text alone, never as HTML.

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function shown(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "none";
  if (typeof value !== "number") return String(value);
  return value.toLocaleString("en", {maximumFractionDigits: Number.isInteger(value) ? 0 : 3});
}

function percent(share) {
  return `${(100 * share).toLocaleString("en", {maximumFractionDigits: 1})} %`;
}

// A table with a heading for each column; columns are {title, number, cell(row)}, where a cell is a
// value or a node.
function tableOf(columns, rows, describe = () => ({})) {
  const head = columns.map(column =>
    element("th", {scope: "col", className: column.number ? "number" : "", textContent: column.title}));
  const body = rows.map(row => {
    const cells = columns.map(column => {
      const value = column.cell(row);
      const cell = element("td", {className: column.className ?? (column.number ? "number" : "")});
      if (column.number && typeof value === "number") cell.dataset.value = value;
      cell.append(value instanceof Node ? value : shown(value));
      return cell;
    });
    return element("tr", describe(row), ...cells);
  });
  return element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body));
}

// Makes a button that looks like a link and acts on the page.
function action(text, onclick, label = text) {
  return element("button", {type: "button", className: "link", textContent: text, ariaLabel: label, onclick});
}

function peLink(x, y, choose) { return action(`PE(${x}, ${y})`, () => choose(x, y)); }

function findingsOf(report, show) {
  return report.runs.map(run => {
    const items = run.findings.map(finding => {
      const rule = element("span", {className: "rule", textContent: `${finding.rule}: `});
      const item = element("li", {}, rule, finding.text, " ");
      const hasPlace = finding.map !== null || finding.pe !== null || finding.line !== null;
      if (hasPlace) item.append(action("show", () => show(run, finding), `show: ${finding.rule}`));
      return item;
    });
    const heading = report.runs.length > 1 ? [element("h3", {textContent: run.name})] : [];
    return element("div", {}, ...heading, element("ol", {}, ...items));
  });
}

// The classes of PEs, with the first PE of each and, where each PE is shown, how many there are.
function classesTable(run, choose) {
  const plane = run.planes.get("class"), classes = run.meta.classes;
  if (!plane || !Array.isArray(classes) || run.tile !== 1) return null;
  const rows = classes.map(what => ({what, pes: 0, first: null}));
  plane.largest.forEach((index, at) => {
    if (!rows[index]) return;
    if (rows[index].pes++ === 0) rows[index].first = at;
  });
  const text = ({where, ...what}) => flat(what).map(part => part.filter(word => word !== "").join(" ")).join(", ");
  return tableOf([
    {title: "PEs", number: true, cell: row => row.pes},
    {title: "such as", cell: row => peLink(row.first % run.width, Math.floor(row.first / run.width), choose)},
    {title: "where", cell: row => row.what.where ?? ""},
    {title: "how they ended", cell: row => text(typeof row.what === "object" ? row.what : {"": row.what})},
  ], rows.filter(row => row.pes > 0));
}

const kMostLines = 200;

// Columns of the causes that took a cycle: of what kind the cycles of a line were.
function causeColumns(run) {
  const cycles = run.tables.get("line_cause"), causes = run.meta.causes ?? [];
  if (!cycles) return [];
  const of = (indices, cause) => indices.reduce((sum, index) => sum + cycles[index * causes.length + cause], 0);
  const lines = [...run.meta.lines.keys()];
  const columns = causes.map((title, cause) => ({title, number: true, cell: row => of(row.indices, cause)}));
  return columns.filter((_, cause) => of(lines, cause) > 0);
}

// Rows of the table of lines, each place once: a line may belong to several programs, such as the roles
// of one text, and texts of one name may be several. `index` is that of the program whose PE has the most.
function linesByPlace(run, cycles, most) {
  const rows = new Map();
  run.meta.lines.forEach((line, index) => {
    const place = `${line.kind} ${line.file}:${line.line} ${line.text}`, row = rows.get(place);
    if (!row) {
      rows.set(place, {line, index, cycles: cycles[index], programs: 1, indices: [index]});
      return;
    }
    row.cycles += cycles[index];
    ++row.programs;
    row.indices.push(index);
    if (most[index] > most[row.index]) row.index = index;
  });
  return rows;
}

function linesTable(run, chosen, choose) {
  const cycles = run.tables.get("line_cycles");
  if (!cycles) return null;
  const most = run.tables.get("line_most"), at = run.tables.get("line_most_pe");
  const all = cycles.reduce((sum, value) => sum + value, 0);
  const rows = [...linesByPlace(run, cycles, most ?? cycles).values()];
  rows.sort((a, b) => b.cycles - a.cycles || a.index - b.index);
  const link = pe => peLink(pe % run.width, Math.floor(pe / run.width), choose);
  const columns = [
    {title: "cycles", number: true, cell: row => row.cycles},
    {title: "share", number: true, cell: row => percent(all === 0 ? 0 : row.cycles / all)},
    {title: "most of one PE", number: true, cell: row => most ? most[row.index] : null},
    {title: "of PE", cell: row => at ? link(at[row.index]) : ""},
    {title: "program", cell: row => row.programs === 1 ? row.line.program : `${row.programs} programs`},
    {title: "place", className: "place", cell: row => row.line.kind === "line" ? `${row.line.file}:${row.line.line}` : row.line.kind},
    ...causeColumns(run),
    {title: "source", className: "source", cell: row => row.line.text.trim()},
  ];
  const shownRows = rows.filter(row => row.cycles > 0).slice(0, kMostLines);
  const mark = {id: "chosen-line", className: "chosen"};
  return tableOf(columns, shownRows, row => row.indices.includes(chosen) ? mark : {});
}

function linksTable(run, choose) {
  const cycles = run.meta.record.cycles;
  return tableOf([
    {title: run.tile === 1 ? "wavelets" : "most wavelets in a tile", number: true, cell: link => link.words},
    {title: "of the cycles", number: true, cell: link => percent(cycles === 0 ? 0 : link.words / cycles)},
    {title: "from", cell: link => peLink(link.x, link.y, choose)},
    {title: "over", cell: link => link.port},
  ], fullestLinks(run, 20));
}

// The record, flat: "fabric.hops", 12.
function flat(value, name = "") {
  if (value === null || typeof value !== "object") return [[name, value]];
  if (Array.isArray(value)) return [[name, value.join(" x ")]];
  return Object.entries(value).flatMap(([key, part]) => flat(part, name ? `${name}.${key}` : key));
}

function recordTable(runs) {
  const records = runs.map(({meta: {record: {positions, ...rest}}}) => new Map(flat(rest)));
  const names = [...new Set(records.flatMap(record => [...record.keys()]))];
  const value = k => name => records[k].get(name) ?? null;
  const columns = [{title: "of the run", cell: name => name},
                   ...runs.map((run, k) => ({title: run.name, number: true, cell: value(k)}))];
  if (runs.length === 2) {
    columns.push({title: "second / first", number: true, cell: name => {
      const [a, b] = records.map(record => record.get(name));
      return typeof a === "number" && typeof b === "number" && a > 0 ? b / a : "";
    }});
  }
  return tableOf(columns, names);
}

// The terms of a spatial model, as the record counts them.
const kTerms = {
  C: ["contention: words that the fullest ramp delivers", run => run.meta.record.fabric.max_ramp_wavelets],
  E: ["energy: hops of all words", run => run.meta.record.fabric.hops],
  L: ["distance: links of the longest way", run => run.meta.record.fabric.max_distance],
  N: ["links that move a word", run => run.meta.record.fabric.links_used],
  cycles: ["cycles", run => run.meta.record.cycles],
};

function modelTable(report) {
  const rows = [];
  for (const run of report.runs) {
    for (const [term, value] of Object.entries(report.model[run.name] ?? {})) rows.push({run, term, value});
  }
  if (rows.length === 0) return null;
  return tableOf([
    {title: "run", cell: row => row.run.name},
    {title: "term", cell: row => row.term},
    {title: "meaning", cell: row => kTerms[row.term]?.[0] ?? ""},
    {title: "model", number: true, cell: row => row.value},
    {title: "run", number: true, cell: row => kTerms[row.term]?.[1](row.run) ?? null},
  ], rows);
}
