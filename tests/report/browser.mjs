// browser.mjs BROWSER ONE.html TWO.html MORE.html PATH.html PATH.json VALUES.json [FOLDER]: pages in a browser. Values that it shows
// are those of the profile, clicks and keys do what the page says, two runs are compared, and nothing is
// said on the console. Screenshots go into FOLDER. VALUES is {"width": w, "height": h, "values": {"array label": {"x,y": number}}}.
import {readFileSync, writeFileSync} from "node:fs";
import {pathToFileURL} from "node:url";

import {Browser} from "./devtools.mjs";

const [executable, onePage, twoPage, morePage, pathPage, pathFile, valuesFile, folder] = process.argv.slice(2);
const expectedPath = JSON.parse(readFileSync(pathFile, "utf8"));
const expected = JSON.parse(readFileSync(valuesFile, "utf8"));
const failures = [], messages = [];

function same(what, found, wanted) {
  const [is, should] = [found, wanted].map(value => JSON.stringify(value));
  if (is !== should) failures.push(`${what}: ${is}, not ${should}`);
}

// The numbers of the table of the PE that is chosen, by label.
const kTableOfPe = `Object.fromEntries([...document.querySelectorAll("#pe-values tbody tr")].map(
  row => [row.cells[0].textContent, Number(row.cells[1].dataset.value)]))`;
const kHash = `Object.fromEntries(new URLSearchParams(location.hash.slice(1)))`;

// Where the middle of the cell of PE (x, y) is in the window, for the map with that number.
async function place(browser, x, y, map = 0) {
  return browser.evaluate(`(() => {
    const canvas = document.querySelectorAll("#maps canvas")[${map}];
    canvas.scrollIntoView({block: "center"});
    const box = canvas.getBoundingClientRect();
    return [box.left + 1 + (${x} + 0.5) / ${expected.width} * (box.width - 2),
            box.top + 1 + (${y} + 0.5) / ${expected.height} * (box.height - 2)];
  })()`);
}

async function valuesEqualTheFile(browser) {
  let compared = 0;
  const places = new Set(Object.values(expected.values).flatMap(values => Object.keys(values)));
  for (const at of places) {
    const [x, y] = at.split(",").map(Number);
    await browser.click(...await place(browser, x, y));
    const shown = await browser.evaluate(kTableOfPe);
    for (const [label, values] of Object.entries(expected.values)) {
      if (!(at in values)) continue;
      same(`${label} of PE(${at})`, shown[label], values[at]);
      ++compared;
    }
  }
  if (compared < 200) failures.push(`only ${compared} values were compared`);
}

// Routes of a PE of heat, and the lines of its program: PE(1, 1) has four neighbours, PE(0, 0) two.
async function peIsExplained(browser) {
  const rows = id => browser.evaluate(`[...document.querySelectorAll("#${id} tbody tr")].map(row => row.innerText)`);
  await browser.click(...await place(browser, 0, 0));
  const corner = await rows("pe-routes");
  same("routes of a corner", corner.length, 4);
  await browser.click(...await place(browser, 1, 1));
  const inner = await rows("pe-routes");
  same("routes of an inner PE", inner.length, 8);
  same("a route", inner[0], "east0\twest \u2192 ramp");
  const lines = await rows("pe-lines");
  if (lines.length < 5) failures.push(`the lines of a PE have ${lines.length} rows`);
  const hint = await browser.evaluate(`document.querySelector("#pe-lines .hint").textContent`);
  if (!/^On average a PE of its program, one of 24, waits most for \w+, [\d.]+ cycles, at heat.wsa:\d+\.$/.test(hint)) {
    failures.push(`of waits: ${hint}`);
  }
}

async function keysWork(browser) {
  await browser.click(...await place(browser, 1, 1));
  same("a click", (await browser.evaluate(kHash)).pe, "1,1");
  await browser.evaluate(`document.querySelector("#maps canvas").focus()`);
  const steps = [["ArrowRight", "2,1"], ["ArrowDown", "2,2"], ["ArrowLeft", "1,2"], ["ArrowUp", "1,1"],
                 ["ArrowUp", "1,0"], ["ArrowUp", "1,0"]];
  for (const [key, pe] of steps) {
    await browser.press(key);
    same(key, (await browser.evaluate(kHash)).pe, pe);
  }
  const first = (await browser.evaluate(kHash)).map;
  await browser.press("m");
  const next = (await browser.evaluate(kHash)).map;
  if (next === first) failures.push("m does not change the array");
  await browser.press("M", "M");
  same("M", (await browser.evaluate(kHash)).map, first);
  await browser.press("l");
  same("l", (await browser.evaluate(kHash)).scale, "log");
  await browser.press("/");
  same("/", await browser.evaluate(`document.activeElement.id`), "search");
  for (const letter of "3,2") await browser.press(letter);
  await browser.press("Enter", "\r");
  same("finding a PE", (await browser.evaluate(kHash)).pe, "3,2");
}

async function findingsLead(browser) {
  await browser.evaluate(`document.querySelector("#findings button").click()`);
  same("the first finding", (await browser.evaluate(kHash)).map, "busy");
  const sections = await browser.evaluate(`[...document.querySelectorAll("h2")].map(heading => heading.textContent)`);
  for (const heading of ["What holds it back", "Maps", "Lines", "Fullest links", "Record"]) {
    if (!sections.includes(heading)) failures.push(`there is no heading '${heading}'`);
  }
  const rows = await browser.evaluate(`document.querySelectorAll("#lines tbody tr").length`);
  if (rows < 2) failures.push(`the lines have ${rows} rows`);
}

// The colours of text are at least 4.5 times as light, or as dark, as what is behind them.
async function contrastSuffices(browser, scheme) {
  const ratios = await browser.evaluate(`(() => {
    const light = colour => {
      const [red, green, blue] = [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16) / 255)
        .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
    return ["--text", "--weak", "--accent"].flatMap(name => ["--back", "--raised"].map(behind =>
      [name + " on " + behind, ratio(styleColour(name), styleColour(behind))]));
  })()`);
  for (const [name, ratio] of ratios) {
    if (ratio < 4.5) failures.push(`${scheme}: the contrast of ${name} is ${ratio.toFixed(2)}`);
  }
  const behind = await browser.evaluate(`styleColour("--back")`);
  same(`${scheme}: the background`, behind, scheme === "dark" ? "#14171b" : "#ffffff");
}

// Slices, classes and causes, which optional.py has made up: activity of slice s and tile n is 12 s + n
// for busy, a cell of a map being the mean of its PEs.
async function timeMoves(browser) {
  const firstValue = `(() => {
    const box = document.querySelector("#maps canvas").getBoundingClientRect();
    const at = {clientX: box.left + 3, clientY: box.top + 3, bubbles: true};
    document.querySelector("#maps canvas").dispatchEvent(new PointerEvent("pointermove", at));
    return document.getElementById("pointed").textContent;
  })()`;
  const move = async time => {
    await browser.evaluate(`(slider => { slider.value = ${time}; slider.oninput(); })(document.getElementById("slice"))`);
    return browser.evaluate(firstValue);
  };
  same("slice 1", await move(1), "PEs (0..1, 0..1): 0 cycles");
  same("slice 4", await move(4), "PEs (0..1, 0..1): 36 cycles");
  same("the address", (await browser.evaluate(kHash)).t, "4");
  same("the scale of all slices", await browser.evaluate(`document.getElementById("legend-most").textContent`), "47 cycles");
  await browser.press("[");
  same("[", await browser.evaluate(firstValue), "PEs (0..1, 0..1): 24 cycles");
  await browser.press("]");
  await browser.press("]");
  same("]", (await browser.evaluate(kHash)).t, "4");
  await browser.evaluate(`document.getElementById("play").click()`);
  await browser.until(`document.getElementById("play").textContent === "play" && location.hash.includes("t=4")`);
  const classes = await browser.evaluate(`[...document.querySelectorAll("#classes tbody tr")].map(row => row.innerText)`);
  same("classes", classes.map(text => text.split("\t")[0]), ["42", "6"]);
  const titles = await browser.evaluate(`[...document.querySelectorAll("#lines thead th")].map(head => head.textContent)`);
  same("causes", ["issue", "input", "bank"].map(cause => titles.includes(cause)), [true, true, false]);
  const maps = await browser.evaluate(`[...document.getElementById("map").options].map(option => option.value)`);
  same("maps", ["queue_peak", "class", "mark_first.begin"].filter(map => !maps.includes(map)), []);
}

// The tables of the critical path are those of `wsevm path`; it is drawn over the map, and beside its PEs.
async function pathIsShown(browser) {
  const rows = await browser.evaluate(`[...document.querySelectorAll("#path-steps tbody tr")].map(
    row => [row.cells[3].textContent, Number(row.cells[0].dataset.value), Number(row.cells[2].dataset.value)])`);
  const kinds = {}, wanted = Object.fromEntries(Object.entries(expectedPath.kinds).filter(([, cycles]) => cycles > 0).sort());
  for (const [kind, cycles] of rows) kinds[kind] = (kinds[kind] ?? 0) + cycles;
  same("cycles by kind", Object.fromEntries(Object.entries(kinds).filter(([, cycles]) => cycles > 0).sort()), wanted);
  same("steps", rows.reduce((sum, row) => sum + row[2], 0), expectedPath.steps);
  const text = await browser.evaluate(`document.getElementById("path-text").textContent`);
  for (const [term, cycles] of Object.entries(expectedPath.terms)) {
    if (!text.includes(`${term} ${cycles.toLocaleString("en")} (`)) failures.push(`of ${term}: ${text}`);
  }
  const drawn = () => browser.evaluate(`document.querySelector("#maps canvas").toDataURL()`);
  const tick = () => browser.evaluate(`document.getElementById("path").click()`);
  const over = await drawn();
  await tick();
  same("the address without a path", (await browser.evaluate(kHash)).path, "off");
  if (await drawn() === over) failures.push("the path is not drawn over the map");
  await tick();
  if (await drawn() !== over) failures.push("the path does not come back");
  await browser.evaluate(`document.querySelector("#path-steps td.place button").click()`);
  const place = await browser.evaluate(`[document.querySelector("#path-steps td.place button").textContent,
    document.querySelector("#chosen-line td.place").textContent]`);
  same("the line of a step", place[0], place[1]);
  await browser.evaluate(`document.querySelector("#path-steps tbody tr button").click()`);
  const such = await browser.evaluate(`document.querySelector("#path-steps tbody tr button").textContent`);
  same("the PE of a step", `PE(${(await browser.evaluate(kHash)).pe?.replace(",", ", ")})`, such);
  const lane = await browser.evaluate(`(() => {
    const canvas = document.getElementById("path-timeline");
    canvas.scrollIntoView({block: "center"});
    const box = canvas.getBoundingClientRect();
    return [box.left + 5, box.top + 3];
  })()`);
  await browser.click(...lane);
  same("the first lane", (await browser.evaluate(kHash)).pe, expectedPath.segments[0].steps[0].from.join(","));
  const ink = await browser.evaluate(`(canvas => new Set(new Uint32Array(canvas.getContext("2d").getImageData(
    90, 0, canvas.width - 90, canvas.height).data.buffer)).size)(document.getElementById("path-timeline"))`);
  if (ink < 3) failures.push(`the timeline has ${ink} colours`);
}

async function noPathIsShown(browser) {
  same("parts of a path", await browser.evaluate(`["path-section", "path-label"].map(id => document.getElementById(id).hidden)`), [true, true]);
}

async function lookAt(page, check, options = {}, name = null) {
  const browser = new Browser(executable, options);
  try {
    await browser.open(pathToFileURL(page).href + (options.hash ?? ""), messages);
    await check(browser);
    if (folder && name) writeFileSync(`${folder}/${name}.png`, await browser.screenshot());
  } finally {
    await browser.close();
  }
}

await lookAt(onePage, async browser => {
  await contrastSuffices(browser, "light");
  await valuesEqualTheFile(browser);
  await peIsExplained(browser);
  await keysWork(browser);
  await findingsLead(browser);
  await noPathIsShown(browser);
}, {}, "one");
await lookAt(onePage, async browser => {
  await contrastSuffices(browser, "dark");
  const state = await browser.evaluate(`["map", "scale"].map(id => document.getElementById(id).value)`);
  same("the state of the address", state, ["elements", "log"]);
  const heading = await browser.evaluate(`document.getElementById("pe-heading").textContent`);
  same("the PE of the address", heading.split(" runs")[0], "PE(2, 1)");
}, {dark: true, width: 500, height: 800, hash: "#map=elements&scale=log&pe=2,1"}, "one-dark-narrow");
await lookAt(twoPage, async browser => {
  same("maps of two runs", await browser.evaluate(`document.querySelectorAll("#maps canvas").length`), 3);
  await browser.evaluate(`(slider => { slider.value = 70; slider.oninput(); })(document.getElementById("slice"))`);
  const captions = await browser.evaluate(`[...document.querySelectorAll("#maps figcaption")].map(caption => caption.textContent)`);
  same("a map of the first run", captions[0], "four");
  const at = /^nine: cycles (\d+) to (\d+)$/.exec(captions[1])?.slice(1).map(Number) ?? [];
  const begin = await browser.evaluate(`Number(/\\d+/.exec(document.getElementById("slice-text").textContent)[0])`);
  if (!(at[0] <= begin && begin <= at[1])) failures.push(`slices at one time: ${captions[1]} beside cycle ${begin}`);
  await browser.evaluate(`(slider => { slider.value = 0; slider.oninput(); })(document.getElementById("slice"))`);
  same("columns of the record", await browser.evaluate(`document.querySelectorAll("#record thead th").length`), 4);
  await browser.evaluate(`(second => { second.value = "none"; second.onchange(); })(document.getElementById("second"))`);
  same("maps of one run", await browser.evaluate(`document.querySelectorAll("#maps canvas").length`), 1);
}, {}, "two");

await lookAt(morePage, timeMoves, {}, "more");
await lookAt(pathPage, pathIsShown, {}, "path");

for (const message of messages) failures.push(message);
for (const failure of failures) console.log(failure);
process.exit(failures.length === 0 ? 0 : 1);
