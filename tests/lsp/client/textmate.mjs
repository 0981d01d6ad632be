// The TextMate grammar, read by VS Code's own engine, cuts files as the scanner does:
// node textmate.mjs GRAMMAR.json TOKENS, where TOKENS is the output of print_tokens.
// Prints the first difference of each file that has one; the exit code is 1 if one has.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import textmate from "vscode-textmate";
import oniguruma from "vscode-oniguruma";

const [grammarFile, tokensFile] = process.argv.slice(2);
const wasm = createRequire(import.meta.url).resolve("vscode-oniguruma/release/onig.wasm");
await oniguruma.loadWASM(readFileSync(wasm).buffer);
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () =>
    textmate.parseRawGrammar(readFileSync(grammarFile, "utf8"), "wsa.tmLanguage.json"),
});
const grammar = await registry.loadGrammar("source.wsa");

const kinds = [
  ["keyword.control.pragma", "pragma"], ["comment", "comment"], ["string", "string"],
  ["constant.numeric.float", "float"], ["constant.numeric.integer", "integer"],
  ["invalid", "error"], ["keyword.control.directive", "directive"],
  ["keyword.operator", "punctuation"], ["", "name"],
];
function cuts(text) {
  const found = [];
  let state = textmate.INITIAL;
  text.split("\n").forEach((line, number) => {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    for (const token of result.tokens) {
      const scope = token.scopes.at(-1);
      if (scope === "source.wsa") continue;
      const kind = kinds.find(([prefix]) => scope.startsWith(prefix))[1];
      const length = Math.min(token.endIndex, line.length) - token.startIndex;
      if (kind !== "error") found.push(`${number + 1} ${token.startIndex + 1} ${length} ${kind}`);
    }
  });
  return found;
}

const wanted = new Map();
let rows;
for (const row of readFileSync(tokensFile, "utf8").split("\n")) {
  if (row === "") continue;
  if (/^\d+ \d+ \d+ [a-z]+$/.test(row)) {
    if (!row.endsWith(" error")) rows.push(row);
  } else {
    wanted.set(row, (rows = []));
  }
}
let failures = 0;
let tokens = 0;
for (const [file, scanned] of wanted) {
  const found = cuts(readFileSync(file, "utf8"));
  tokens += scanned.length;
  const at = scanned.findIndex((row, k) => row !== found[k]);
  if (at < 0 && scanned.length === found.length) continue;
  failures += 1;
  console.log(`${file}: scanner ${scanned[at]}, grammar ${found[at]}`);
}
console.log(`${tokens} tokens of ${wanted.size} files`);
process.exit(failures === 0 && tokens > 50000 ? 0 : 1);
