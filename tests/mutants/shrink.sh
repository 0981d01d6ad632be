#!/usr/bin/env bash
# shrink.sh DIFFERENTIAL WSEVM: with an error planted, `differential --shrink` must end with a small program that shows it and with
# the first cycle that differs. Whether that cycle is right is judged by wsevm alone, with the error and without: stopped before it
# the records are alike, stopped after it they are not. Without an error all sides agree.
set -uo pipefail
differential=$1 wsevm=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
wrong() {
  printf '%s\n' "$*"
  failures=$((failures + 1))
}

# record ERROR CYCLES: the record of the small program, without what depends on the host.
record() {
  WSE_MUTANT=$1 "$wsevm" run "$scratch/small.wsa" --machine="$scratch/machine.lua" "${jitter[@]}" --transport=stepper \
    --max-cycles="$2" --quiet --json </dev/null | sed -E 's/"[a-z_]*seconds": ?[0-9.e-]+//g'
}

# shrinks ERROR LINES SEED [SET]
shrinks() {
  local error=$1 most=$2 first lines
  shift 2
  "$differential" --shrink "$@" >"$scratch/agrees" || wrong "seed $* does not agree without an error"
  grep -q "all sides agree" "$scratch/agrees" || wrong "seed $* agrees and does not say so"
  WSE_MUTANT=$error "$differential" --shrink "$@" >"$scratch/small.wsa"
  [[ $? -eq 1 ]] || wrong "$error: seed $* does not show it"
  lines=$(grep -cv '^;' "$scratch/small.wsa")
  [[ $lines -le $most ]] || wrong "$error: $lines lines, more than $most"
  first=$(sed -n 's/^; first cycle that differs: \([0-9]*\) .*/\1/p' "$scratch/small.wsa")
  sed -n 's/^; machine: //p' "$scratch/small.wsa" >"$scratch/machine.lua"
  mapfile -t jitter < <(sed -n 's/^; jitter /--jitter=/p' "$scratch/small.wsa")
  [[ ${first:-0} -gt 0 ]] || { wrong "$error: no first cycle"; cat "$scratch/small.wsa"; return; }
  [[ $(record "" "$first") == "$(record "$error" "$first")" ]] || wrong "$error: differs before cycle $first"
  [[ $(record "" $((first + 1))) != "$(record "$error" $((first + 1)))" ]] || wrong "$error: does not differ in cycle $first"
  grep -q '^; *!' "$scratch/small.wsa" || wrong "$error: no state of a PE differs"
}

shrinks hop-late 12 2
shrinks fifo-depth 20 1 mixed

[[ $failures -eq 0 ]] || { cat "$scratch/small.wsa"; echo "$failures failures"; exit 1; }
