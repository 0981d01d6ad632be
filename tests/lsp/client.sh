#!/usr/bin/env bash
# client.sh WSEVM PRINT_TOKENS NODE NPM: the client library of the protocol's authors talks to `wsevm lsp`, and VS Code's
# engine of grammars reads ours. Exit code 77, which skips the test: there is no npm, or the libraries cannot be fetched.
# Must never write outside its scratch folder.
set -euo pipefail
wsevm=$1 print_tokens=$2 node=$3 npm=$4
[[ -x $npm ]] || { echo 'there is no npm'; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp tests/lsp/client/* "$scratch"
(cd "$scratch" && HOME=$scratch timeout 300 "$npm" ci --ignore-scripts --no-audit --no-fund >log 2>&1) ||
  { tail -n 5 "$scratch/log"; exit 77; }
timeout 120 "$node" "$scratch/client.mjs" "$wsevm" "$PWD/asm/tutorial/8-tasks.wsa"
# Engines count characters, the scanner bytes; and a lone return ends no line of the scanner's.
mapfile -t files < <(git ls-files '*.wsa' | xargs grep -LP '[^\x00-\x7f]|\r|\f|\v')
"$print_tokens" "${files[@]}" >"$scratch/tokens"
timeout 300 "$node" "$scratch/textmate.mjs" scripts/editors/vscode/syntaxes/wsa.tmLanguage.json "$scratch/tokens"
