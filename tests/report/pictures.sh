#!/usr/bin/env bash
# pictures.sh WSEVM BROWSER NODE: draws the pictures of reports that READMEs of scripts/ show, scripts/*/report.png. To be run at
# the top of the tree, since pages show the names of the files that were run.
set -euo pipefail
wsevm=$1 browser=$2 node=$3
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

# profile NAME SCRIPT ARGUMENT...: keeps the last run of a script.
profile() {
  local name=$1
  shift
  "$wsevm" run "$@" --quiet --profile="$made/$name.npz" >/dev/null
}

# picture ROOM STATE PROFILE...: a page of profiles in a state.
picture() {
  local to=scripts/$1/report.png state=$2
  shift 2
  "$wsevm" report "${@/#/$made/}" -o "$made/page.html"
  "$node" tests/report/picture.mjs "$browser" "$made/page.html" "$state" 1000 "$to"
  echo "$to: $(stat -c %s "$to") bytes"
}

profile chain scripts/collectives/reduce.lua pattern=xy-chain width=32 height=32 B=64
profile tree scripts/collectives/reduce.lua pattern=xy-tree width=32 height=32 B=64
picture collectives 'map=busy&t=20' chain.npz tree.npz
wave=(scripts/stencil/acoustic25.lua nx=24 ny=24 nz=100 steps=3 'source=12,12,50')
profile paper "${wave[@]}"
profile compiled "${wave[@]}" kernel=compiled
picture stencil map=memory_stall paper.npz compiled.npz
product=(scripts/gemm/gemm.lua P=24 Mt=4 Kt=4 Nt=4 --machine=wse3)
profile cannon "${product[@]}" algorithm=cannon
profile meshgemm "${product[@]}" algorithm=meshgemm
picture gemm map=link.east cannon.npz meshgemm.npz
