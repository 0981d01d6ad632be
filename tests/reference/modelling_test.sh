#!/usr/bin/env bash
# modelling_test.sh WSEVM REFERENCE [OPTION]: runs scripts/stencil/minimod.lua on models of many shapes and compares the
# last wavefield and the seismograms with plain C++ in double precision. A wrong layer must be noticed. OPTION: of wsevm
# run, for shapes that need no other one; "long": every shape on each engine and transport, for more steps.
set -euo pipefail
wsevm=$1 reference=$2 option=${3-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
minimod=$PWD/scripts/stencil/minimod.lua
cd "$scratch"  # scripts write below the current folder

check() {  # OPTIONS-OF-RUN SCRIPT-ARGUMENTS... -- REFERENCE-ARGUMENTS...
  local options=$1 arguments=()
  shift
  while [ "$1" != -- ]; do arguments+=("$1"); shift; done
  shift
  # shellcheck disable=SC2086  # several options
  "$wsevm" run "$minimod" wavefield=u.npy "${arguments[@]}" $options --oversubscribe --strict >run.txt
  local seismograms=()
  [ -e out/seismograms.npy ] && seismograms=(--seismograms out/seismograms.npy)
  "$reference" "$@" --wavefield u.npy "${seismograms[@]}" >reference.txt || { cat run.txt reference.txt; exit 1; }
  echo "$options ${arguments[*]}:$(grep -c compared reference.txt) compared"
  rm -rf out u.npy
}

velocities() {  # NX NY NZ: layers of 1500 to 4000 m/s that dip
  cat >model.wsa <<WSA
.grid $1, $2
.program model
  .f32 v[$3] exported = 1500 + 250 * ((i + x / 2 + y / 3) / 2 % 11)
  task main:
.place model at (0..$1 - 1, 0..$2 - 1)
WSA
  "$wsevm" run model.wsa --out v=v.npy >/dev/null
}

# Shapes: the interior, layers, a free surface, other spacings, one velocity and one for each cell, small and odd sizes.
interior() {  # OPTIONS-OF-RUN NSTEPS TOLERANCE...
  check "$1" ngrid=12,11,13 nsteps="$2" pml=0 receivers=0..11..5,5,2 -- \
    --ngrid 12,11,13 --nsteps "$2" --pml 0 --receivers 0,5,2,5,5,2,10,5,2 "${@:3}"
}
layers() {
  check "$1" ngrid=12,11,13 nsteps="$2" pml=4 receivers=1,2..4,0..1 -- \
    --ngrid 12,11,13 --nsteps "$2" --pml 4 --receivers 1,2,0,1,3,0,1,4,0,1,2,1,1,3,1,1,4,1 "${@:3}"
}
other_spacings() {
  check "$1" ngrid=9,10,14 dgrid=15,20,25 nsteps="$2" pml=3,2,4,0,1,5 shots=2,7,5 -- \
    --ngrid 9,10,14 --dgrid 15,20,25 --nsteps "$2" --pml 3,2,4,0,1,5 --source_loc 2,7,5 "${@:3}"
}
free_surface() {
  check "$1" ngrid=10,9,12 nsteps="$2" pml=3 surface=free velocity=3000 shots=5,4,2 receivers=0..9,4,1 -- \
    --ngrid 10,9,12 --nsteps "$2" --pml 3,3,3,3,0,3 --velocity 3000 --source_loc 5,4,2 \
    --receivers 0,4,1,1,4,1,2,4,1,3,4,1,4,4,1,5,4,1,6,4,1,7,4,1,8,4,1,9,4,1 "${@:3}"
}
stretched() {
  check "$1" ngrid=12,11,13 nsteps="$2" pml=4,3,0,4,4,4 absorber=cpml receivers=1,2..4,0..1 -- \
    --ngrid 12,11,13 --nsteps "$2" --pml 4,3,0,4,4,4 --cpml --receivers 1,2,0,1,3,0,1,4,0,1,2,1,1,3,1,1,4,1 "${@:3}"
  velocities 9 7 10
  check "$1" ngrid=9,7,10 dgrid=15,20,25 nsteps="$2" pml=3 absorber=cpml velocity=v.npy surface=free -- \
    --ngrid 9,7,10 --dgrid 15,20,25 --nsteps "$2" --pml 3,3,3,3,0,3 --cpml --velocity_file v.npy "${@:3}"
}
small() {
  local size nx ny nz
  for size in "1 9 8" "7 1 9" "3 2 4" "11 9 16" "1 1 5"; do
    read -r nx ny nz <<<"$size"
    velocities "$nx" "$ny" "$nz"
    check "$1" ngrid="$nx,$ny,$nz" nsteps="$2" pml=3 velocity=v.npy receivers=0,0,0 -- \
      --ngrid "$nx,$ny,$nz" --nsteps "$2" --pml 3 --velocity_file v.npy --receivers 0,0,0 "${@:3}"
  done
}
long_columns() {  # in blocks, which leave room for a velocity in each of 1000 cells
  velocities 3 2 1000
  check "$1" ngrid=3,2,1000 nsteps="$2" pml=0,0,0,0,20,20 velocity=v.npy receivers=2,0,499..503 shots=1,1,501 -- \
    --ngrid 3,2,1000 --nsteps "$2" --pml 0,0,0,0,20,20 --velocity_file v.npy --source_loc 1,1,501 \
    --receivers 2,0,499,2,0,500,2,0,501,2,0,502,2,0,503 "${@:3}"
}
wide_layers() {  # in which waves do not grow, in a model of its own
  velocities 20 18 22
  check "$1" ngrid=20,18,22 nsteps="$2" pml=6 velocity=v.npy receivers=8..12..2,9,8..12..4 surface=free -- \
    --ngrid 20,18,22 --nsteps "$2" --pml 6,6,6,6,0,6 --velocity_file v.npy \
    --receivers 8,9,8,10,9,8,12,9,8,8,9,12,10,9,12,12,9,12 "${@:3}"
}

# Within 1e-5 of the largest value after 20 steps, within ten times what float is off double after 200.
if [ "$option" = long ]; then
  engines=(--engine=interp)
  "$wsevm" --version | grep -q "^LLVM: [0-9]" && engines+=(--engine=jit)
  for engine in "${engines[@]}"; do
    for transport in stepper wafer; do
      for shape in interior layers stretched other_spacings free_surface small wide_layers long_columns; do
        $shape "$engine --transport=$transport" 20 --tolerance 1e-5
        $shape "$engine --transport=$transport" 200
      done
    done
  done
  # A box of 60^3 cells, whose layers absorb (modelling_test.cpp).
  check "" ngrid=60,60,60 nsteps=120 pml=20 shots=30,30,30 receivers=30..38..4,30,30 vmax=2000 -- \
    --ngrid 60,60,60 --nsteps 120 --pml 20 --source_loc 30,30,30 --receivers 30,30,30,34,30,30,38,30,30 --vmax 2000
else
  interior "$option" 20 --tolerance 1e-5
  layers --engine=interp 20 --tolerance 1e-5
  stretched "$option" 20 --tolerance 1e-5
  other_spacings --transport=stepper 20 --tolerance 1e-5
  free_surface --threads=2 20 --tolerance 1e-5
  small "$option" 20 --tolerance 1e-5
  long_columns "$option" 4 --tolerance 1e-5
  velocities 11 9 16
  check "$option" ngrid=11,9,16 nsteps=200 pml=3 velocity=v.npy receivers=2..8..2,4,1 -- \
    --ngrid 11,9,16 --nsteps 200 --pml 3 --velocity_file v.npy --receivers 2,4,1,4,4,1,6,4,1,8,4,1
fi

# A growing octant around the source has the extremes of a whole grid whose layers no wave has left again.
"$wsevm" run "$minimod" ngrid=26,26,26 mirror=xyz pml=0 grow=25 nsteps=100 >run.txt
"$reference" --ngrid 60,60,60 --nsteps 100 --pml 8 >reference.txt
awk -F= '/min, max/ { split($2, value, " "); low[NR] = value[1]; high[NR] = value[2]; if (++lines == 1) first = NR; last = NR }
  function off(a, b) { return a > b ? (a - b) / b : (b - a) / b }
  END { print "octant and whole:", low[first], high[first], low[last], high[last]
        exit !(lines == 2 && off(-low[first], -low[last]) < 1e-4 && off(high[first], high[last]) < 1e-4) }' \
  run.txt <(grep double reference.txt)

"$wsevm" run "$minimod" ngrid=12,11,13 nsteps=20 pml=4 wavefield=u.npy >run.txt
if "$reference" --ngrid 12,11,13 --nsteps 20 --pml 4,4,4,4,4,5 --wavefield u.npy --tolerance 1e-5 >reference.txt; then
  echo "the comparison does not notice a wrong layer"
  exit 1
fi
