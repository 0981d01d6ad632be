#!/usr/bin/env bash
# scripts.sh WSEVM CHECKOUT LIBRARY: errors planted in scripts/, one at a time, in a copy of the
# files that come with wsevm; the test of tests/script/library that its row names must fail with the
# error and pass without. LIBRARY is the folder where these tests run, of which a copy is used: they run there
# at the same time. Must never change the checkout.
set -uo pipefail
wsevm=$1 checkout=$2 library=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
wrong() {
  printf '%s\n' "$*"
  failures=$((failures + 1))
}

mkdir -p "$scratch/asm"
cp -r "$checkout/asm/library" "$scratch/asm/"
cp -r "$checkout/scripts" "$checkout/programs" "$scratch/"

cp -r "$library" "$scratch/library"

passes() { (cd "$scratch/library" && WSEVM_DATA=$scratch timeout 600 "$wsevm" run "$checkout/tests/script/library/$1.lua") >/dev/null 2>&1 </dev/null; }

# A test is asked once whether it passes without an error.
declare -A sound

# planted TEST FILE FROM TO: FROM, a text of FILE, becomes TO; TEST must notice.
planted() {
  local test=$1 file=$scratch/scripts/$2 text
  text=$(<"$file")
  [[ $text == *"$3"* ]] || { wrong "$2 has no '$3'"; return; }
  if [[ -z ${sound[$test]:-} ]]; then
    passes "$test" || wrong "$test fails without an error"
    sound[$test]=asked
  fi
  printf '%s\n' "${text/"$3"/"$4"}" >"$file"
  ! passes "$test" || wrong "$test does not notice '$4' in $2"
  printf '%s\n' "$text" >"$file"
}

# planted_for SCRIPT FILE FROM TO: the same, noticed by tests/script/SCRIPT.sh, which may have a word after a blank.
planted_for() {
  local name=${1%% *} file=$scratch/scripts/$2 text
  local script=$checkout/tests/script/$name.sh mode=()
  [[ $name == "$1" ]] || mode=("${1#* }")
  text=$(<"$file")
  [[ $text == *"$3"* ]] || { wrong "$2 has no '$3'"; return; }
  if [[ -z ${sound[$1]:-} ]]; then
    WSEVM_DATA=$scratch "$script" "$wsevm" "${mode[@]}" >/dev/null 2>&1 || wrong "$1 fails without an error"
    sound[$1]=asked
  fi
  printf '%s\n' "${text/"$3"/"$4"}" >"$file"
  ! WSEVM_DATA=$scratch "$script" "$wsevm" "${mode[@]}" >/dev/null 2>&1 || wrong "$1 does not notice '$4' in $2"
  printf '%s\n' "$text" >"$file"
}

# A region that is cut out of another one leaves the first element after it.
planted layout_regions wse/layout/progression.lua 'add(part[2] + step, p[2], step)' 'add(part[2] + 2 * step, p[2], step)'
# Two progressions meet one step too early.
planted layout_regions wse/layout/progression.lua 'local from = max(p[1], q[1])' 'local from = min(p[1], q[1])'
# A quote in a text is not doubled.
planted csv_quotes wse/csv.lua "gsub(text, '\"', '\"\"')" 'text'
# A text that a spreadsheet takes for a formula is written bare.
planted csv_quotes wse/csv.lua 'not find(text, "^[%s=+@-]") and' ''
# A blank at the end of a text is without quotes.
planted csv_quotes wse/csv.lua ' and not find(text, "%s$")' ''
# The label of a tick that is almost 0 has a sign.
planted plot_ticks wse/plot/ticks.lua '"^%-(0[.0]*)$"' '"^(0[.0]*)$"'

# A neighbour of the tile in the east comes from the second row on.
planted stencil_tiles stencil/emit/halo.lua '{0, 0, one.east, ty}' '{0, 1, one.east, ty}'
# A term with the factor -1 begins a sum with its sign lost.
planted stencil_columns stencil/compile/sums.lua '"fnegs", dst, source)' '"fmovs", dst, source)'
# A word is predicted to pass one ramp only.
planted stencil_costs stencil/explain/timeline.lua 'return 1 + 2 * machine' 'return 1 + machine'
# PEs at the end of a line are counted as if they heard all others.
planted stencil_golden stencil/lib/compiled_accounts.lua 'return math.max(length - distance, 0) / length' 'return 1'
# Code is thought to take half of its bytes.
planted stencil_refused stencil/emit/size.lua 'kDimension = 4,' 'kDimension = 1,'
# A field of a step earlier is the one of this step.
planted stencil_lang stencil/problem.lua 'reader(step, record, field, "before")' 'reader(step, record, field, "now")'

# A share of a sweep begins a point late.
planted_for shares wse/sweep_share.lua 'for k = part, #list, parts' 'for k = part + 1, #list, parts'
# Rows of other inputs stay in the file of a share.
planted_for shares wse/sweep_share.lua 'row.sweep_inputs ~= inputs' 'false'
# Points are no inputs.
planted_for shares wse/sweep_share.lua 'host.inputs_digest(concat(lines))' 'host.inputs_digest("")'
# A share of a sweep that has been merged runs again.
planted_for shares wse/sweep.lua 'if #open > 0 then run_share' 'if true then run_share'

if command -v mpirun >/dev/null && [[ -e $(dirname "$(readlink -f "$wsevm")")/wsevm-mpi.so ]]; then
  # Ranks that do not lead get no rows.
  planted_for 'ranks same2' wse/sweep.lua 'host.end_sweep(fine, result)' 'host.end_sweep(true, {})'
  # A sweep that ends badly gives other ranks no error.
  planted_for 'ranks same2' wse/sweep.lua 'host.end_sweep(fine, result)' 'host.end_sweep(true, fine and result or {})'
fi

[[ $failures -eq 0 ]] || { echo "$failures failures"; exit 1; }
