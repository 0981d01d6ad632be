#!/usr/bin/env bash
# profile_bounds.sh COMPILER: plants rows in copies of isa/machine/profile_parameters.def, and fields in copies
# of headers, that ignore the bounds of parameters. None may compile; each must fail where the rule is
# written. Whatever is planted is in a folder that is searched before the checkout, which is never written.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
compiler=$1
work=$(mktemp -d "${TMPDIR:-/tmp}/wsevm-bounds-XXXXXX")
trap 'rm -rf "$work"' EXIT
table=isa/machine/profile_parameters.def
failures=0

compiles() { "$compiler" -std=c++23 -fsyntax-only -I "$work" -I "$root" -x c++ "$root/$1" >"$work/log" 2>&1; }

# plant FILE SED: the copy of FILE that the compiler sees is changed.
plant() {
  mkdir -p "$work/$(dirname "$1")"
  sed -E "$2" "$root/$1" >"$work/$1"
  if cmp -s "$root/$1" "$work/$1"; then
    printf 'profile_bounds: nothing to plant in %s: %s\n' "$1" "$2" >&2
    failures=$((failures + 1))
  fi
}

# refused SOURCE TEXT: SOURCE does not compile, and the compiler shows TEXT.
refused() {
  if compiles "$1"; then
    printf 'profile_bounds: %s compiles although %s\n' "$1" "$planted" >&2
    failures=$((failures + 1))
  elif ! grep -qF -- "$2" "$work/log"; then
    printf 'profile_bounds: %s fails for another reason although %s:\n%s\n' "$1" "$planted" \
      "$(head -n 20 "$work/log")" >&2
    failures=$((failures + 1))
  fi
  rm -rf "$work/isa" "$work/vm" "$work/asm"
}

# most NAME VALUE: the row of the parameter says another most.
most() {
  planted="the most of $1 is $2"
  plant "$table" "s/^(PARAMETER\\($1, \"[^\"]*\", [^,]*, )[^,]*,/\\1$2,/"
}

planted='a row has no bounds'
plant "$table" '/^PARAMETER\(banks/s/2, 65536, //'
refused isa/machine/profile.h 'PARAMETER'

for depth in router_depth up_ramp_depth down_ramp_depth; do
  most "$depth" 65536
  refused vm/stepper/queue.h "$depth"
done
planted='a queue counts its places in 8 bits'
plant vm/stepper/queue.h 's/using Count = std::uint16_t/using Count = std::uint8_t/'
refused vm/stepper/channels.h router_depth
planted='a channel counts unwanted wavelets in 8 bits'
plant vm/stepper/channels.h 's/std::uint16_t unwanted/std::uint8_t unwanted/'
refused vm/stepper/channels.cpp unwanted

most colours 25
refused isa/machine/profile.cpp kMaxColours
most switch_colours 0x1ffffff
refused isa/machine/profile.cpp switch_colours
most switch_positions 5
refused isa/machine/profile.cpp kMaxPositions
most first_local_id 31
refused isa/machine/profile.cpp kLocalIds
most branch_taken_cycles 0xffffffff
refused isa/machine/profile.cpp dearest_price
most fabric_inputs 4
refused vm/pe/checks.cpp kInputs
most input_queues 33
refused asm/program/declarations.cpp input_queues
exit $((failures > 0))
