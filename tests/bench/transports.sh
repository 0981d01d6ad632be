#!/usr/bin/env bash
# Compares what --transport=auto takes with both transports:  transports.sh WSEVM [TEXT]
# Rows are the programs of programs/, the main scripts and what bench measures, at three sizes where they have any; TEXT keeps the rows whose names
# contain it. Every run is a process of its own, on one thread, and its processor time counts, so that other programs on the host
# change little. The three take turns and the shortest run of each counts; a row is measured up to five times, until auto is in time:
# at most 1.2 times the better transport, or 20 ms more. The exit code is 1 if a row is not, or does not run; the end names them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
wsevm=$1 wanted=${2:-}
rounds=5
rows=0
losers=()
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# spent COMMAND...: milliseconds of the processor; fails if the command does.
spent() {
  local TIMEFORMAT='%3U %3S' user system
  { time "$@" >/dev/null 2>&1; } 2>"$scratch/time" || return 1
  read -r user system <"$scratch/time"
  echo $((10#${user/./} + 10#${system/./}))
}

# in_time AUTO BETTER
in_time() { ((10 * $1 <= 12 * $2 || $1 <= $2 + 20)); }

# row NAME FILE [key=value...]
row() {
  local name=$1 round transport taken one better
  local -A least=()
  shift
  [[ $name == *"$wanted"* ]] || return 0
  rows=$((rows + 1))
  for ((round = 0; round < rounds; ++round)); do
    for transport in stepper wafer auto; do
      if ! one=$(spent "$wsevm" run "$@" --threads=1 "--transport=$transport" --quiet); then
        printf '| %s | does not run: wsevm run %s --transport=%s | | | | |\n' "$name" "$*" "$transport"
        losers+=("$name")
        return 0
      fi
      ((${least[$transport]:-$one} < one)) || least[$transport]=$one
    done
    better=$((least[stepper] < least[wafer] ? least[stepper] : least[wafer]))
    if in_time "${least[auto]}" "$better"; then break; fi
  done
  taken=$("$wsevm" run "$@" --threads=1 --quiet --stats 2>/dev/null | sed -n 's/^transport  *\([a-z]*\).*/\1/p' | tail -n 1)
  if ((round == rounds)); then losers+=("$name"); fi  # no round ended the loop
  printf '| %s | %s | %s | %s | %s | %s |\n' "$name" "${taken:-stepper}" "${least[stepper]}" "${least[wafer]}" "${least[auto]}" \
    "$( ((round < rounds)) || echo slower)"
}

# program NAME VALUES...: a program with each of the values, which are words.
program() {
  local name=$1 values
  shift
  for values in "$@"; do
    # shellcheck disable=SC2086
    row "$name${values:+ $values}" "programs/$name/$name.wsa" $values
  done
}

# script NAME OPTIONS VALUES...: a script with the options and each of the values.
script() {
  local name=$1 options=$2 values
  shift 2
  for values in "$@"; do
    # shellcheck disable=SC2086
    row "$name${values:+ $values}" "scripts/$name.lua" $options $values
  done
}

printf '| milliseconds | auto takes | stepper | wafer | auto | |\n|---|---|---|---|---|---|\n'

for name in arithmetic16 compass first hello; do program $name ''; done  # of one size
program arithmetic 'N=8' 'N=64' 'N=512'
program mathematics 'N=64' 'N=128' 'N=512'
for name in broadcast message reduce-chain reduce-star reduce-tree; do program $name 'P=8 B=16' 'P=64 B=64' 'P=512 B=256'; done
program reduce-two-phase 'P=16 S=4 B=16' 'P=64 S=8 B=64' 'P=256 S=16 B=256'
program localized-broadcast 'P=12 B=8' 'P=128 B=64' 'P=512 B=256'
program broadcast-2d 'W=16 H=16 B=16' 'W=64 H=64 B=16' 'W=160 H=160 B=64'
program barrier 'W=6 H=4' 'W=32 H=32' 'W=128 H=128'
program one-colour-allreduce 'W=6 H=4 B=8' 'W=32 H=32 B=32' 'W=96 H=96 B=128'
program diagonal-shift 'W=5 H=4 B=16' 'W=32 H=32 B=32' 'W=96 H=96 B=128'
program column-root 'H=8 B=16' 'H=64 B=64' 'H=256 B=256'
program row-root 'W=8 B=16' 'W=64 B=64' 'W=256 B=256'
program heat 'W=16 H=16' 'W=64 H=64' 'W=160 H=160'
program life 'W=4 H=4' 'W=16 H=16' 'W=64 H=64'
program halo 'W=4 H=3' 'W=32 H=32' 'W=128 H=128'
program gemv 'W=4 H=3' 'W=32 H=32' 'W=96 H=96'
program gemv-one-pe 'M=16 N=8' 'M=64 N=16' 'M=128 N=32'
program spmv '' 'TIMES=100' 'TIMES=1000'
program spmv-grid 'W=4 H=3' 'W=16 H=16' 'W=48 H=48'
program overlap 'W=4 N=32' 'W=64 N=64' 'W=256 N=128'
program k-means 'W=4 H=4' 'W=16 H=16' 'W=48 H=48'
program mandelbrot 'W=4 H=4' 'W=8 H=8' 'W=16 H=16'
program router 'W=4 H=4' 'W=16 H=16' 'W=48 H=48'
program cholesky 'P=6' 'P=12' 'P=24'
program fft 'N=16' 'N=128' 'N=512'
program fft-2d 'LOG2_P=2' 'LOG2_P=3' 'LOG2_P=4'
program fft-vectors '' 'LOG2_N=6' 'LOG2_N=8'
program filter-columns 'P=8' 'P=32' 'P=128'
program pop-modes '' 'P=6' 'P=12'
program fir 'N=64' 'N=256' 'N=1024'
program gather-loopback 'N=100' 'N=500' 'N=1000'
program histogram 'N=16' 'N=36' 'N=64'
program vectors 'N=64' 'N=128' 'N=256'
program pipeline-fifo 'B=32' 'BURSTS=20' 'BURSTS=100'
program sentinel 'M=256' 'M=512' 'M=1024'
program sparse-input 'P=4' 'P=16' 'P=64'

script collectives/broadcast '' 'P=64 B=64' 'P=512 B=256' 'width=64 height=64 B=64'
for pattern in star chain tree two-phase auto-gen; do
  script collectives/reduce "pattern=$pattern" 'P=16 B=16' 'P=128 B=64' 'P=512 B=256'
done
script collectives/reduce 'pattern=snake code=paper' 'width=128 height=128 B=16' 'width=128 height=128 B=64' 'width=128 height=128 B=256'
script collectives/reduce 'pattern=xy-two-phase' 'width=16 height=16 B=16' 'width=64 height=64 B=64' 'width=64 height=64 B=256'
script collectives/allreduce '' 'P=16 B=16' 'P=128 B=64' 'P=512 B=256'
script alltoall/broadcast '--machine=cm200' 'd=3 m=16' 'd=5 m=32' 'd=7 m=64'
script alltoall/reduce '--machine=cm200' 'd=3 m=16' 'd=5 m=32' 'd=7 m=64'
script alltoall/personalised '--machine=cm200' 'd=3 m=4' 'd=5 m=8' 'd=6 m=8'
script gemm/gemm '--machine=wse3' 'P=4 M=12 K=12 N=12' 'P=16 M=48 K=48 N=48' 'P=48 M=144 K=144 N=144'
script gemm/gemv '--machine=wse3' 'P=4 M=16 N=16' 'P=16 M=64 N=64' 'P=48 M=192 N=192'
script gemm/message '--machine=wse3' 'P=8' 'P=32' 'P=128'
script stencil/acoustic25 'check=false steps=3' 'nx=10 ny=10 nz=50' 'nx=40 ny=40 nz=50' 'nx=100 ny=100 nz=100'
script stencil/acoustic25 'check=false steps=3 kernel=static' 'nx=10 ny=10 nz=50' 'nx=40 ny=40 nz=50' 'nx=100 ny=100 nz=100'
script stencil/star 'steps=5 radius=1 dims=2 coefficients=0,0.25' 'nx=8 ny=8' 'nx=32 ny=32' 'nx=96 ny=96'
script mach/control '' 'width=8 height=8' 'width=16 height=12' 'width=32 height=32'
script mach/reduction '' 'width=8 height=8' 'width=16 height=12' 'width=32 height=32'
script mach/exchange '' 'width=8 height=8' 'width=16 height=12 nz=100' 'width=32 height=32 nz=100'
script mach/indirect '' 'n=64' 'n=1024' 'n=2048'
script mach/message '' 'width=8 height=8' 'width=16 height=16' 'width=32 height=32'
script mach/heat 'setup=false steps=10' 'width=8 height=8' 'width=32 height=32' 'width=64 height=64 nz=100'
for name in flow cg particles; do
  script mach/$name 'setup=false' 'width=4 height=4' 'width=8 height=8' 'width=16 height=16'
done
for name in unstructured slices listing1; do script mach/$name 'setup=false' 'width=8 height=8' 'width=16 height=16' 'width=32 height=32'; done
script mach/ising 'setup=false sweeps=20 warmup=5' 'width=8 height=8' 'width=16 height=16' 'width=32 height=32'

for side in 16 64 160; do
  row "tests/bench heat, $side x $side PEs" tests/bench/programs/heat.wsa "W=$side" "H=$side"
  for words in 8 64 512; do
    row "chains, $side x $side PEs, $words words" tests/bench/programs/chain-rows.wsa "P=$side" "H=$side" "B=$words" --machine=model
    row "25 points, $side x $side PEs, $words words" tests/bench/programs/stencil-25.wsa "W=$side" "H=$side" "B=$words" --machine=model
  done
done
row '25 points, 512 x 512 PEs, 8 words' tests/bench/programs/stencil-25.wsa W=512 H=512 B=8
row '25 points, 75 x 99 PEs in a corner' tests/bench/programs/stencil-25.wsa W=75 H=99 COLUMNS=755 ROWS=994 B=64 --machine=model

printf '\n%s rows, %s slower\n' "$rows" "${#losers[@]}"
if ((${#losers[@]} > 0)); then
  printf '  %s\n' "${losers[@]}"
  exit 1
fi
