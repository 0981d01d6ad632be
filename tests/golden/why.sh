#!/usr/bin/env bash
# why.sh WSEVM: the answers of `wsevm why` in tests/golden/why, each a question in its first line and what must come.
# With WSE_BLESS=1 it writes the answers. Prints each file that differs.
wsevm=$1
here=$(dirname "$0")/why
failed=0
for file in "$here"/*.txt; do
  question=$(head -1 "$file")
  # shellcheck disable=SC2086 # a question is several words
  answer=$("$wsevm" why ${question#wsevm why } 2>/dev/null)
  if [[ -n $WSE_BLESS ]]; then
    printf '%s\n\n%s\n' "$question" "$answer" >"$file"
  elif ! diff "$file" <(printf '%s\n\n%s\n' "$question" "$answer"); then
    echo "$file differs: WSE_BLESS=1 writes it anew"
    failed=1
  fi
done
exit $failed
