#!/usr/bin/env bash
# vscode.sh WSEVM BROWSER NODE NPM [FOLDER]: VS Code's own server and workbench with the extension of scripts/editors/vscode, in
# a browser without a window; pictures of the steps go into FOLDER, as scripts/editors/WALKTHROUGH.md shows them:
#     tests/lsp/vscode.sh build/wsevm /usr/bin/chromium /usr/bin/node /usr/bin/npm scripts/editors/pictures
# Exit code 77, which skips the test: there is no npm or browser, or the packages cannot be fetched. Must never write
# outside its scratch folder and FOLDER.
set -euo pipefail
wsevm=$(realpath "$1") browser=$2 node=$3 npm=$4
[[ -x $npm && -x $browser ]] || { echo 'there is no npm, or no browser'; exit 77; }
pictures=${5:+$(mkdir -p "$5" && realpath "$5")}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# fetch FOLDER: the packages of its lock file, none of whose scripts run.
fetch() {
  (cd "$1" && HOME=$scratch timeout 400 "$npm" ci --omit=dev --ignore-scripts --no-audit --no-fund >log 2>&1) ||
    { tail -n 5 "$1/log"; exit 77; }
}
mkdir -p "$scratch/editor" "$scratch/extensions" "$scratch/heat"
cp tests/lsp/vscode/package*.json "$scratch/editor"
fetch "$scratch/editor"
cp -r scripts/editors/vscode "$scratch/extensions/wsevm.wsevm-0.1.0"
fetch "$scratch/extensions/wsevm.wsevm-0.1.0"
vscode=$scratch/editor/node_modules/code-server/lib/vscode
ln -s ../../.. "$vscode/node_modules"  # what it needs is beside it
cp programs/heat/heat.wsa "$scratch/heat"
(cd "$scratch/heat" && "$wsevm" run heat.wsa W=8 H=6 --quiet --profile=heat.npz >/dev/null)
timeout 300 "$node" tests/lsp/vscode/drive.mjs "$browser" "$vscode" "$scratch" "$scratch/heat/heat.wsa" "$wsevm" ${pictures:+"$pictures"}
