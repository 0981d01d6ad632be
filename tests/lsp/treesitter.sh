#!/usr/bin/env bash
# treesitter.sh PRINT_TOKENS CC NODE: the parser of scripts/editors/tree-sitter, run by libtree-sitter, and the rules of its
# grammar.js cut every .wsa of the tree as the scanner does, without an ERROR node. Exit code 77, which skips the test: there is
# no libtree-sitter. Must never write outside its scratch folder.
set -euo pipefail
print_tokens=$1 cc=$2 node=$3
[[ -e /usr/include/tree_sitter/api.h && -x $node ]] || { echo 'there is no libtree-sitter, or no Node'; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$cc" -Wall -Wextra -Werror -O1 -o "$scratch/print_nodes" tests/lsp/print_nodes.c scripts/editors/tree-sitter/src/parser.c -ltree-sitter
# Bytes are characters of the scanner, not of tree-sitter; and a lone return ends no line of the scanner's.
mapfile -t files < <(git ls-files '*.wsa' | xargs grep -LP '[^\x00-\x7f]|\r|\f|\v')
"$print_tokens" "${files[@]}" >"$scratch/tokens"
"$scratch/print_nodes" "${files[@]}" >"$scratch/nodes"
# The scanner keeps bytes that mean nothing together.
grep -v ' error$' "$scratch/tokens" >"$scratch/wanted"
grep -v ' error$' "$scratch/nodes" >"$scratch/found"
diff "$scratch/wanted" "$scratch/found" | head -n 10
cmp -s "$scratch/wanted" "$scratch/found" || { echo 'the parser differs from the scanner'; exit 1; }
! grep -q ERROR "$scratch/nodes" || { echo 'there is an ERROR node'; exit 1; }
"$node" tests/lsp/client/treesitter.mjs scripts/editors/tree-sitter/grammar.js "$scratch/tokens"
# Any bytes have a tree.
head -c 200000 /dev/urandom >"$scratch/noise"
timeout 20 "$scratch/print_nodes" "$scratch/noise" | tail -n 1 | grep -q '^[0-9]'
