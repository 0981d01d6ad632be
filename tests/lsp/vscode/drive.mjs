// drive.mjs BROWSER VSCODE SCRATCH PROGRAM.wsa WSEVM [FOLDER]: a person's way through the extension in VS Code. VSCODE is the
// folder of its server, SCRATCH has the extension in extensions/, PROGRAM is a copy of programs/heat/heat.wsa beside
// a profile heat.npz. Prints each thing that is wrong; pictures of the steps go into FOLDER.
import {readFileSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";

import {Workbench, startServer} from "./workbench.mjs";

const [browser, vscode, scratch, program, wsevm, pictures] = process.argv.slice(2);
const lines = readFileSync(program, "utf8").split("\n");
const lineOf = words => lines.findIndex(line => line.includes(words)) + 1;
const columnOf = (words, inner) => lines[lineOf(words) - 1].indexOf(inner) + 1;

let steps = 0;
const failures = [];
function expect(holds, what) {
  ++steps;
  if (!holds) failures.push(what);
}
async function picture(page, name) {
  await page.pause(600);
  if (pictures) writeFileSync(join(pictures, `${name}.png`), await page.screenshot());
}

async function lensesAndHints(page) {
  await page.untilText(".codelens-decoration", "48 PEs");
  await page.command("Toggle Primary Side Bar Visibility");
  expect((await page.texts(".codelens-decoration"))[0].includes("run"), "the lens that runs the program");
  await page.goTo(lineOf("fadds flow, u[0:N]"), 5);
  await page.untilText(".view-lines", "(+ setd");
  const shown = await page.texts(".view-lines .view-line");
  expect(shown.some(text => /fmacs flow.*\d %: issue 67 %, setup 33 %.*cycle/.test(text)), "cycles of the run");
  await picture(page, "cycles");
}

async function hovers(page) {
  await page.goTo(lineOf(".colour east0"), columnOf(".colour east0", "east0") + 1);
  await page.command("Show or Focus Hover");
  await page.untilText(".monaco-hover", "24 can send, 24 can receive");
  await picture(page, "hover");
  await page.key("Escape");
}

async function mistakeAndRemedy(page) {
  const line = lineOf("wait to_east");
  await page.goTo(line, 500);  // its end
  await page.key("Enter");
  await page.type("hault");
  await page.until(`document.querySelector(".squiggly-error") !== null`);
  await page.command("Show or Focus Hover");
  await page.untilText(".monaco-hover", "unknown instruction 'hault'");
  await page.key("Escape");
  await page.command("Quick Fix");
  await page.untilText(".action-widget", "did you mean 'halt'?");
  await picture(page, "remedy");
  await page.key("Enter");
  await page.until(`document.querySelector(".squiggly-error") === null`);
  await page.untilText(".view-lines", "halt");
  for (let turn = 0; turn < 3; ++turn) await page.command("Undo");
}

async function renames(page) {
  await page.goTo(lineOf(".colour east0"), columnOf(".colour east0", "east0") + 1);
  await page.command("Rename Symbol");
  await page.until(`document.querySelector(".rename-box input")?.value === "east0"`);
  await page.key("a", 2);
  await page.type("eastward");
  await picture(page, "rename");
  await page.key("Enter");
  await page.untilText(".view-lines", ".colour eastward, east1");
  await page.goTo(lineOf("setd east_out"), 1);
  await page.untilText(".view-lines", "x % 2 ? east1 : eastward");
  expect((await page.texts(".squiggly-error")).length === 0, "no error after the rename");
}

async function completes(page) {
  const line = lineOf("setd east_out");
  await page.goTo(line, 500);  // its end
  await page.key("Enter");
  await page.type("setd west_out, fabout(");
  await page.key(" ", 2);  // Ctrl+Space
  await page.untilText(".suggest-widget .monaco-list-rows", "west0");
  const offered = (await page.texts(".suggest-widget .monaco-list-row .label-name")).join(" ");
  expect(offered.includes("north0") && !/fadds|has_west/.test(offered), `colours alone are offered: ${offered}`);
  await picture(page, "completion");
  await page.key("Escape");
}

const server = await startServer(vscode, scratch, {"wsevm.path": wsevm, "wsevm.values": {W: 8, H: 6}, "wsevm.profile": "heat.npz"});
const page = new Workbench(browser, {local: true, width: 1000, height: 560});
try {
  await page.show(server.port, dirname(program), program);
  for (const step of [lensesAndHints, hovers, mistakeAndRemedy, renames, completes]) {
    await step(page);
    console.log(step.name);
    ++steps;
  }
} catch (error) {
  failures.push(`${error.message}; the server said: ${server.said().slice(-2000)}`);
  writeFileSync(join(scratch, "failed.png"), await page.screenshot().catch(() => ""));
} finally {
  await page.close();
  server.child.removeAllListeners("exit");
  server.child.kill();
}
for (const failure of failures) console.log(`wrong: ${failure}`);
console.log(`${steps} steps, ${failures.length} wrong`);
process.exit(failures.length === 0 ? 0 : 1);
