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

# plant FILE SED WHAT: the copy of FILE that the compiler sees is changed; more than one change may be in it.
plant() {
  mkdir -p "$work/$(dirname "$1")"
  [[ -e $work/$1 ]] || cp "$root/$1" "$work/$1"
  cp "$work/$1" "$work/before"
  sed -E -i "$2" "$work/$1"
  planted+="$3; "
  if cmp -s "$work/before" "$work/$1"; then
    printf 'profile_bounds: nothing to plant in %s: %s\n' "$1" "$2" >&2
    failures=$((failures + 1))
  fi
}

# refused SOURCE TEXT...: SOURCE does not compile, and the compiler shows each TEXT. One compilation for all that is planted.
refused() {
  local source=$1 text
  shift
  if compiles "$source"; then
    printf 'profile_bounds: %s compiles although %s\n' "$source" "$planted" >&2
    failures=$((failures + 1))
  fi
  for text in "$@"; do
    grep -qF -- "$text" "$work/log" && continue
    printf 'profile_bounds: %s fails without a word of %s although %s:\n%s\n' "$source" "$text" "$planted" \
      "$(head -n 20 "$work/log")" >&2
    failures=$((failures + 1))
  done
  planted=
  rm -rf "$work/isa" "$work/vm" "$work/asm"
}

# most NAME VALUE: the row of the parameter says another most.
most() { plant "$table" "s/^(PARAMETER\\($1, \"[^\"]*\", [^,]*, )[^,]*,/\\1$2,/" "the most of $1 is $2"; }

planted=
plant "$table" '/^PARAMETER\(banks/s/2, 65536, //' 'a row has no bounds'
refused isa/machine/profile.h 'PARAMETER'

for depth in router_depth up_ramp_depth down_ramp_depth; do most "$depth" 65536; done
refused vm/stepper/queue.h router_depth up_ramp_depth down_ramp_depth
plant vm/stepper/queue.h 's/using Count = std::uint16_t/using Count = std::uint8_t/' 'a queue counts its places in 8 bits'
plant vm/stepper/channels.h 's/std::uint16_t unwanted/std::uint8_t unwanted/' 'a channel counts unwanted wavelets in 8 bits'
refused vm/stepper/channels.cpp router_depth unwanted

most colours 25
most switch_colours 0x1ffffff
most switch_positions 5
most first_local_id 31
most branch_taken_cycles 0xffffffff
refused isa/machine/profile.cpp Profile::colours switch_colours kMaxPositions kLocalIds dearest_price
most fabric_inputs 4
refused vm/pe/checks.cpp kInputs
most input_queues 33
refused asm/program/declarations.cpp input_queues
exit $((failures > 0))
