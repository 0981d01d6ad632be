#!/usr/bin/env bash
# stencil_share.sh WSEVM REFERENCE [KERNEL [NX,NY,NZ [STEPS]]]: how many cells per second the machine computes on two
# threads, and which share of the optimised native steps that is, both measured here and now. The first step takes
# longer, or less, than later ones.
set -euo pipefail
wsevm=$1 reference=$2 kernel=${3:-static} grid=${4:-200,200,334} steps=${5:-5}
IFS=, read -r nx ny nz <<<"$grid"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$wsevm" run scripts/stencil/acoustic25.lua kernel="$kernel" nx="$nx" ny="$ny" nz="$nz" steps="$steps" check=false \
  --threads=2 --quiet --json="$scratch/record.json" | grep "cycles per step"
"$reference" --quick --ngrid "$grid" --nsteps 20 | tee "$scratch/native.txt" | grep -E "nthreads|Speed|Memory"
seconds=$(sed -n 's/^ *"wall_seconds": \([0-9.e+-]*\),$/\1/p' "$scratch/record.json" | tail -n 1)
native=$(sed -n 's/^ Speed *\([0-9.e+-]*\) .*/\1/p' "$scratch/native.txt")
awk -v cells=$((nx * ny * nz * steps)) -v seconds="$seconds" -v native="$native" -v kernel="$kernel" -v steps="$steps" 'BEGIN {
  printf "kernel=%s: %d steps in %.1f s, %.2f Mcell/s, 1/%.0f of the native steps\n", kernel, steps, seconds,
         cells / seconds / 1e6, native * 1e9 * seconds / cells }'
