#!/usr/bin/env bash
# checked.sh WSEVM: valgrind watches the ranks of a launcher while they run a program together, exchange checkpoints and
# arrays, and fail. What it finds is an error, but for what Open MPI and PMIx do inside. Must never write outside its
# scratch folder.
wsevm=$1
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/support/cases.sh
source "$here/../support/cases.sh"
# shellcheck source=tests/ranks/launches.sh
source "$here/launches.sh"
[[ -n $(command -v valgrind) ]] || { echo 'valgrind is not installed'; exit 77; }

cat >own.supp <<'SUPP'
{
   PMIx sends structures with holes
   Memcheck:Param
   writev(vector[...])
   ...
   obj:*/libpmix.so*
}
SUPP
# Some builds of libstdc++ free in one library what another one has allocated: mismatched ends are no errors here.
watched=(valgrind -q --error-exitcode=99 --show-mismatched-frees=no --suppressions=own.supp
  --suppressions=/usr/share/openmpi/openmpi-valgrind.supp --log-file="$PWD/found.%p")

# watch CODE RANKS ARGUMENT...: the ranks end so, and nothing is found.
watch() {
  rm -f found.*
  expect "$1" "$*" timeout 500 mpirun --oversubscribe --bind-to none -n "$2" "${watched[@]}" "$wsevm" run "${@:3}" \
    --threads=1 --oversubscribe
  [[ $(cat found.* | wc -l) -eq 0 ]] || wrong "valgrind found in $*:"$'\n'"$(cat found.* | head -n 60)"
}

for transport in stepper wafer; do
  watch 0 2 programs/heat/heat.wsa --quiet --transport=$transport --in x=programs/heat/field.npy --out y=y.npy \
    --profile=p.npz --list=l.txt --json=r.json --checkpoint=c --at=200
  watch 0 3 programs/heat/heat.wsa --quiet --transport=$transport --restore=c --profile=q.npz --list=m.txt --json=r.json
done
watch 1 2 programs/heat/heat.wsa --quiet --max-cycles=300 --checkpoint=s
watch 2 2 programs/heat/heat.wsa --quiet --out y=nowhere/y.npy
finish
