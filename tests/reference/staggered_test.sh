#!/usr/bin/env bash
# staggered_test.sh WSEVM REFERENCE [long]: runs scripts/stencil/minimod.lua with propagators of first order on models of many shapes
# and compares all fields and seismograms with plain C++ in double precision. A wrong layer and a wrong surface must be noticed.
# long: every shape on each engine and transport, for more steps.
set -euo pipefail
wsevm=$1 reference=$2 option=${3-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
minimod=$PWD/scripts/stencil/minimod.lua
cd "$scratch"  # scripts write below the current folder

acoustic_fields=p,vx,vy,vz elastic_fields=vz,vx,vy,sxx,syy,szz,sxy,sxz,syz

compare() {  # ARGUMENTS-OF-REFERENCE...
  local seismograms=()
  [ -e out/seismograms.npy ] && seismograms=(--seismograms out/seismograms)
  "$reference" --wavefield u "${seismograms[@]}" "$@" >reference.txt
}

check() {  # OPTIONS-OF-RUN WAVE SCRIPT-ARGUMENTS... -- REFERENCE-ARGUMENTS...
  local options=$1 wave=$2 arguments=() flag=() fields
  shift 2
  while [ "$1" != -- ]; do arguments+=("$1"); shift; done
  shift
  fields=$acoustic_fields
  if [ "$wave" = elastic ]; then fields=$elastic_fields flag=(--elastic); fi
  # shellcheck disable=SC2086  # several options
  "$wsevm" run "$minimod" propagator="${wave}_iso" wavefield=u.npy fields="$fields" "${arguments[@]}" $options --oversubscribe \
    --strict >run.txt
  compare "${flag[@]}" --fields "$fields" "$@" || { cat run.txt reference.txt; exit 1; }
  echo "$options $wave ${arguments[*]}: $(grep -c compared reference.txt) compared"
  rm -rf out u*.npy
}

model() {  # NX NY NZ: layers of 1500 to 4000 m/s that dip, with other densities and shear velocities; some cells are fluid
  cat >model.wsa <<WSA
.grid $1, $2
.program model
  .f32 v[$3] exported = 1500 + 250 * ((i + x / 2 + y / 3) / 2 % 11)
  .f32 s[$3] exported = (i + x) % 7 == 0 ? 0 : 600 + 100 * ((i + x / 2 + y / 3) / 2 % 11)
  .f32 d[$3] exported = 1000 + 150 * ((i / 2 + x + y / 2) % 9)
  task main:
.place model at (0..$1 - 1, 0..$2 - 1)
WSA
  "$wsevm" run model.wsa --out v=v.npy --out s=s.npy --out d=d.npy >/dev/null
}
acoustic_model=(velocity=v.npy density=d.npy) elastic_model=(velocity=v.npy density=d.npy shear=s.npy)
acoustic_files=(--velocity_file v.npy --density_file d.npy) elastic_files=("${acoustic_files[@]}" --shear_file s.npy)

interior() {  # OPTIONS-OF-RUN WAVE NSTEPS TOLERANCE...
  check "$1" "$2" ngrid=11,9,13 nsteps="$3" pml=0 receivers=0..10..5,5,2 -- \
    --ngrid 11,9,13 --nsteps "$3" --pml 0 --receivers 0,5,2,5,5,2,10,5,2 "${@:4}"
}
layers() {  # a model of cells, other spacings, layers of other widths, a force
  local -n own=$2_model files=$2_files
  model 10 11 14
  check "$1" "$2" ngrid=10,11,14 dgrid=15,20,25 nsteps="$3" pml=3,4,0,3,4,5 source=force_x shots=4,5,7 "${own[@]}" -- \
    --ngrid 10,11,14 --dgrid 15,20,25 --nsteps "$3" --pml 3,4,0,3,4,5 --source force_x --source_loc 4,5,7 "${files[@]}" "${@:4}"
}
surface() {
  local -n own=$2_model files=$2_files
  model 9 8 13
  check "$1" "$2" ngrid=9,8,13 nsteps="$3" pml=3 surface=free shots=4,4,2 receivers=1..7..3,4,0 "${own[@]}" -- \
    --ngrid 9,8,13 --nsteps "$3" --pml 3 --surface --source_loc 4,4,2 --receivers 1,4,0,4,4,0,7,4,0 "${files[@]}" "${@:4}"
}
moment() {  # of elastic waves
  check "$1" elastic ngrid=9,9,9 nsteps="$3" pml=2 source=moment moment=1,0.5,-1,0.25,0,2 surface=free -- \
    --ngrid 9,9,9 --nsteps "$3" --pml 2 --source moment --moment 1,0.5,-1,0.25,0,2 --surface "${@:4}"
}
small() {
  local -n own=$2_model files=$2_files
  local size nx ny nz
  for size in "1 7 6" "6 1 9" "3 2 4" "1 1 5"; do
    read -r nx ny nz <<<"$size"
    model "$nx" "$ny" "$nz"
    check "$1" "$2" ngrid="$nx,$ny,$nz" nsteps="$3" pml=3 receivers=0,0,0 "${own[@]}" -- \
      --ngrid "$nx,$ny,$nz" --nsteps "$3" --pml 3 --receivers 0,0,0 "${files[@]}" "${@:4}"
  done
}
columns() {  # in blocks
  local -n own=$2_model files=$2_files
  local cells=$4
  model 3 2 "$cells"
  check "$1" "$2" ngrid=3,2,"$cells" nsteps="$3" pml=1,0,0,1,20,20 shots=1,1,"$((cells / 2))" "${own[@]}" -- \
    --ngrid 3,2,"$cells" --nsteps "$3" --pml 1,0,0,1,20,20 --source_loc 1,1,"$((cells / 2))" "${files[@]}" "${@:5}"
}

# Within 1e-5 of the largest value after 20 steps, within ten times what float is off double after 200.
if [ "$option" = long ]; then
  engines=(--engine=interp)
  "$wsevm" --version | grep -q "^LLVM: [0-9]" && engines+=(--engine=jit)
  for engine in "${engines[@]}"; do
    for transport in stepper wafer; do
      for wave in acoustic elastic; do
        for shape in interior layers surface small; do
          $shape "$engine --transport=$transport" $wave 20 --tolerance 1e-5
          $shape "$engine --transport=$transport" $wave 200
        done
      done
      moment "$engine --transport=$transport" elastic 20 --tolerance 1e-5
      moment "$engine --transport=$transport" elastic 200
      columns "$engine --transport=$transport" acoustic 20 600 --tolerance 1e-5
      columns "$engine --transport=$transport" elastic 20 270 --tolerance 1e-5
    done
  done
  for wave in acoustic elastic; do layers --machine=wse3 $wave 20 --tolerance 1e-5; done
else
  for wave in acoustic elastic; do
    layers "" $wave 20 --tolerance 1e-5
    surface --transport=stepper $wave 20 --tolerance 1e-5
  done
  small "" elastic 20 --tolerance 1e-5
  moment --threads=2 elastic 6 --tolerance 1e-5
  columns "" elastic 2 270 --tolerance 1e-5
fi

"$wsevm" run "$minimod" propagator=elastic_iso ngrid=9,9,9 nsteps=20 pml=3 surface=free shots=4,4,2 wavefield=u.npy >run.txt
shot="--elastic --fields vz --ngrid 9,9,9 --nsteps 20 --source_loc 4,4,2 --tolerance 1e-5"
for wrong in "--pml 3,3,3,3,0,2 --surface" "--pml 3,3,3,3,0,3"; do
  # shellcheck disable=SC2086  # several options
  if compare $shot $wrong; then
    echo "the comparison does not notice $wrong"
    exit 1
  fi
done
# shellcheck disable=SC2086
compare $shot --pml 3 --surface
