// The page: a state, which is in the address, and what is drawn from it.

const kControls = ["map", "scale", "statistic", "first", "second", "search"];
const kFirst = {map: "busy", scale: "linear", statistic: "mean", first: 0, second: null, pe: null, line: null, time: 0, path: true};

class Page {
  constructor(report) {
    this.report = report;
    this.views = [];
    this.playing = null;  // the timer
    this.controls = Object.fromEntries(kControls.map(id => [id, document.getElementById(id)]));
    this.state = this.stateOfAddress();
  }

  get(id) { return document.getElementById(id); }

  // ---- the address: #map=busy&scale=log&pe=3,4&second=1&t=12
  stateOfAddress() {
    const given = new URLSearchParams(location.hash.slice(1)), state = {...kFirst};
    if (this.mapNames().includes(given.get("map"))) state.map = given.get("map");
    if (given.get("scale") === "log") state.scale = "log";
    if (given.get("statistic") === "largest") state.statistic = "largest";
    for (const name of ["first", "second"]) {
      const index = Number.parseInt(given.get(name), 10);
      if (index >= 0 && index < this.report.runs.length) state[name] = index;
    }
    if (given.get("second") === null && this.report.runs.length > 1) state.second = 1;
    state.path = given.get("path") !== "off";
    const time = Number.parseInt(given.get("t"), 10);
    if (time >= 1) state.time = Math.min(time, this.report.runs[state.first].slices?.count ?? 0);
    const pe = /^(\d+),(\d+)$/.exec(given.get("pe") ?? "");
    if (pe) state.pe = this.inside(Number(pe[1]), Number(pe[2]), state.first);
    return state;
  }

  addressOfState() {
    const {map, scale, statistic, first, second, pe, time, path} = this.state;
    const parts = {map, scale, statistic, first, second: second ?? "none"};
    if (time > 0) parts.t = time;
    if (pe) parts.pe = pe.join(",");
    if (!path) parts.path = "off";
    return "#" + Object.entries(parts).map(([name, value]) => `${name}=${value}`).join("&");
  }

  change(change) {
    Object.assign(this.state, change);
    history.replaceState(null, "", this.addressOfState());
    this.draw();
  }

  inside(x, y, first = this.state.first) {
    const run = this.report.runs[first];
    return [Math.min(run.width - 1, Math.max(0, x)), Math.min(run.height - 1, Math.max(0, y))];
  }

  mapNames() {
    const names = new Set(this.report.runs.flatMap(run => [...run.planes.keys()]));
    names.delete("program");
    return [...names];
  }

  // The runs that are shown, one or two.
  runs() {
    const {first, second} = this.state, runs = this.report.runs;
    return second === null || second === first ? [runs[first]] : [runs[first], runs[second]];
  }

  // ---- once
  begin() {
    const {report, controls} = this;
    this.get("title").textContent = report.title;
    this.get("subtitle").textContent = report.runs.map(run => this.nameOf(run)).join("; ");
    this.get("findings").append(...findingsOf(report, (run, finding) => this.show(run, finding)));
    for (const name of this.mapNames()) controls.map.append(new Option(planeNamed(report, name).label, name));
    report.runs.forEach((run, k) => controls.first.append(new Option(run.name, k)));
    controls.second.append(new Option("nothing", "none"), ...report.runs.map((run, k) => new Option(run.name, k)));
    this.get("second-label").hidden = report.runs.length < 2;
    this.get("statistic-label").hidden = report.runs.every(run => run.tile === 1);
    controls.map.onchange = () => this.change({map: controls.map.value});
    controls.scale.onchange = () => this.change({scale: controls.scale.value});
    controls.statistic.onchange = () => this.change({statistic: controls.statistic.value});
    controls.first.onchange = () => this.change({first: Number(controls.first.value)});
    controls.second.onchange = () => {
      this.change({second: controls.second.value === "none" ? null : Number(controls.second.value)});
    };
    this.get("path-label").hidden = report.runs.every(run => run.path === null);
    this.get("path").onchange = () => this.change({path: this.get("path").checked});
    this.timeline = new PathTimeline(this.get("path-timeline"), (x, y) => this.choose(x, y));
    this.get("slice").oninput = () => this.change({time: Number(this.get("slice").value)});
    this.get("play").onclick = () => this.play();
    controls.search.onchange = () => this.find(controls.search.value.trim());
    document.getElementById("controls").onsubmit = event => event.preventDefault();
    document.addEventListener("keydown", event => this.key(event));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    window.addEventListener("hashchange", () => { this.state = this.stateOfAddress(); this.draw(); });
    window.addEventListener("resize", () => this.draw());
    this.draw();
  }

  nameOf(run) {
    const values = Object.entries(run.meta.values).map(([name, value]) => ` ${name}=${value}`).join("");
    const {file, machine, record} = run.meta;
    return `${file}${values} on ${machine.name}: ${record.status}, ${shown(record.cycles)} cycles`;
  }

  // ---- what was asked for
  show(run, finding) {
    const change = {first: this.report.runs.indexOf(run), line: finding.line};
    if (finding.map !== null && run.planes.has(finding.map)) change.map = finding.map;
    if (finding.pe !== null) change.pe = [finding.pe % run.width, Math.floor(finding.pe / run.width)];
    this.change(change);
    const place = finding.line !== null ? this.get("chosen-line") : this.get("maps-heading");
    place?.scrollIntoView({block: "center"});
  }

  choose(x, y) { this.change({pe: this.inside(x, y)}); }

  // Moves through time by `by` slices, as far as there are any.
  step(by) {
    const count = this.runs()[0].slices?.count ?? 0;
    this.change({time: Math.min(count, Math.max(0, this.state.time + by))});
  }

  play() {
    if (this.playing) {
      clearInterval(this.playing);
      this.playing = null;
    } else {
      if (this.state.time === (this.runs()[0].slices?.count ?? 0)) this.change({time: 0});
      this.playing = setInterval(() => {
        this.step(1);
        if (this.state.time === (this.runs()[0].slices?.count ?? 0)) this.play();
      }, 150);
    }
    this.get("play").textContent = this.playing ? "stop" : "play";
  }

  find(text) {
    const pe = /^(\d+)\s*,\s*(\d+)$/.exec(text);
    if (pe) return this.choose(Number(pe[1]), Number(pe[2]));
    const run = this.runs()[0], wanted = text.toLowerCase();
    if (wanted === "") return;
    const line = run.meta.lines.findIndex(row => `${row.file}:${row.line} ${row.text}`.toLowerCase().includes(wanted));
    if (line < 0) return;
    this.change({line});
    this.get("chosen-line")?.scrollIntoView({block: "center"});
  }

  key(event) {
    const {target} = event;
    if (event.ctrlKey || event.altKey || event.metaKey || target.matches?.("input, select")) return;
    const steps = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    const names = this.mapNames();
    if (steps && target instanceof HTMLCanvasElement) {
      const [x, y] = this.state.pe ?? [0, 0], {tile} = this.runs()[0];
      this.choose(x + steps[0] * tile, y + steps[1] * tile);
    } else if (event.key === "m" || event.key === "M") {
      const by = event.key === "m" ? 1 : names.length - 1;
      this.change({map: names[(names.indexOf(this.state.map) + by) % names.length]});
    } else if (event.key === "[" || event.key === "]") {
      this.step(event.key === "]" ? 1 : -1);
    } else if (event.key === "l") {
      this.change({scale: this.state.scale === "log" ? "linear" : "log"});
    } else if (event.key === "/") {
      this.controls.search.focus();
    } else {
      return;
    }
    event.preventDefault();
  }

  // ---- drawing
  draw() {
    const {state, controls} = this, runs = this.runs();
    for (const name of ["map", "scale", "statistic", "first"]) controls[name].value = String(state[name]);
    controls.second.value = state.second === null ? "none" : String(state.second);
    this.drawTime(runs[0]);
    this.drawMaps(runs);
    this.drawPe(runs);
    this.drawTables(runs);
    this.drawPath(runs[0]);
    drawActivity(runs);
    drawRoofline(runs, state.statistic);
  }

  drawTime(run) {
    const {time, map} = this.state, {slices} = run;
    this.get("slices").hidden = slices === null;
    if (slices === null) return;
    const slider = this.get("slice");
    slider.max = slices.count;
    slider.value = time;
    const cycles = at => `cycles ${shown(slices.edges[at - 1])} to ${shown(slices.edges[at] - 1)}`;
    const hint = time === 0 || slices.maps.has(map) ? "" : ": this array knows the whole run only";
    this.get("slice-text").textContent = (time === 0 ? "the whole run" : cycles(time)) + hint;
  }

  // Returns the map of a run for the chosen array: values, the tiles that they belong to, and numbers that the
  // scale must have. `beside`: the run at left, whose slices the address counts; the other shows the slice with
  // their first cycle, as if it were as long as they are.
  shownOf(run, beside) {
    const {map, statistic, time} = this.state;
    if (time === 0 || !run.slices?.maps.has(map) || beside.slices === null) {
      const whole = valuesOf(run.planes.get(map), statistic);
      return {run, title: run.name, values: whole, range: whole};
    }
    const {tile, columns, rows, edges} = run.slices, begin = beside.slices.edges[Math.min(time, beside.slices.count) - 1];
    const slice = edges.findIndex(edge => edge > begin), length = ({slices}) => slices.edges[1] - slices.edges[0];
    const factor = length(beside) / length(run), most = factor * mostOfSlices(run, map);
    const values = slice < 0 ? new Float64Array(rows * columns).fill(NaN) : sliceValues(run, map, slice).map(value => factor * value);
    const when = slice < 0 ? "has ended" : `cycles ${shown(edges[slice - 1])} to ${shown(edges[slice] - 1)}`;
    const title = run === beside ? run.name : `${run.name}: ${when}`;
    return {run: {...run, tile, columns, rows}, title, values, range: [0, most]};
  }

  drawMaps(runs) {
    const {state} = this, plane = planeNamed(this.report, state.map);
    const maps = runs.filter(run => run.planes.has(state.map)).map(run => this.shownOf(run, runs[0]));
    const having = maps.map(map => map.run), lists = maps.map(map => map.values);
    const scale = Scale.of(maps.map(map => map.range), state.scale);
    const views = maps.map(({run, title, values}) => ({title, run, values, scale, isDifference: false}));
    if (having.length === 2 && isSameGrid(...having)) {
      const values = lists[1].map((value, k) => value - lists[0][k]);
      const difference = Scale.of([values], "difference");
      const ends = `${shown(difference.least)} blue to ${shown(difference.most)} red`;
      const title = `${having[1].name} less ${having[0].name}: ${ends}`;
      views.push({title, run: having[0], values, scale: difference, isDifference: true});
    }
    this.showViews(views, plane);
    this.get("legend-least").textContent = `${shown(scale.least)}`;
    this.get("legend-most").textContent = `${shown(scale.most)} ${plane.unit}`;
    drawLegend(this.get("legend-bar"), scale);
    const tile = Math.max(1, ...having.map(run => run.tile));
    const note = `A cell is a tile of ${tile} x ${tile} PEs.`;
    this.get("tiles-note").textContent = tile === 1 ? "" : note;
    if (having.length > 0) drawHistogram(having, lists, scale, plane.unit);
  }

  // Makes the figures anew only where other runs are shown, so that the focus stays on a map.
  showViews(views, plane) {
    const key = views.map(view => `${view.run.name} ${view.run.tile} ${view.isDifference}`).join("|");
    if (key !== this.viewsKey) {
      this.views = views.map(({title, run}) => new MapView(title, run, {
        choose: (x, y) => this.choose(x, y), point: (x, y, view) => this.point(x, y, view)}));
      this.get("maps").replaceChildren(...this.views.map(view => view.figure));
      this.viewsKey = key;
    }
    this.plane = plane;
    this.views.forEach((view, k) => {
      view.caption.textContent = views[k].title;
      view.values = views[k].values;
      view.fit(views.length);
      view.draw(views[k].values, views[k].scale, this.state.pe);
      if (this.state.path && views[k].run.path && !views[k].isDifference) drawPathOver(view, views[k].run.path);
    });
  }

  point(x, y, view) {
    const value = x === null ? null : view.values[tileOf(view.run, x, y)];
    const text = x === null ? "" : `${this.placeText(view.run, x, y)}: ${shown(value)} ${this.plane.unit}`;
    this.get("pointed").textContent = text;
  }

  placeText(run, x, y) {
    if (run.tile === 1) return `PE(${x}, ${y})`;
    const {tile} = run, left = x - x % tile, top = y - y % tile;
    return `PEs (${left}..${Math.min(left + tile, run.width) - 1}, ${top}..${Math.min(top + tile, run.height) - 1})`;
  }

  drawPe(runs) {
    const {pe, statistic} = this.state, heading = this.get("pe-heading");
    if (!pe) {
      heading.textContent = "No PE chosen";
      this.get("pe").replaceChildren();
      return;
    }
    const program = programAt(runs[0], ...pe);
    heading.textContent = this.placeText(runs[0], ...pe) + (program === null ? "" : ` runs ${program}`);
    const having = runs.filter(run => pe[0] < run.width && pe[1] < run.height);
    this.get("pe").replaceChildren(...peParts(having, ...pe, statistic));
  }

  drawPath(run) {
    this.get("path").checked = this.state.path;
    this.get("path-section").hidden = run.path === null;
    if (run.path === null) return;
    this.get("path-text").textContent = pathSentence(run);
    const table = pathTable(run, (x, y) => this.choose(x, y), place => this.find(`${place} `));
    this.get("path-steps").replaceChildren(element("div", {className: "scroll", tabIndex: 0}, table));
    const left = run.path.left_out;
    this.get("path-left-out").textContent = left === 0 ? "" : `The last ${shown(left)} of its ${shown(left + run.path.count)} parts are not drawn.`;
    this.timeline.draw(run, this.state.pe);
  }

  drawTables(runs) {
    const choose = (x, y) => this.choose(x, y);
    const fill = (id, table) => this.get(id).replaceChildren(element("div", {className: "scroll", tabIndex: 0}, table));
    const classes = classesTable(runs[0], choose);
    this.get("classes-section").hidden = classes === null;
    if (classes) fill("classes", classes);
    const lines = linesTable(runs[0], this.state.line, choose);
    this.get("lines-section").hidden = lines === null;
    if (lines) fill("lines", lines);
    fill("links", linksTable(runs[0], choose));
    fill("record", recordTable(runs));
    const model = modelTable(this.report);
    this.get("model-section").hidden = model === null;
    if (model) fill("model", model);
  }
}

readReport().then(report => {
  const page = new Page(report);
  page.begin();
  document.documentElement.dataset.ready = "true";
});
