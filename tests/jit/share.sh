#!/usr/bin/env bash
# At least 80 % of all instructions of programs/ are executed natively where every place is compiled at first sight:  share.sh WSEVM
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
wsevm=$1 least=80 all=0 native=0
record=$(mktemp)
trap 'rm -f "$record"' EXIT

# field NAME: the first number of that name in the record.
field() { sed -n "s/^ *\"$1\": \([0-9]*\),\$/\1/p" "$record" | sed -n "$2p"; }

for folder in programs/*/; do
  program=$folder$(basename "$folder").wsa
  "$wsevm" run "$program" --engine=jit --jit-threshold=0 --quiet "--json=$record" >/dev/null 2>&1 || {
    echo "share.sh: $program fails" >&2
    exit 1
  }
  native=$((native + $(field instructions 1)))  # of the object `native`, which comes first
  all=$((all + $(field instructions 2)))
done
printf '%s of %s instructions are native: %s %%\n' "$native" "$all" $((100 * native / all))
((all > 0 && native <= all && 100 * native >= least * all)) || {
  echo "share.sh: fewer than $least %" >&2
  exit 1
}
