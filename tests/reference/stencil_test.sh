#!/usr/bin/env bash
# stencil_test.sh WSEVM REFERENCE: runs scripts/stencil/acoustic25.lua on grids of many shapes and compares every cell
# with the wave equation in double precision. A wrong velocity must be noticed, or the comparison is blind.
set -euo pipefail
wsevm=$1 reference=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
scripts=$PWD/scripts/stencil
cd "$scratch"  # scripts write below the current folder

impulse() {  # NX NY NZ: 1 in a corner cell and in the middle, and a field before it
  cat >field.wsa <<WSA
.grid $1, $2
.program field
  .f32 now[$3] exported = x == 0 && y == 0 && i == $3 - 1 || x == $1 / 2 && y == $2 / 2 && i == $3 / 2 ? 1 : 0
  .f32 before[$3] exported = x == $1 - 1 && y == $2 / 3 && i == 0 ? -0.5 : 0
  task main:
.place field at (0..$1 - 1, 0..$2 - 1)
WSA
  "$wsevm" run field.wsa --out now=now.npy --out before=before.npy >/dev/null
}

check() {  # KERNEL THREADS SCRIPT-ARGUMENTS... -- REFERENCE-ARGUMENTS...
  local kernel=$1 threads=$2 arguments=()
  shift 2
  while [ "$1" != -- ]; do arguments+=("$1"); shift; done
  shift
  "$wsevm" run "$scripts/acoustic25.lua" kernel="$kernel" check=false out=u.npy "${arguments[@]}" \
    --threads="$threads" --oversubscribe --strict >run.txt
  "$reference" "$@" --compare u.npy >reference.txt || { cat run.txt reference.txt; exit 1; }
  echo "$kernel, $threads threads, ${arguments[*]}:$(grep compared reference.txt)"
}

for kernel in paper fused static compiled; do
  for shape in "1 1 9" "1 1 1" "2 3 5" "4 4 4" "5 1 7" "1 6 3" "7 9 11" "13 6 37"; do
    read -r nx ny nz <<<"$shape"
    impulse "$nx" "$ny" "$nz"
    check $kernel 1 nx="$nx" ny="$ny" nz="$nz" steps=12 source=none in=now.npy before=before.npy -- \
      --ngrid "$nx,$ny,$nz" --nsteps 12 --no_source --in now.npy --before before.npy
  done
  check $kernel 2 nx=11 ny=8 nz=15 steps=30 source=2,7,1 velocity=3000 fmax=18 -- \
    --ngrid 11,8,15 --nsteps 30 --source_loc 2,7,1 --velocity 3000 --fmax 18
  check $kernel 2 nx=8 ny=13 nz=10 steps=25 block=4 dx=12.5 dy=20 dz=31 source=0,12,9 -- \
    --ngrid 8,13,10 --nsteps 25 --dgrid 12.5,20,31 --source_loc 0,12,9
  check $kernel 1 nx=10 ny=10 nz=10 steps=10 dt=0.001610153 velocity=2000 source=0,0,0 -- \
    --ngrid 10,10,10 --nsteps 10 --dt 0.001610153 --velocity 2000 --source_loc 0,0,0
done
# The yardstick of speed computes the same.
"$reference" --quick --ngrid 10,10,10 --nsteps 10 --dt 0.001610153 --velocity 2000 --source_loc 0,0,0 --compare u.npy |
  grep compared

planned() {  # SCRIPT ARGUMENTS...: the plan of the memory holds for what is assembled, and is near it
  local plan listed
  plan=$("$wsevm" run "$@" | sed -n 's/^ *\([0-9]*\) of 49152 bytes$/\1/p')
  "$wsevm" gen "$@" -o planned.wsa >/dev/null
  listed=$("$wsevm" asm planned.wsa --list -o planned.wsb | sed -n 's/^ *memory: \([0-9]*\) of .*/\1/p' | sort -n | tail -n 1)
  echo "${*##*/}: $plan bytes planned, $listed taken"
  [ "$listed" -le "$plan" ] && [ $((plan - listed)) -le 1024 ]
}
planned "$scripts/acoustic25.lua" nx=9 ny=9 nz=37 block=9 steps=2
planned "$scripts/acoustic25.lua" nx=9 ny=9 nz=37 block=8 steps=2 kernel=fused
planned "$scripts/acoustic25.lua" nx=9 ny=19 nz=37 block=8 steps=2 kernel=static
planned "$scripts/acoustic25.lua" nx=9 ny=19 nz=37 block=8 steps=2 kernel=compiled
planned "$scripts/star.lua" radius=1 dims=3 coefficients=0,0.1
planned "$scripts/star.lua" radius=4 dims=2 coefficients=0,0.1,0.1,0.1,0.1
planned "$scripts/star.lua" shape=box coefficients=0,1,0,1,-4,1,0,1,0

if "$reference" --ngrid 10,10,10 --nsteps 10 --dt 0.001610153 --velocity 2001 --source_loc 0,0,0 --compare u.npy >/dev/null; then
  echo "the comparison does not notice a wrong velocity"
  exit 1
fi
