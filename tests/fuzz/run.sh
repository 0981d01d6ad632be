#!/usr/bin/env bash
# Runs a fuzz target: run.sh TARGET SEEDS FOLDER SECONDS [libFuzzer option...].
# New inputs are kept in FOLDER/corpus/KIND and used by the next run; an input that is a finding is
# written to FOLDER/findings, its path is the last line, and the exit code is 1.
# A finding of an earlier run is tried first, so that it stays a failure until it is repaired.
set -uo pipefail
target=$1 seeds=$2 folder=$3 seconds=$4
shift 4
kind=$(basename "$seeds")
corpus=$folder/corpus/$kind
findings=$folder/findings/$kind-
mkdir -p "$corpus" "$folder/findings"
# An input takes milliseconds; the limits are far above that, so that only what never ends or grows without
# bound meets them, on a busy host too.
options=(-seed=1 -timeout=120 -report_slow_units=120 -rss_limit_mb=4096 -malloc_limit_mb=2048 -print_final_stats=1 "$@")
log=$folder/$kind.log

finding() {
  tail -n 80 "$log"
  printf 'a finding; run it again with:\n  %s %s\n' "$target" "$1"
  exit 1
}

for old in "$findings"*; do
  [[ -e $old ]] || continue
  "$target" "${options[@]}" "$old" >"$log" 2>&1 </dev/null || finding "$old"
  rm "$old"
done
"$target" "${options[@]}" -artifact_prefix="$findings" -max_total_time="$seconds" -reload=0 \
  "$corpus" "$seeds" >"$log" 2>&1 </dev/null
code=$?
for new in "$findings"*; do
  if [[ -e $new ]]; then finding "$new"; fi
done
grep -E 'DONE|^stat::' "$log"
if [[ $code -ne 0 ]]; then tail -n 80 "$log"; fi
exit "$code"
