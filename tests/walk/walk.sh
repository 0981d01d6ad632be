#!/usr/bin/env bash
# Counts the files of vm/ that one vector instruction leads through: walk.sh ROOT WALK WALKED PROGRAM MOST.
# WALK runs PROGRAM without the instruction and with it, gcov tells how often each run executed each line, WALKED compares.
set -euo pipefail
root=$1 walk=$2 walked=$3 program=$4 most=$5
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for on in 0 1; do
  counts=$scratch/$on
  GCOV_PREFIX=$counts "$walk" "$program" "on=$on"
  # What a run counted lies below $counts under the path of its object; gcov looks for what the compiler noted beside it.
  # Objects of isa and asm, which include nothing of vm, are passed over.
  find "$counts" -name '*.gcda' ! -path '*/wse_isa.dir/*' ! -path '*/wse_asm.dir/*' >"$counts.list"
  while read -r data; do
    notes=${data#"$counts"}
    ln -s "${notes%.gcda}.gcno" "${data%.gcda}.gcno"
  done <"$counts.list"
  (cd "$scratch" && xargs gcov --json-format --stdout <"$counts.list") >"$counts.json"
done
GCOV_PREFIX=$scratch "$walked" "$root" "$most" "$scratch/0.json" "$scratch/1.json"
