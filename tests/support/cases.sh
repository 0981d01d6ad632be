# Sourced by tests that run wsevm as people do: a scratch folder as the current one, cases that are
# counted, and `finish`. A case that fails is printed. Must never write outside the scratch folder.
set -uo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0
wrong() {
  printf '%s\n' "$*"
  failures=$((failures + 1))
}
# expect CODE NAME COMMAND...: the exit code; stdout and stderr stay in out and err.
expect() {
  local code=$1 name=$2
  shift 2
  "$@" >out 2>err </dev/null
  local actual=$?
  [[ $actual -eq $code ]] || wrong "$name: exit code $actual, expected $code: $*"$'\n'"$(cat out err)"
}
# contains FILE TEXT, lacks FILE TEXT, empty FILE
contains() { grep -qF -- "$2" "$1" || wrong "'$2' is missing in $1:"$'\n'"$(cat "$1")"; }
lacks() { ! grep -qF -- "$2" "$1" || wrong "'$2' is in $1:"$'\n'"$(cat "$1")"; }
empty() { [[ ! -s $1 ]] || wrong "$1 should be empty:"$'\n'"$(cat "$1")"; }
finish() {
  [[ $failures -eq 0 ]] || { echo "$failures failures"; exit 1; }
}
