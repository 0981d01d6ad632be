#!/usr/bin/env bash
# Runs the tests with one label in another build folder: other_build.sh FOLDER LABEL JOBS [TARGET].
# It brings that build up to date first, so it can never report on stale binaries.
# Exit 77 (skipped) when the folder was never configured, as after a plain release build.
set -euo pipefail
folder=$1 label=$2 jobs=$3 target=${4:-all}
if [[ ! -e $folder/build.ninja ]]; then
  echo "no build in $folder; ./dev test makes one"
  exit 77
fi
cmake --build "$folder" --parallel "$jobs" --target "$target"
exec ctest --test-dir "$folder" -L "^$label\$" -LE '^long$' --output-on-failure -j "$jobs"
