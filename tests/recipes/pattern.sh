#!/usr/bin/env bash
# pattern.sh WSEVM: follows "To add a pattern" of scripts/collectives/README.md in a copy of the files that come with
# wsevm. The new pattern adds up on rows and grids, in the cycles of its law where it says one.
set -euo pipefail
wsevm=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/wsevm-recipe-XXXXXX")
trap 'rm -rf "$work"' EXIT
source "$root/tests/recipes/follow.sh"

mkdir "$work/asm"
cp -r "$root/asm/library" "$work/asm/"
cp -r "$root/scripts" "$work/"
follow scripts/collectives/README.md '## To add a pattern' 1
export WSEVM_DATA=$work
timeout 1800 "$wsevm" run "$root/tests/recipes/pattern.lua" </dev/null || fail 'the new pattern does not work'
