#!/usr/bin/env bash
# solver_test.sh WSEVM REFERENCE [long]: solves systems with scripts/stencil/solve.lua and compares iterations with plain C++ in float, and
# the residual of the solution, in double, with the tolerance; in mixed precision also with C++ that rounds to 16 bits what the PEs do. Other
# iterations and a wrong solution must be noticed. long: other engines, transports and machines, all methods and precisions on 16 x 16 x 32
# and 64 x 64 x 32 cells.
set -euo pipefail
wsevm=$1 reference=$2 option=${3-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
solve=$PWD/scripts/stencil/solve.lua
cd "$scratch"

check() {  # OPTIONS-OF-RUN NGRID METHOD [CONTRAST]
  local iterations
  # shellcheck disable=SC2086  # several options
  "$wsevm" run "$solve" ngrid="$2" method="$3" contrast="${4-10}" out=u.npy $1 --oversubscribe --strict >run.txt 2>&1
  grep -q warning run.txt && { cat run.txt; exit 1; }
  iterations=$(sed -n 's/.* converged in \([0-9]*\) iterations.*/\1/p' run.txt)
  "$reference" --ngrid "$2" --method "$3" --contrast "${4-10}" --iterations "$iterations" --solution u.npy >reference.txt ||
    { cat run.txt reference.txt; exit 1; }
  echo "$1 $2 $3: $iterations iterations,$(head -n 1 reference.txt)"
}

mixed() {  # OPTIONS-OF-RUN NGRID METHOD PRECISION
  local iterations tolerance=1e-5 options=(--inner 0.1)
  # f16 goes as far as the rounding of its coefficients lets the residual go, and needs the iterations of float to there; in rounds to 1e-5
  [ "$4" = mixed ] && tolerance=1e-3 options=(--mixed)
  # shellcheck disable=SC2086  # several options
  "$wsevm" run "$solve" ngrid="$2" method="$3" precision="$4" tolerance=$tolerance out=u.npy $1 --oversubscribe --strict >run.txt 2>&1
  grep -q warning run.txt && { cat run.txt; exit 1; }
  iterations=$(sed -n 's/.* converged in \([0-9]*\) iterations.*/\1/p' run.txt)
  "$reference" "${options[@]}" --ngrid "$2" --method "$3" --tolerance $tolerance --iterations "$iterations" --solution u.npy \
    >reference.txt || { cat run.txt reference.txt; exit 1; }
  echo "$1 $2 $3 $4: $iterations iterations,$(tail -n 1 reference.txt)"
}

methods="cg bicgstab jacobi gauss-seidel"
for method in $methods; do
  check "" 7,5,9 "$method"
  check "" 16,16,32 "$method"
done
for method in $methods; do
  mixed "" 7,5,9 "$method" mixed
  mixed "" 9,8,12 "$method" refined
done
mixed "" 16,16,32 bicgstab refined
mixed "" 16,16,32 cg refined
mixed --transport=stepper 6,7,5 bicgstab mixed
mixed --machine=wse3 5,6,8 cg mixed
check --transport=stepper 6,7,5 bicgstab 100
check --machine=wse3 5,6,8 cg
check "" 1,1,6 cg
check "" 3,1,2 bicgstab
if [ "$option" = long ]; then
  engines=(--engine=interp)
  "$wsevm" --version | grep -q "^LLVM: [0-9]" && engines+=(--engine=jit)
  for engine in "${engines[@]}"; do
    for transport in stepper wafer; do
      for machine in wse2 wse3 model; do
        for method in $methods; do
          check "$engine --transport=$transport --machine=$machine" 9,8,11 "$method" 30
          for precision in mixed refined; do mixed "$engine --transport=$transport --machine=$machine" 9,8,11 "$method" $precision; done
        done
      done
    done
  done
  for ngrid in 16,16,32 64,64,32; do
    for method in $methods; do
      check "" $ngrid "$method"
      for precision in mixed refined; do mixed "" $ngrid "$method" $precision; done
    done
  done
fi
if "$reference" --ngrid 3,1,2 --method cg --contrast 20 --solution u.npy >reference.txt; then
  echo "the comparison does not notice another system"
  exit 1
fi
for wrong in "--mixed --tolerance 1e-3 --iterations 20" "--inner 0.1 --iterations 36"; do
  # shellcheck disable=SC2086  # several options
  if "$reference" --ngrid 16,16,32 --method cg $wrong >reference.txt; then
    echo "the comparison does not notice other iterations of mixed precision"
    exit 1
  fi
done
if "$reference" --ngrid 3,1,2 --method jacobi --iterations 5 >reference.txt; then
  echo "the comparison does not notice other iterations"
  exit 1
fi
