#!/usr/bin/env bash
# editors.sh WSEVM PRINT_TOKENS PYTHON NVIM: what editors and Pygments make of scripts/editors.
# Prints each thing that is wrong. Must never write outside its scratch folder.
set -uo pipefail
wsevm=$1 print_tokens=$2 python=$3 nvim=$4
root=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

# Sources with letters outside ASCII or lone returns are cut in other units by Python.
mapfile -t files < <(git ls-files '*.wsa' | xargs grep -LP '[^\x00-\x7f]|\r|\f|\v')
"$print_tokens" "${files[@]}" >"$scratch/tokens" || failures=1
"$python" tests/lsp/compare_lexer.py scripts/editors/pygments/wsa_lexer.py <"$scratch/tokens" || failures=1

printf '.grid 1, 1\n.program p\n  task main:\n    hault\n.place p at (0, 0)\n' >"$scratch/typo.wsa"
mapfile -t programs < <(printf '%s\n' "${files[@]}" | grep '^programs/')
"$print_tokens" "${programs[@]}" >"$scratch/programs"
HOME=$scratch XDG_STATE_HOME=$scratch XDG_CACHE_HOME=$scratch ROOT=$root WSEVM=$wsevm TYPO=$scratch/typo.wsa \
  TOKENS=$scratch/programs timeout 300 "$nvim" --headless -n -u NONE -c "luafile tests/lsp/editors.lua" \
  </dev/null || { echo 'Neovim differs'; failures=1; }
exit "$failures"
