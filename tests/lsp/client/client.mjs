// Exchanges of the protocol's own client library with `wsevm lsp`: node client.mjs WSEVM PROGRAM.wsa
// The program is asm/tutorial/8-tasks.wsa. Prints each thing that is wrong, and how many exchanges
// there were; the exit code is 1 if something was.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import protocol from "vscode-languageserver-protocol/node";

const { createProtocolConnection, StreamMessageReader, StreamMessageWriter } = protocol;
const [wsevm, file] = process.argv.slice(2);
const text = readFileSync(file, "utf8");
const uri = pathToFileURL(file).href;
const server = spawn(wsevm, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
const connection = createProtocolConnection(
  new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
const published = new Map();
const waiting = [];
connection.onNotification("textDocument/publishDiagnostics", (params) => {
  published.set(params.uri, params.diagnostics);
  for (const wake of waiting.splice(0)) wake();
});
connection.listen();

let exchanges = 0;
let failures = 0;
function expect(holds, what) {
  exchanges += 1;
  if (holds) return;
  failures += 1;
  console.log(`wrong: ${what}`);
}
function place(words, number = 1) {
  let at = text.indexOf(words);
  while (--number > 0) at = text.indexOf(words, at + 1);
  const before = text.slice(0, at).split("\n");
  return { line: before.length - 1, character: before.at(-1).length };
}
const diagnostics = () =>
  new Promise((resolve) => waiting.push(() => resolve(published.get(uri))));
const document = { uri };
const at = (method, words, number, more) => connection.sendRequest(
  `textDocument/${method}`, { textDocument: document, position: place(words, number), ...more });
const whole = (method, more) => connection.sendRequest(
  `textDocument/${method}`, { textDocument: document, ...more });
const change = (changes) => connection.sendNotification("textDocument/didChange",
  { textDocument: { uri, version: 2 }, contentChanges: changes });
const all = { start: { line: 0, character: 0 }, end: { line: 1000, character: 0 } };

const begun = await connection.sendRequest("initialize",
  { processId: process.pid, rootUri: null, capabilities: {} });
expect(begun.serverInfo.name === "wsevm", "the server's name");
expect(begun.capabilities.renameProvider.prepareProvider, "renames are prepared");
await connection.sendNotification("initialized", {});
await connection.sendNotification("textDocument/didOpen",
  { textDocument: { uri, languageId: "wsa", version: 1, text } });
expect((await diagnostics()).length === 0, "the program is right");
expect((await at("hover", "receiver")).contents.value.includes("**program**"), "hover of a program");
expect((await at("hover", "sum,")).contents.value.includes("r0"), "hover of a register");
expect((await at("hover", "add32")).contents.value.includes("wrapping"), "hover of an instruction");
expect((await at("hover", ".entry")).contents.value.includes("control tasks"), "hover of a directive");
expect((await at("hover", "; A stream")) === null, "no hover of a comment");
expect((await at("definition", "count, count"))[0].range.start.line === place(".i32 count").line,
  "the definition of data");
expect((await at("definition", "stop, nop"))[0].range.start.line === place(".entry").line,
  "the definition of an entry");
const uses = await at("references", "count", 1, { context: { includeDeclaration: true } });
expect(uses.length === 5, `${uses.length} references`);
expect((await at("documentHighlight", "red")).length === 6, "highlights of a colour");
expect((await at("prepareRename", "sum")).placeholder === "sum", "the name to rename");
expect((await at("prepareRename", "add32")) === null, "no rename of an instruction");
expect((await at("rename", "sum", 1, { newName: "total" })).changes[uri].length === 5, "a rename");
expect(await at("rename", "sum", 1, { newName: "value" }).then(() => false, () => true),
  "a rename to a name that is taken");
const words = (await at("completion", "red, control")).items.map((item) => item.label);
expect(words.includes("red") && !words.includes("fmacs"), "completion of a colour");
const lines = (await at("completion", "halt")).items.map((item) => item.label);
expect(lines.includes("fmacs") && lines.includes(".reg"), "completion of a statement");
const symbols = await whole("documentSymbol");
expect(symbols.some((symbol) => symbol.name === "receiver" && symbol.children.length > 3), "symbols");
expect((await whole("foldingRange")).length >= 4, "folds");
const colours = await whole("semanticTokens/full");
expect(colours.data.length % 5 === 0 && colours.data.length > 400, "semantic tokens");
expect((await whole("inlayHint", { range: all })).some((hint) => hint.label.includes("(+ ld32")),
  "what was added to a line");
expect((await whole("codeLens")).length === 2, "lenses");
await change([{ range: { start: place("add32"), end: place("add32") }, text: "x" }]);
const found = await diagnostics();
expect(found.length === 1 && found[0].code === "E012", "an error after typing");
const actions = await whole("codeAction",
  { range: found[0].range, context: { diagnostics: found } });
expect(actions.length === 1 && actions[0].kind === "quickfix", "a quick fix");
const edit = actions[0].edit.changes[uri][0];
await change([{ range: edit.range, text: edit.newText }]);
expect((await diagnostics()).length === 0, "the quick fix mends it");
expect(await connection.sendRequest("no/such").then(() => false, (error) => error.code === -32601),
  "an unknown method");
await connection.sendNotification("textDocument/didClose", { textDocument: document });
expect((await connection.sendRequest("shutdown")) === null, "shutdown");
const ended = new Promise((resolve) => server.on("exit", resolve));
await connection.sendNotification("exit");
expect((await ended) === 0, "the exit code");
console.log(`${exchanges} exchanges, ${failures} wrong`);
process.exit(failures === 0 && exchanges >= 25 ? 0 : 1);
