#!/usr/bin/env bash
# stencil_examples.sh WSEVM [PYTHON]: runs the five examples of scripts/stencil that EQUATIONS.md shows, each of at most 30
# lines, and compares what they write with plain loops, or with NumPy if a PYTHON that has it is given.
set -euo pipefail
wsevm=$1 python=${2:-}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
examples=$here/../../scripts/stencil/examples
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"  # scripts write below the current folder
for name in heat smooth box27 layers shallow; do
  lines=$(wc -l <"$examples/$name.lua")
  ((lines <= 30)) || { echo "$name.lua has $lines lines"; exit 1; }
  "$wsevm" run "$examples/$name.lua" out=$name.npy >/dev/null
done
if [[ -n $python ]]; then
  "$python" "$here/examples/numpy_equal.py" .
else
  "$wsevm" run "$here/examples/plain.lua" folder=.
fi
# A value that differs is noticed.
"$wsevm" run "$examples/heat.lua" steps=51 out=heat.npy >/dev/null
if [[ -n $python ]]; then
  differs=("$python" "$here/examples/numpy_equal.py" .)
else
  differs=("$wsevm" run "$here/examples/plain.lua" folder=.)
fi
if "${differs[@]}" >/dev/null 2>&1; then echo "another step was not noticed"; exit 1; fi
