#!/usr/bin/env bash
# Runs a test executable with all its machines on the bit-plane transport:
#   on_wafer.sh THREADS LIST EXECUTABLE [ARGUMENT...]
# What that transport refuses goes to the stepper; LIST says how many runs that are, by reason, and is compared, so that
# nothing gets out of the way of the test unseen. WSE_BLESS=1 writes it. Must never count other than by whole lines.
set -uo pipefail
threads=$1 list=$2 executable=$3
shift 3
output=$(mktemp)
trap 'rm -f "$output"' EXIT
WSEVM_TRANSPORT=wafer WSE_TEST_THREADS=$threads "$executable" "$@" >"$output" 2>&1
code=$?
counted=$(grep -x 'not on wafer: .*' "$output" | sort | uniq -c | sed 's/^ *//' || true)
if [[ $code -ne 0 ]]; then
  cat "$output"
  exit "$code"
fi
tail -n 1 "$output"
if [[ ${WSE_BLESS:-} == 1 ]]; then printf '%s\n' "$counted" >"$list"; fi
diff <(printf '%s\n' "$counted") "$list" || {
  echo "on_wafer.sh: other runs than $list says are not on the wafer; WSE_BLESS=1 accepts them"
  exit 1
}
