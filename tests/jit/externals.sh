#!/usr/bin/env bash
# The bitcode of the meanings calls nothing but what the list allows:  externals.sh BITCODE LIST
set -euo pipefail
bitcode=$1 list=$2
wanted=$(llvm-nm-19 --undefined-only --format=just-symbols "$bitcode" | sort -u)
allowed=$(grep -v '^#' "$list" | sort -u)
not_allowed=$(comm -23 <(printf '%s\n' "$wanted") <(printf '%s\n' "$allowed"))
if [[ -n $not_allowed ]]; then
  printf 'the bitcode calls what %s does not list:\n%s\n' "$list" "$not_allowed"
  exit 1
fi
[[ -n $wanted ]] || { echo 'the bitcode calls nothing at all: is it the right file?'; exit 1; }
