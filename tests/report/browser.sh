#!/usr/bin/env bash
# browser.sh WSEVM PYTHON BROWSER NODE [FOLDER]: pages of heat on 8 x 6 PEs in a browser; screenshots go into FOLDER.
set -uo pipefail
wsevm=$1 python=$2 browser=$3 node=$4 folder=${5:-}
root=$PWD
# shellcheck source=tests/support/cases.sh
source "$root/tests/support/cases.sh"
heat=(run "$root/programs/heat/heat.wsa" W=8 H=6 --quiet)
expect 0 'a run' "$wsevm" "${heat[@]}" steps=4 --profile=four.npz --report=one.html
expect 0 'another run' "$wsevm" "${heat[@]}" steps=9 --profile=nine.npz
expect 0 'a page of both' "$wsevm" report four.npz nine.npz -o two.html
expect 0 'arrays that not every profile has' "$python" "$root/tests/report/optional.py" four.npz more.npz
expect 0 'a page of them' "$wsevm" report more.npz -o more.html
expect 0 'a page with a path' "$wsevm" "${heat[@]}" steps=4 --path=path.json --report=path.html
expect 0 'the values' "$python" "$root/tests/report/values.py" four.npz
mv out values.json
expect 0 'the page in a browser' "$node" "$root/tests/report/browser.mjs" "$browser" "$PWD/one.html" "$PWD/two.html" "$PWD/more.html" \
  "$PWD/path.html" "$PWD/path.json" "$PWD/values.json" ${folder:+"$folder"}
finish
