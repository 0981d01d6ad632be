// The data of the page: what the JSON in it holds, with arrays unpacked.
//
// A run has planes, maps of tiles of k x k PEs, and tables with a number for each line. Nothing here
// touches the page but its data.

const kTypes = {1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array};
const kActivityNames = ["busy", "memory_stall", "wait_output", "wait_input", "idle"];  // as slices have them
const kNone = 0xffffffff;  // in arrays that may lack a value

async function unpackBytes(base64) {
  const packed = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).arrayBuffer();
}

// Returns numbers that JavaScript can add: exact up to 2^53.
async function unpackCounts(array) {
  const counts = new kTypes[array.bytes](await unpackBytes(array.data));
  return array.bytes === 8 ? Float64Array.from(counts, Number) : counts;
}

async function unpackPlane(array) {
  const plane = {...array, largest: await unpackCounts(array.largest)};
  plane.mean = array.mean ? new Float32Array(await unpackBytes(array.mean)) : null;
  return plane;
}

async function unpackRun(run) {
  const planes = new Map();
  for (const array of run.planes) planes.set(array.name, await unpackPlane(array));
  const tables = new Map();
  for (const array of run.tables) tables.set(array.name, await unpackCounts(array.counts));
  return {...run, planes, tables, slices: await unpackSlices(run), path: await unpackPath(run)};
}

// Maps by slice of time, by the names of the planes that show the whole run; null without slices.
async function unpackSlices(run) {
  if (run.slices === null) return null;
  const {edges, tile, columns, rows} = run.slices, count = (await unpackCounts(edges)).length - 1;
  const slices = {...run.slices, edges: await unpackCounts(edges), count, maps: new Map()};
  const kinds = [[run.slices.activity, kActivityNames], [run.slices.links, run.meta.ports.map(port => `link.${port}`)]];
  for (const [packed, names] of kinds) {
    if (packed === null) continue;
    const counts = await unpackCounts(packed), size = count * rows * columns;
    names.forEach((name, k) => slices.maps.set(name, counts.subarray(k * size, (k + 1) * size)));
  }
  slices.pes = Float64Array.from({length: rows * columns}, (_, at) =>
    Math.min(tile, run.width - at % columns * tile) * Math.min(tile, run.height - Math.floor(at / columns) * tile));
  return slices;
}

// Returns the map of slice `time`, 1 .. count: a mean for each PE of its tiles. Null: it has no slices.
function sliceValues(run, name, time) {
  const {maps, pes, rows, columns} = run.slices, size = rows * columns;
  const counts = maps.get(name);
  if (!counts) return null;
  return Float64Array.from({length: size}, (_, at) => counts[(time - 1) * size + at] / pes[at]);
}

// The largest value of any slice, so that colours mean the same at all times.
function mostOfSlices(run, name) {
  const {maps, pes} = run.slices, counts = maps.get(name);
  let most = 0;
  counts.forEach((count, at) => { most = Math.max(most, count / pes[at % pes.length]); });
  return most;
}

async function readReport() {
  const report = JSON.parse(document.getElementById("report-data").textContent);
  report.runs = await Promise.all(report.runs.map(unpackRun));
  return report;
}

// The value of a tile, null where it has none. `statistic` is "mean" or "largest".
function valueAt(plane, statistic, tile) {
  if (statistic === "mean" && plane.mean) {
    return Number.isNaN(plane.mean[tile]) ? null : plane.mean[tile];
  }
  const value = plane.largest[tile];
  return plane.may_be_none && value === kNone ? null : value;
}

// The values of all tiles; not a number where there is none.
function valuesOf(plane, statistic) {
  return Float64Array.from({length: plane.largest.length}, (_, tile) => valueAt(plane, statistic, tile) ?? NaN);
}

function tileOf(run, x, y) {
  return Math.floor(y / run.tile) * run.columns + Math.floor(x / run.tile);
}

function isSameGrid(a, b) {
  return a.width === b.width && a.height === b.height && a.tile === b.tile;
}

// Returns a map of that name, of any run: its label and unit are those of all.
function planeNamed(report, name) {
  for (const run of report.runs) {
    if (run.planes.has(name)) return run.planes.get(name);
  }
  return null;
}

// Links with the most wavelets, over all directions: {words, x, y, port}.
function fullestLinks(run, count) {
  const links = [];
  for (const [name, plane] of run.planes) {
    if (!name.startsWith("link.")) continue;
    plane.largest.forEach((words, tile) => {
      if (words === 0 || (links.length === count && words <= links[count - 1].words)) return;
      const x = tile % run.columns * run.tile, y = Math.floor(tile / run.columns) * run.tile;
      links.push({words, x, y, port: name.slice("link.".length)});
      links.sort((a, b) => b.words - a.words);
      links.length = Math.min(links.length, count);
    });
  }
  return links;
}
