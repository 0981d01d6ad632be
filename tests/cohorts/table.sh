#!/usr/bin/env bash
# Prints the table of README.md:  table.sh WSEVM COHORT_CENSUS [TEXT]
# Rows are programs of programs/, the main scripts and what bench measures, at three sizes where they have any; TEXT keeps the rows whose
# names contain it. Of a script the first program that it runs is taken, with the arrays that the program itself has: what a script
# writes into a machine is missing, which changes values and no cycle but where data decide.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
wsevm=$1 census=$2 wanted=${3:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# row NAME FILE [argument...]
row() {
  local name=$1 file=$2
  shift 2
  "$census" "$file" "$@" "--row=$name" 2>"$scratch/errors" || printf '| %s | does not run: %s |\n' "$name" "$(head -n 1 "$scratch/errors")"
}

is_wanted() { [[ $1 == *"$wanted"* ]]; }

# program NAME VALUES...: a program with each of the values, which are words.
program() {
  local name=$1 values
  shift
  for values in "$@"; do
    # shellcheck disable=SC2086
    if is_wanted "$name $values"; then row "$name${values:+ $values}" "programs/$name/$name.wsa" $values; fi
  done
}

# script NAME MACHINE OPTIONS VALUES...: the program that a script makes with the options and each of the values.
script() {
  local name=$1 machine=$2 options=$3 values
  shift 3
  for values in "$@"; do
    if ! is_wanted "$name $options $values"; then continue; fi
    # shellcheck disable=SC2086
    if "$wsevm" gen "scripts/$name.lua" $options $values "--machine=$machine" "--output=$scratch/program.wsa" >"$scratch/log" 2>&1; then
      row "$name${options:+ $options}${values:+ $values}" "$scratch/program.wsa" "--machine=$machine"
    else
      printf '| %s | makes no program: %s |\n' "$name $options $values" "$(tail -n 1 "$scratch/log")"
    fi
  done
}

# bench NAME FILE [argument...]
bench() {
  local name=$1 file=$2
  shift 2
  if is_wanted "$name"; then row "$name" "tests/bench/programs/$file.wsa" "$@"; fi
}

cat <<'TEXT'
| program | PEs | cycles with a visit | visits in one | states of a block: program, instance | largest set | spared: program, instance, all blocks | different visits | spared by cohorts: task starts, visits | cycles to a change | splits: data, skew, instance | joins: task starts, visits | equal registers | begun in a set | short messages in a set |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
TEXT

for side in 16 64 512; do bench "heat of bench, $side x $side" heat "W=$side" "H=$side" "steps=$((side == 512 ? 2 : 20))"; done
for words in 8 334; do
  for side in 32 128 $((words == 8 ? 512 : 256)); do bench "25 points of $words words, $side x $side" stencil-25 "W=$side" "H=$side" "B=$words"; done
done
for side in 16 64 160; do bench "chains of rows, $side x $side" chain-rows "P=$side" "H=$side" B=64 --machine=model; done
bench 'sparse, 2 of 256 x 256' sparse B=1000
bench 'integers, 64 x 64' integers W=64 H=64 rounds=50
program heat 'W=16 H=16' 'W=64 H=64' 'W=160 H=160'
program life 'W=4 H=4' 'W=16 H=16' 'W=64 H=64'
program halo 'W=4 H=3' 'W=32 H=32' 'W=128 H=128'
program router 'W=4 H=4' 'W=16 H=16' 'W=24 H=24'
program k-means 'W=4 H=4' 'W=16 H=16' 'W=48 H=48'
program mandelbrot 'W=4 H=4' 'W=8 H=8' 'W=16 H=16'
program gemv 'W=4 H=3' 'W=32 H=32' 'W=96 H=96'
program spmv-grid 'W=4 H=3' 'W=16 H=16' 'W=48 H=48'
program barrier 'W=6 H=4' 'W=32 H=32' 'W=128 H=128'
program broadcast-2d 'W=16 H=16 B=16' 'W=64 H=64 B=16' 'W=160 H=160 B=64'
program one-colour-allreduce 'W=6 H=4 B=8' 'W=32 H=32 B=32' 'W=96 H=96 B=64'
program diagonal-shift 'W=5 H=4 B=16' 'W=32 H=32 B=32' 'W=96 H=96 B=64'
program localized-broadcast 'P=12 B=8' 'P=128 B=64' 'P=512 B=64'
program cholesky 'P=6' 'P=12' 'P=24'
program fft-2d 'LOG2_P=2' 'LOG2_P=3' 'LOG2_P=4'
program overlap 'W=4 N=32' 'W=64 N=64' 'W=256 N=128'
program filter-columns 'P=8' 'P=32' 'P=128'
program sparse-input 'P=4' 'P=16' 'P=64'
for name in reduce-chain reduce-star reduce-tree; do program $name 'P=8 B=16' 'P=64 B=64' 'P=512 B=256'; done
script gemm/gemm wse3 '' 'P=16 M=48 K=48 N=48' 'P=32 M=96 K=96 N=96' 'P=64 M=192 K=192 N=192'
for pattern in chain tree; do script collectives/reduce wse2 "pattern=$pattern" 'P=16 B=16' 'P=128 B=64' 'P=512 B=256'; done
script collectives/reduce wse2 'pattern=xy-tree' 'width=16 height=16 B=16' 'width=64 height=64 B=16' 'width=128 height=128 B=64'
script stencil/acoustic25 wse2 'check=false steps=3' 'nx=10 ny=10 nz=50' 'nx=40 ny=40 nz=50' 'nx=100 ny=100 nz=100'
script mach/heat wse2 'setup=false steps=10' 'width=8 height=8' 'width=32 height=32' 'width=64 height=64 nz=100'
script mach/cg wse2 'setup=false' 'width=4 height=4' 'width=8 height=8' 'width=16 height=16'
script mach/particles wse2 'setup=false' 'width=4 height=4' 'width=8 height=8' 'width=16 height=16'
script mach/ising wse2 'setup=false sweeps=20 warmup=5' 'width=8 height=8' 'width=16 height=16' 'width=32 height=32'
script alltoall/reduce cm200 '' 'd=3 m=16' 'd=5 m=32' 'd=7 m=64'
