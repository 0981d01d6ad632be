#!/usr/bin/env bash
# symbols.sh LIBRARY HEADER LIST: the library exports what the list names, with versions, and the header declares all of it.
set -euo pipefail
library=$1 header=$2 list=$3
exported=$(nm --dynamic --defined-only --with-symbol-versions "$library" | awk '{print $3}' | LC_ALL=C sort)
diff "$list" <(printf '%s\n' "$exported") || { echo 'the exported symbols (>) are not those of the list (<)'; exit 1; }
for name in $(sed -n 's/^\(wsevm_[a-z_]*\)@@.*/\1/p' "$list"); do
  grep -q "\\b$name(" "$header" || { echo "wsevm.h does not declare $name"; exit 1; }
done
soname=$(readelf -d "$library" | sed -n 's/.*SONAME.*\[\(.*\)\].*/\1/p')
[[ $soname == libwsevm.so.0 ]] || { echo "its soname is '$soname'"; exit 1; }
