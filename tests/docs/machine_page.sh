#!/usr/bin/env bash
# machine_page.sh: each rule of isa/MACHINE.md names a test, and the test exists: a case of GoogleTest, a program of
# tests/golden, or `differential`. Generated tables hold no rules.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cases=$(grep -rhoE '^TEST(_P|_F)?\([A-Za-z0-9]+, [A-Za-z0-9]+\)' "$root/tests" --include='*_test.cpp' |
  sed -E 's/^TEST(_P|_F)?\(([A-Za-z0-9]+), ([A-Za-z0-9]+)\)/\2.\3/')
rules=0 failures=0
wrong() {
  printf 'isa/MACHINE.md: %s\n' "$*"
  failures=$((failures + 1))
}

while IFS= read -r line; do
  case $line in '| rule | test |' | '|---|---|') continue ;; esac
  rules=$((rules + 1))
  if [[ ! $line =~ \|\ \`([A-Za-z0-9_./]+)\`\ \|$ ]]; then
    wrong "a rule without a test: $line"
    continue
  fi
  name=${BASH_REMATCH[1]}
  case $name in
    differential) ;;
    */*) [[ -f $root/tests/golden/$name.wsa ]] || wrong "there is no program tests/golden/$name.wsa" ;;
    *) grep -qxF "$name" <<<"$cases" || wrong "there is no test $name" ;;
  esac
done < <(sed '/^<!-- generated:/,/^<!-- end -->/d' "$root/isa/MACHINE.md" | grep '^|')
[[ $rules -ge 50 ]] || wrong "$rules rules; where are the others?"
[[ $failures -eq 0 ]] || exit 1
echo "$rules rules"
