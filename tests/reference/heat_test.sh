#!/usr/bin/env bash
# heat_test.sh WSEVM REFERENCE: runs programs/heat on plates of several shapes and compares every cell with
# double precision. A wrong alpha must be noticed, or the comparison is blind.
set -euo pipefail
wsevm=$1 reference=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

plate() {  # W H N: a plate with a hot corner and a gradient
  cat >"$scratch/plate.wsa" <<WSA
.grid $1, $2
.program plate
  .f32 x[$3] exported = 3.0 * x + 0.5 * (y * $3 + i) + (x + y * $3 + i < 3 ? 80 : 0)
  task main:
.place plate at (0..$1 - 1, 0..$2 - 1)
WSA
  "$wsevm" run "$scratch/plate.wsa" --out x="$scratch/x.npy" >/dev/null
}

for shape in "1 1 1" "2 2 1" "5 3 1" "7 1 4" "1 6 3" "8 8 5" "33 20 2"; do
  read -r w h n <<<"$shape"
  plate "$w" "$h" "$n"
  for machine in model wse2; do
    "$wsevm" run programs/heat/heat.wsa W="$w" H="$h" N="$n" steps=25 --machine=$machine --strict \
      --in x="$scratch/x.npy" --out y="$scratch/y.npy" >/dev/null
    echo -n "$shape on $machine: "
    "$reference" "$scratch/x.npy" "$scratch/y.npy" 25 0.2
  done
done
if "$reference" "$scratch/x.npy" "$scratch/y.npy" 25 0.21 >/dev/null; then
  echo "the comparison does not notice a wrong alpha"
  exit 1
fi
