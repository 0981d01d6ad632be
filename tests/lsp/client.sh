#!/usr/bin/env bash
# client.sh WSEVM NODE NPM: the client library of the protocol's authors talks to `wsevm lsp`. Exit code 77, which skips
# the test: there is no npm, or the library cannot be fetched. Must never write outside its scratch folder.
set -euo pipefail
wsevm=$1 node=$2 npm=$3
[[ -x $npm ]] || { echo 'there is no npm'; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp tests/lsp/client/* "$scratch"
(cd "$scratch" && HOME=$scratch timeout 300 "$npm" ci --ignore-scripts --no-audit --no-fund >log 2>&1) ||
  { tail -n 5 "$scratch/log"; exit 77; }
timeout 120 "$node" "$scratch/client.mjs" "$wsevm" "$PWD/asm/tutorial/8-tasks.wsa"
