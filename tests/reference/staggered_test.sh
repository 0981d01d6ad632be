#!/usr/bin/env bash
# staggered_test.sh WSEVM REFERENCE [PROPAGATOR]: runs scripts/stencil/minimod.lua with propagators of first order on models of many shapes
# and compares fields and seismograms with plain C++ in double precision. A wrong layer, surface and axis must be noticed.
# With a propagator: every shape of it on each engine and transport, for more steps.
set -euo pipefail
wsevm=$1 reference=$2 only=${3-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
minimod=$PWD/scripts/stencil/minimod.lua
cd "$scratch"  # scripts write below the current folder

declare -A fields=(
  [acoustic_iso]=p,vx,vy,vz [elastic_iso]=vz,vx,vy,sxx,syy,szz,sxy,sxz,syz [elastic_tti_approx]=vz,vx,vy,sxx,syy,szz,sxy,sxz,syz
  [acoustic_tti]=sh,sv,sh_xy,sv_xz,sh_yz,wx,wx_z,wy_xyz,wz,ux,uy_x,uz,uz_xyz
  [elastic_tti]=vz,vz_x,vx,vx_xyz,vy,vy_z,sxx,sxx_xz,syy_xy,szz,szz_yz,sxy,sxy_0,sxz,sxz_xy,syz,syz_0)
elastic_traces=vz,vx_xyz,sxx_xz,sxy_0,syz  # of elastic_tti: a PE has no memory for the traces of more fields of 200 steps
declare -A media=([acoustic_iso]=density [elastic_iso]="density shear" [acoustic_tti]="density epsilon delta theta phi"
  [elastic_tti]="density shear epsilon delta gamma theta phi" [elastic_tti_approx]="density shear epsilon delta gamma theta phi")

compare() {  # ARGUMENTS-OF-REFERENCE...
  local seismograms=()
  [ -e out/seismograms.npy ] && seismograms=(--seismograms out/seismograms)
  "$reference" --wavefield u "${seismograms[@]}" "$@" >reference.txt
}

check() {  # OPTIONS-OF-RUN PROPAGATOR SCRIPT-ARGUMENTS... -- REFERENCE-ARGUMENTS...
  local options=$1 propagator=$2 arguments=() own=${fields[$2]}
  shift 2
  while [ "$1" != -- ]; do
    [[ $propagator$1 == elastic_ttireceivers=* ]] && own=$elastic_traces
    arguments+=("$1")
    shift
  done
  shift
  # shellcheck disable=SC2086  # several options
  "$wsevm" run "$minimod" propagator="$propagator" wavefield=u.npy fields="$own" "${arguments[@]}" $options --oversubscribe \
    --strict >run.txt
  compare --propagator "$propagator" --fields "$own" "$@" || { cat run.txt reference.txt; exit 1; }
  echo "$options $propagator ${arguments[*]}: $(grep -c compared reference.txt) compared"
  rm -rf out u*.npy
}

model() {  # NX NY NZ PROPAGATOR: layers of 1500 to 3000 m/s that dip, with other values of all else; some cells are fluid where they may be
  local fluid='(i + x) % 7 == 0 ? 0 : '
  [[ $4 == *tti* ]] && fluid=
  cat >model.wsa <<WSA
.grid $1, $2
.program model
  .f32 velocity[$3] exported = 1500 + 150 * ((i + x / 2 + y / 3) / 2 % 11)
  .f32 shear[$3] exported = ${fluid}600 + 60 * ((i + x / 2 + y / 3) / 2 % 11)
  .f32 density[$3] exported = 1000 + 150 * ((i / 2 + x + y / 2) % 9)
  .f32 epsilon[$3] exported = 0.1 + 0.02 * ((i / 3 + x / 2 + y) % 8)
  .f32 delta[$3] exported = 0.02 * ((i / 3 + x / 2 + y / 2) % 5)
  .f32 gamma[$3] exported = 0.03 * ((i / 2 + x / 3 + y) % 7)
  .f32 theta[$3] exported = 10 + 8 * ((i / 3 + x / 2 + y / 2) % 8)
  .f32 phi[$3] exported = 15 + 20 * ((i / 4 + x / 3 + y / 2) % 9)
  task main:
.place model at (0..$1 - 1, 0..$2 - 1)
WSA
  local name outputs=() script=() c=()
  for name in velocity ${media[$4]}; do
    outputs+=(--out "$name=$name.npy") script+=("$name=$name.npy") c+=("--${name}_file" "$name.npy")
  done
  "$wsevm" run model.wsa "${outputs[@]}" >/dev/null
  files=("${script[@]}") c_files=("${c[@]}")
}

interior() {  # OPTIONS-OF-RUN PROPAGATOR NSTEPS TOLERANCE...
  check "$1" "$2" ngrid=11,9,13 nsteps="$3" pml=0 receivers=0..10..5,5,2 -- \
    --ngrid 11,9,13 --nsteps "$3" --pml 0 --receivers 0,5,2,5,5,2,10,5,2 "${@:4}"
}
layers() {  # a model of cells, other spacings, layers of other widths, a force
  model 10 11 14 "$2"
  check "$1" "$2" ngrid=10,11,14 dgrid=15,20,25 nsteps="$3" pml=3,4,0,3,4,5 source=force_x shots=4,5,7 "${files[@]}" -- \
    --ngrid 10,11,14 --dgrid 15,20,25 --nsteps "$3" --pml 3,4,0,3,4,5 --source force_x --source_loc 4,5,7 "${c_files[@]}" "${@:4}"
}
even() {  # layers of one width along z, such that one instruction reaches both ends where code is to be short
  model 7 6 12 "$2"
  check "$1" "$2" ngrid=7,6,12 nsteps="$3" pml=2,1,1,2,3,3 shots=3,3,6 "${files[@]}" -- \
    --ngrid 7,6,12 --nsteps "$3" --pml 2,1,1,2,3,3 --source_loc 3,3,6 "${c_files[@]}" "${@:4}"
}
surface() {
  model 9 8 13 "$2"
  check "$1" "$2" ngrid=9,8,13 nsteps="$3" pml=3 surface=free shots=4,4,2 receivers=1..7..3,4,0 "${files[@]}" -- \
    --ngrid 9,8,13 --nsteps "$3" --pml 3 --surface --source_loc 4,4,2 --receivers 1,4,0,4,4,0,7,4,0 "${c_files[@]}" "${@:4}"
}
moment() {  # of elastic waves
  check "$1" "$2" ngrid=9,9,9 nsteps="$3" pml=2 source=moment moment=1,0.5,-1,0.25,0,2 surface=free -- \
    --ngrid 9,9,9 --nsteps "$3" --pml 2 --source moment --moment 1,0.5,-1,0.25,0,2 --surface "${@:4}"
}
small() {
  local size nx ny nz
  for size in "1 7 6" "6 1 9" "3 2 4" "1 1 5"; do
    read -r nx ny nz <<<"$size"
    model "$nx" "$ny" "$nz" "$2"
    check "$1" "$2" ngrid="$nx,$ny,$nz" nsteps="$3" pml=3 receivers=0,0,0 "${files[@]}" -- \
      --ngrid "$nx,$ny,$nz" --nsteps "$3" --pml 3 --receivers 0,0,0 "${c_files[@]}" "${@:4}"
  done
}
small_surface() {  # narrower than an image of the derivatives is high, with layers and without
  local size nx ny nz pml
  for size in "1 7 3 1" "5 1 7 2" "3 2 4 2" "1 1 5 0"; do
    read -r nx ny nz pml <<<"$size"
    model "$nx" "$ny" "$nz" "$2"
    check "$1" "$2" ngrid="$nx,$ny,$nz" nsteps="$3" pml="$pml" surface=free receivers=0,0,1 "${files[@]}" -- \
      --ngrid "$nx,$ny,$nz" --nsteps "$3" --pml "$pml" --surface --receivers 0,0,1 "${c_files[@]}" "${@:4}"
  done
}
columns() {  # in blocks: OPTIONS-OF-RUN PROPAGATOR NSTEPS CELLS TOLERANCE...
  local cells=$4 width=$(($4 / 12))
  model 3 2 "$cells" "$2"
  check "$1" "$2" ngrid=3,2,"$cells" nsteps="$3" pml=1,0,0,1,"$width,$width" shots=1,1,"$((cells / 2))" "${files[@]}" -- \
    --ngrid 3,2,"$cells" --nsteps "$3" --pml 1,0,0,1,"$width,$width" --source_loc 1,1,"$((cells / 2))" "${c_files[@]}" "${@:5}"
}

# Within 1e-5 of the largest value after 20 steps, within ten times what float is off double after 200.
declare -A longest=([acoustic_iso]=600 [elastic_iso]=300 [elastic_tti_approx]=120 [acoustic_tti]=60 [elastic_tti]=36)
if [ -n "$only" ]; then
  engines=(--engine=interp)
  "$wsevm" --version | grep -q "^LLVM: [0-9]" && engines+=(--engine=jit)
  shapes=(interior layers even surface small small_surface)
  [[ $only == elastic* ]] && shapes+=(moment)
  for engine in "${engines[@]}"; do
    for transport in stepper wafer; do
      for shape in "${shapes[@]}"; do
        $shape "$engine --transport=$transport" "$only" 20 --tolerance 1e-5
        $shape "$engine --transport=$transport" "$only" 200
      done
      columns "$engine --transport=$transport" "$only" 20 "${longest[$only]}" --tolerance 1e-5
    done
  done
  case $only in  # on wse3 no code is shared: of the Lebedev grid less fits a PE
    elastic_tti) interior --machine=wse3 "$only" 20 --tolerance 1e-5 ;;
    acoustic_tti) even --machine=wse3 "$only" 20 --tolerance 1e-5 ;;
    *) layers --machine=wse3 "$only" 20 --tolerance 1e-5 ;;
  esac
else
  for propagator in acoustic_iso elastic_iso; do
    layers "" $propagator 20 --tolerance 1e-5
    surface --transport=stepper $propagator 20 --tolerance 1e-5
  done
  small "" elastic_iso 20 --tolerance 1e-5
  moment --threads=2 elastic_iso 6 --tolerance 1e-5
  columns "" elastic_iso 2 300 --tolerance 1e-5
  even "" acoustic_tti 6 --tolerance 1e-5
  surface --transport=stepper elastic_tti_approx 12 --tolerance 1e-5
  surface "" elastic_tti 6 --tolerance 1e-5
fi

"$wsevm" run "$minimod" propagator=elastic_iso ngrid=9,9,9 nsteps=20 pml=3 surface=free shots=4,4,2 wavefield=u.npy >run.txt
shot="--fields vz --ngrid 9,9,9 --nsteps 20 --source_loc 4,4,2 --tolerance 1e-5"
for wrong in "--pml 3,3,3,3,0,2 --surface" "--pml 3,3,3,3,0,3"; do
  # shellcheck disable=SC2086  # several options
  if compare --propagator elastic_iso $shot $wrong; then
    echo "the comparison does not notice $wrong"
    exit 1
  fi
done
# shellcheck disable=SC2086
compare --propagator elastic_iso $shot --pml 3 --surface

"$wsevm" run "$minimod" propagator=elastic_tti_approx ngrid=9,9,9 nsteps=12 pml=0 shots=4,4,2 wavefield=u.npy >run.txt
shot="--propagator elastic_tti_approx --fields vz --ngrid 9,9,9 --nsteps 12 --pml 0 --source_loc 4,4,2 --tolerance 1e-5"
for wrong in "--theta 31" "--phi 31" "--gamma 0.11"; do
  # shellcheck disable=SC2086
  if compare $shot $wrong; then
    echo "the comparison does not notice $wrong"
    exit 1
  fi
done
# shellcheck disable=SC2086
compare $shot
