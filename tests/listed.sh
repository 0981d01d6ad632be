#!/usr/bin/env bash
# listed.sh LIST EXECUTABLE...: every line of LIST names a test of one of the executables, those that `sanitized_listed` runs.
# A line that names none would leave its test where it is slow, or, once its test has moved to another executable, out of both.
set -euo pipefail
list=$1
shift
names=$(for executable in "$@"; do
  "$executable" --gtest_list_tests | awk '/^[^ ]+\.( |$)/ { suite = $1 } /^  / { print suite $1 }'
done)
failures=0
while read -r pattern; do
  while read -r name; do
    # shellcheck disable=SC2053  # GoogleTest's patterns have the wildcards of the shell
    if [[ $name == $pattern ]]; then continue 2; fi
  done <<<"$names"
  printf '%s: no test is called %s\n' "$list" "$pattern" >&2
  failures=$((failures + 1))
done < <(grep -v '^\(#\|$\)' "$list")
exit $((failures > 0))
