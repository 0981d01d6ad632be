// Charts by Chart.js, made anew whenever what they show has changed.

const kActivities = [
  ["busy", "busy", "--busy"],
  ["memory_stall", "memory stall", "--stall"],
  ["wait_output", "waiting for output", "--output"],
  ["wait_input", "waiting for input", "--input"],
  ["idle", "idle", "--idle"],
];
const kBins = 40, kMostPoints = 3000;

const charts = new Map();

function drawChart(id, type, data, options) {
  charts.get(id)?.destroy();
  Chart.defaults.color = styleColour("--text");
  Chart.defaults.borderColor = styleColour("--line");
  charts.set(id, new Chart(document.getElementById(id), {
    type, data, options: {animation: false, responsive: true, maintainAspectRatio: false, ...options}}));
}

function runColour(k) { return styleColour(k === 0 ? "--busy" : "--stall"); }

function drawActivity(runs) {
  const cycles = runs.map(run => run.meta.record.pe_cycles);
  const sums = cycles.map(of => Object.values(of).reduce((sum, value) => sum + value, 0));
  const shares = name => cycles.map((of, k) => sums[k] === 0 ? 0 : 100 * of[name] / sums[k]);
  const datasets = kActivities.map(([name, label, colour]) => ({
    label, backgroundColor: styleColour(colour), data: shares(name)}));
  const axis = {stacked: true, min: 0, max: 100, title: {display: true, text: "% of the cycles of PEs with a program"}};
  drawChart("activity", "bar", {labels: runs.map(run => run.name), datasets}, {
    indexAxis: "y", scales: {x: axis, y: {stacked: true}}});
}

function drawHistogram(runs, valueLists, scale, unit) {
  const width = (scale.most - scale.least) / kBins || 1;
  const datasets = runs.map((run, k) => {
    const counts = new Array(kBins).fill(0);
    for (const value of valueLists[k]) {
      if (!Number.isNaN(value)) ++counts[Math.min(kBins - 1, Math.floor((value - scale.least) / width))];
    }
    return {label: run.name, data: counts, backgroundColor: runColour(k), categoryPercentage: 1, barPercentage: 0.95};
  });
  const labels = Array.from({length: kBins}, (_, bin) => shown(Math.round(scale.least + bin * width)));
  const what = runs[0].tile === 1 ? "PEs" : "tiles";
  drawChart("histogram", "bar", {labels, datasets}, {
    scales: {x: {title: {display: true, text: unit}}, y: {type: "logarithmic", title: {display: true, text: what}}},
    plugins: {legend: {display: runs.length > 1}}});
}

// A point for each distinct pair of PEs or tiles that computed and moved words, at most kMostPoints.
function rooflinePoints(run, statistic) {
  const [flops, sent, received] = ["flops", "sent", "received"].map(name => valuesOf(run.planes.get(name), statistic));
  const cycles = run.meta.record.cycles, points = new Map();
  for (let k = 0; k < flops.length && points.size < kMostPoints; ++k) {
    const words = sent[k] + received[k];
    if (!(flops[k] > 0 && words > 0 && cycles > 0)) continue;
    const point = {x: flops[k] / words, y: flops[k] / cycles};
    points.set(`${point.x} ${point.y}`, point);
  }
  return [...points.values()];
}

// Bounds of a PE: 2 flops for each element of a multiply-add, a word in and a word out a
// cycle.
function roofs(run, points) {
  const machine = run.meta.machine;
  const words = 2 / machine.link_interval_cycles, xs = points.map(point => point.x);
  const least = Math.min(...xs, 0.1) / 2, most = Math.max(...xs, 10) * 2;
  const peaks = [["f32 multiply-add", 2 * machine.simd_other], ["f16 multiply-add", 2 * machine.simd_16bit]];
  return peaks.map(([label, peak]) => {
    const ridge = peak / words;
    const line = [{x: least, y: least * words}, {x: ridge, y: peak}, {x: Math.max(most, ridge), y: peak}];
    return {label, data: line, showLine: true, pointRadius: 0, borderWidth: 1, borderColor: styleColour("--weak"),
            backgroundColor: "transparent"};
  });
}

function drawRoofline(runs, statistic) {
  const lists = runs.filter(run => ["flops", "sent", "received"].every(name => run.planes.has(name)))
                    .map(run => ({run, points: rooflinePoints(run, statistic)}));
  if (lists.length === 0) return;
  const datasets = lists.map(({run, points}, k) => ({
    label: run.name, data: points, pointRadius: 3, backgroundColor: runColour(k)}));
  datasets.push(...roofs(lists[0].run, lists.flatMap(list => list.points)));
  drawChart("roofline", "scatter", {datasets}, {scales: {
    x: {type: "logarithmic", title: {display: true, text: "flops a wavelet"}},
    y: {type: "logarithmic", title: {display: true, text: "flops a cycle"}}}});
}
