#!/usr/bin/env bash
# schema.sh WSEVM PROTOC: traces of twenty programs are messages of Perfetto's schema, without a field that it does not have there.
set -uo pipefail
wsevm=$1 protoc=$2
root=$PWD
# shellcheck source=tests/support/cases.sh
source "$root/tests/support/cases.sh"
programs=(barrier broadcast broadcast-2d cg column-root diagonal-shift fft fft-2d gather-loopback gemv halo message overlap
  pipeline-fifo reduce-chain reduce-star reduce-tree router row-root star)
for program in "${programs[@]}"; do
  expect 0 "a trace of $program" "$wsevm" run "$root/programs/$program/$program.wsa" --quiet --trace=t.pftrace
  expect 0 "messages of $program" bash -c "'$protoc' --proto_path='$root/tests/events' --decode=perfetto.protos.Trace perfetto.proto <t.pftrace"
  ! grep -qE '^ *[0-9]+[: {]' out || wrong "$program: a field that the schema does not have"
  begins=$(grep -c 'TYPE_SLICE_BEGIN' out)
  [[ $begins -gt 0 && $begins -eq $(grep -c 'TYPE_SLICE_END' out) ]] || wrong "$program: a slice without an end"
  [[ $(grep -c '^packet' out) -gt $begins ]] || wrong "$program: few packets"
done
finish
