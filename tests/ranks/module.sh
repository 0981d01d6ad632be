#!/usr/bin/env bash
# module.sh PEERS RANKS...: the module wsevm-mpi.so between so many ranks of one host; each number is a launch.
# Prints each case that fails.
peers=$(readlink -f "$1")
# shellcheck source=tests/support/cases.sh
source "$(dirname "$0")/../support/cases.sh"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
on() { timeout 120 mpirun --oversubscribe -n "$1" "${@:2}"; }

expect 0 'without a launcher' "$peers"
for ranks in "${@:2}"; do
  rm -rf late
  expect 0 "$ranks ranks" on "$ranks" "$peers"
  rm -rf late
  expect 0 "$ranks ranks by TCP" on "$ranks" --mca btl self,tcp "$peers"
  expect 42 "$ranks ranks, one ends all" on "$ranks" "$peers" abort
  expect 0 "$ranks ranks, one stays away" on "$ranks" "$peers" alone
done
finish
