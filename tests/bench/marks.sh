#!/usr/bin/env bash
# marks.sh README...: each has one table of figures between the marks of `bench --update`, with rows in it.
set -euo pipefail
for readme in "$@"; do
  rows=$(sed -n '/^<!-- bench -->$/,/^<!-- end of bench -->$/p' "$readme" | grep -c '^| [^-]' || true)
  marks=$(grep -cxE '<!-- (end of )?bench -->' "$readme" || true)
  if [[ $marks -ne 2 || $rows -lt 6 ]]; then
    printf '%s: %s marks and %s rows of figures; ./dev bench --update needs 2 marks\n' "$readme" "$marks" "$rows" >&2
    exit 1
  fi
done
