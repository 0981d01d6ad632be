#!/usr/bin/env bash
# long_here.sh FIRST OTHER...: every test with the label `long` in one of the other build folders has it in the first one too,
# which is where ./dev test --long runs such tests. One that was registered in another build alone would never run.
# Folders that were never configured are passed over.
set -euo pipefail
long_tests() { ctest --test-dir "$1" -N -L '^long$' 2>/dev/null | sed -n 's/^ *Test *#[0-9]*: //p' | sort; }
first=$1
shift
failures=0
for other in "$@"; do
  [[ -e $other/CTestTestfile.cmake ]] || continue
  only=$(comm -13 <(long_tests "$first") <(long_tests "$other"))
  if [[ -n $only ]]; then
    printf 'long tests that only %s has, where nothing runs them:\n%s\n' "$other" "$only" >&2
    failures=1
  fi
done
exit $failures
