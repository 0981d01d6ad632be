#!/usr/bin/env bash
# Runs tests of one label in another build folder, those whose names match a regular expression:
# other_build.sh FOLDER LABEL PATTERN JOBS TARGET [--only-listed].
# Of tests for every program of programs/ those of heat are left out: 4096 PEs take half a minute each time, and
# golden_programs runs it in other sizes. What sanitized_long.txt lists is left out too, or nothing else is run.
# It brings that build up to date first, so it can never report on stale binaries.
# Exit 77 (skipped) when the folder was never configured, as after a plain release build.
set -euo pipefail
folder=$1 label=$2 pattern=$3 jobs=$4 target=$5
if [[ ! -e $folder/build.ninja ]]; then
  echo "no build in $folder; ./dev test makes one"
  exit 77
fi
listed=$(grep -v '^\(#\|$\)' "$(dirname "$0")/sanitized_long.txt" | paste -sd:)
if [[ ${6:-} == --only-listed ]]; then
  export GTEST_FILTER="$listed:-*/heat"
else
  export GTEST_FILTER="-*/heat:$listed"
fi
# Memory that was given back is kept from use for 16 MB of it, not 256: the host need not clear so many pages.
export ASAN_OPTIONS=${ASAN_OPTIONS:-quarantine_size_mb=16}
cmake --build "$folder" --parallel "$jobs" --target "$target"
exec ctest --test-dir "$folder" -L "^$label\$" -R "$pattern" -LE '^long$' --output-on-failure -j "$((jobs + 1))"
