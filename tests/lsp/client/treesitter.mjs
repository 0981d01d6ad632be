// The rules of grammar.js cut files as the scanner does, by tree-sitter's own rule: the longest token, of two with the same
// length the earlier one. node treesitter.mjs GRAMMAR.js TOKENS, where TOKENS is the output of print_tokens.
// Prints the first difference of each file that has one; the exit code is 1 if one has.
import { readFileSync } from "node:fs";

const [grammarFile, tokensFile] = process.argv.slice(2);
const names = new Proxy({}, { get: (_, name) => ({ name }) });
const dsl = {
  grammar: (rules) => rules, choice: (...members) => ({ members }), repeat: (inner) => ({ inner }), token: (inner) => inner,
};
const module = {};
new Function("module", ...Object.keys(dsl), readFileSync(grammarFile, "utf8"))(module, ...Object.values(dsl));
const { rules } = module.exports;
const order = rules._token(names).members.map(({ name }) => name);
if (order.join() !== Object.keys(rules).filter((name) => !["source_file", "_token"].includes(name)).join()) {
  console.log("the tokens are in another order than their rules");
  process.exit(1);
}
const tokens = order.map((name) => {
  const body = rules[name](names);
  // The longest word comes first: a pattern takes the first that fits.
  const words = body.members?.toSorted((one, other) => other.length - one.length);
  return { name, pattern: words ? new RegExp(words.join("|"), "y") : new RegExp(body.source, "y") };
});

const same = ["comment", "pragma", "string", "float", "integer", "directive", "punctuation"];
const kindOf = (name) => (same.includes(name) ? name : /^bad_|^open_/.test(name) ? "error" : "name");

// Patterns are greedy, and each finds its longest text but `float`, of which there is one.
function cuts(text) {
  const found = [];
  let line = 1, begin = 0, at = 0;
  while (at < text.length) {
    if (/\s/.test(text[at])) {
      if (text[at] === "\n") [line, begin] = [line + 1, at + 1];
      ++at;
      continue;
    }
    let best = { length: 0 };
    for (const { name, pattern } of tokens) {
      pattern.lastIndex = at;
      const length = pattern.exec(text)?.[0].length ?? 0;
      if (length > best.length) best = { name, length };
    }
    const kind = kindOf(best.name);
    if (kind !== "error") found.push(`${line} ${at - begin + 1} ${best.length} ${kind}`);
    at += best.length;
  }
  return found;
}

const wanted = new Map();
let rows;
for (const row of readFileSync(tokensFile, "utf8").split("\n").filter((one) => one !== "")) {
  if (!/^\d+ \d+ \d+ [a-z]+$/.test(row)) wanted.set(row, (rows = []));
  else if (!row.endsWith(" error")) rows.push(row);
}
let failures = 0, count = 0;
for (const [file, scanned] of wanted) {
  const found = cuts(readFileSync(file, "utf8"));
  count += scanned.length;
  const at = scanned.findIndex((row, k) => row !== found[k]);
  if (at < 0 && scanned.length === found.length) continue;
  failures += 1;
  console.log(`${file}: scanner ${scanned[at]}, grammar ${found[at]}`);
}
console.log(`${count} tokens of ${wanted.size} files`);
process.exit(failures === 0 && count > 50000 ? 0 : 1);
