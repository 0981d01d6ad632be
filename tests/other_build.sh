#!/usr/bin/env bash
# Runs tests of one label in another build folder, those whose names match a regular expression:
# other_build.sh FOLDER LABEL PATTERN JOBS [TARGET].
# Of tests for every program of programs/ those of heat are left out: 4096 PEs take half a minute each time, and
# golden_programs runs it in other sizes. Nor does unit_vm count each program's cycles: golden_programs runs them all.
# It brings that build up to date first, so it can never report on stale binaries.
# Exit 77 (skipped) when the folder was never configured, as after a plain release build.
set -euo pipefail
folder=$1 label=$2 pattern=$3 jobs=$4 target=${5:-all}
if [[ ! -e $folder/build.ninja ]]; then
  echo "no build in $folder; ./dev test makes one"
  exit 77
fi
export GTEST_FILTER='-*/heat:*CountedProgram.EveryCycleIsExact/*'
cmake --build "$folder" --parallel "$jobs" --target "$target"
exec ctest --test-dir "$folder" -L "^$label\$" -R "$pattern" -LE '^long$' --output-on-failure -j "$((jobs + 1))"
