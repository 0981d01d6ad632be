// The critical path of a run: a table, a line over a map, and a timeline of its PEs.
//
// A row of run.path leads from one PE to another, or stays; rows follow each other without gaps in time. What a
// file says of PEs, kinds and lines is not trusted: what is outside is left out.

const kMostLanes = 4000, kTimelineHeight = 420, kWidestLane = 18, kLabelWidth = 90;  // lanes of PEs; pixels
const kTermColours = ["--busy", "--input", "--output"];  // contention, distance, depth

async function unpackPath(run) {
  const lists = ["kinds", "lines", "groups", "terms", "terms_of_kinds"];
  if (!run.path || !lists.every(name => Array.isArray(run.meta.path?.[name]))) return null;
  const path = {left_out: run.path.left_out};
  for (const name of ["kind", "cycles", "from", "to", "colour", "line"]) path[name] = await unpackCounts(run.path[name]);
  path.count = path.kind.length;
  let cycle = 0;
  path.begin = Float64Array.from(path.cycles, cycles => (cycle += cycles) - cycles);
  return path;
}

function pathSentence(run) {
  const {cycles, pe, terms, next_path: next} = run.meta.path;
  const parts = terms.map(term => `${term.name} ${shown(term.cycles)} (${percent(cycles === 0 ? 0 : term.cycles / cycles)})`);
  const other = next === null ? "" : next === cycles ? " Another path is as long." : ` Another path is ${shown(cycles - next)} cycles shorter.`;
  return `What PE(${pe % run.width}, ${Math.floor(pe / run.width)}) did last waited ${shown(cycles)} cycles for: ${parts.join(", ")}.${other}`;
}

function pathTable(run, choose, showLine) {
  const {cycles, kinds, lines, groups} = run.meta.path;
  const place = line => line ? `${line.file}:${line.line}` : "";
  const rows = groups.map(group => ({...group, where: lines[group.line] ?? null}));
  return tableOf([
    {title: "cycles", number: true, cell: row => row.cycles},
    {title: "share", number: true, cell: row => percent(cycles === 0 ? 0 : row.cycles / cycles)},
    {title: "steps", number: true, cell: row => row.steps},
    {title: "waited for", cell: row => kinds[row.kind] ?? ""},
    {title: "such as", cell: row => peLink(row.pe % run.width, Math.floor(row.pe / run.width), choose)},
    {title: "place", className: "place", cell: row => row.where ? action(place(row.where), () => showLine(place(row.where))) : ""},
    {title: "source", className: "source", cell: row => row.where?.text.trim() ?? ""},
  ], rows);
}

// Draws the path over a map, from PE to PE; a ring is where it ends.
function drawPathOver(view, path) {
  const {run, cellWidth, cellHeight} = view, drawing = view.canvas.getContext("2d");
  const inside = pe => pe < run.width * run.height;
  const point = pe => [(pe % run.width + 0.5) / run.tile * cellWidth, (Math.floor(pe / run.width) + 0.5) / run.tile * cellHeight];
  let last = null;
  drawing.beginPath();
  for (let k = 0; k < path.count; ++k) {
    const from = path.from[k], to = path.to[k];
    if (!inside(from) || !inside(to)) continue;
    if (from !== last) drawing.moveTo(...point(from));
    if (from !== to) drawing.lineTo(...point(to));
    last = to;
  }
  drawing.lineJoin = drawing.lineCap = "round";
  for (const [colour, width] of [["#000000", 4], ["#ff9a2e", 2]]) {
    drawing.strokeStyle = colour;
    drawing.lineWidth = width;
    drawing.stroke();
  }
  if (last === null) return;
  for (const [colour, width] of [["#000000", 4], ["#ff9a2e", 2]]) {
    drawing.beginPath();
    drawing.arc(...point(last), 5, 0, 2 * Math.PI);
    drawing.strokeStyle = colour;
    drawing.lineWidth = width;
    drawing.stroke();
  }
}

// The PEs of the path in the order in which it comes to them, a lane each.
function lanesOf(path) {
  const lanes = new Map();
  for (let k = 0; k < path.count && lanes.size < kMostLanes; ++k) {
    for (const pe of [path.from[k], path.to[k]]) {
      if (!lanes.has(pe)) lanes.set(pe, lanes.size);
    }
  }
  return lanes;
}

class PathTimeline {
  constructor(canvas, choose) {
    this.canvas = canvas;
    canvas.addEventListener("click", event => {
      const at = Math.floor((event.clientY - canvas.getBoundingClientRect().top) / this.height);
      const pe = [...this.lanes.keys()][at];
      if (pe !== undefined && pe < this.run.width * this.run.height) choose(pe % this.run.width, Math.floor(pe / this.run.width));
    });
  }

  draw(run, chosen) {
    const {path} = run, {canvas} = this, drawing = canvas.getContext("2d");
    this.run = run;
    this.lanes = lanesOf(path);
    this.height = Math.max(Math.min(kWidestLane, kTimelineHeight / this.lanes.size), 0.1);
    canvas.width = Math.max(300, canvas.parentElement.clientWidth);
    canvas.height = Math.ceil(this.height * this.lanes.size);
    const hasLabels = this.height >= 12, left = hasLabels ? kLabelWidth : 0;
    const end = path.begin[path.count - 1] + path.cycles[path.count - 1];
    const x = cycle => left + cycle / Math.max(end, 1) * (canvas.width - left);
    const colours = run.meta.path.terms_of_kinds.map(term => styleColour(kTermColours[term] ?? "--idle"));
    if (hasLabels) this.drawLabels(drawing, chosen);
    for (let k = 0; k < path.count; ++k) {
      const [from, to] = [path.from[k], path.to[k]].map(pe => this.lanes.get(pe));
      if (from === undefined || to === undefined) continue;
      const begin = x(path.begin[k]), width = x(path.begin[k] + path.cycles[k]) - begin;
      drawing.fillStyle = drawing.strokeStyle = colours[path.kind[k]] ?? styleColour("--idle");
      if (from === to) {
        drawing.fillRect(begin, to * this.height + this.height * 0.15, Math.max(width, 0.5), Math.max(this.height * 0.7, 0.5));
        continue;
      }
      drawing.lineWidth = Math.min(2, Math.max(0.5, this.height / 4));
      drawing.beginPath();
      drawing.moveTo(begin, (from + 0.5) * this.height);
      drawing.lineTo(begin + width, (to + 0.5) * this.height);
      drawing.stroke();
    }
  }

  drawLabels(drawing, chosen) {
    drawing.font = "12px system-ui, sans-serif";
    drawing.textBaseline = "middle";
    const {run} = this, at = chosen ? chosen[1] * run.width + chosen[0] : null;
    for (const [pe, lane] of this.lanes) {
      drawing.fillStyle = styleColour(pe === at ? "--accent" : "--text");
      drawing.fillText(`PE(${pe % run.width}, ${Math.floor(pe / run.width)})`, 0, (lane + 0.5) * this.height);
    }
  }
}
