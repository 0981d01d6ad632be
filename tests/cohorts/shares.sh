#!/usr/bin/env bash
# Prints what shares of processor time the parts of a run took:  shares.sh WSEVM FILE.wsa [argument...]
# perf samples the run; what a function does, with all that the compiler put into it, counts for one part. Assembling, loading and
# the kernel are left out of the shares, and printed beside them in percent of all samples. "The same" is what a visit of PEs that do
# the same computes again for each of them: scalar code, plans, checks, successions, tasks.
set -euo pipefail
wsevm=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
perf record -o "$scratch/data" -F 1000 "$wsevm" run "$@" --threads=1 --quiet >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
perf report -i "$scratch/data" --no-children --stdio -F overhead,symbol 2>/dev/null | awk '
  function add(part) { share[part] += $1 }
  /^#/ || NF < 3 { next }
  $2 == "[k]" || /libstdc|assembler::|Loaded|Channels::(make|target|across)|Views|TaskTable|InitialData|memchr|malloc|free/ { outside += $1; next }
  /over_range|apply_pieces|vm::apply\(|vm::apply$|VectorEnds::moved|memmove|memcpy|memset|ElementRanges::(apply|take_words|room_for)|ThreadWords|apply_received/ { add("data"); next }
  /_block$|_block\(/ && /V[0-9]|issue_block|update_block|decide_block/ && !/Slots::/ { add("planes"); next }
  /wafer::/ { add("messages"); next }
  /Stepper|Issuer|Fabric|ThreadTable|RouterState|Edge|Switching|StepperCounts|PeRamps/ { add("stepper"); next }
  /run_as|JitExecutor|isa::decode|isa::execute/ { add("scalar"); same += $1; next }
  /Stretches|first_after|first_issue|note_stretch|note_end|Successions|Plans::|may_clash|VectorStarts|stalls_before|VectorPasser|ScalarTime|must_wait_for_save|Cores::(act|ready|wait|step_core|end_task)|StretchRecorder::end|TaskSteps|next_pick|check_/ { same += $1 }
  { add("cores") }
  END {
    for (part in share) all += share[part]
    count = split("cores scalar messages planes stepper data", order, " ")
    for (k = 1; k <= count; ++k) printf "%-9s %5.1f %%\n", order[k], 100 * share[order[k]] / all
    printf "%-9s %5.1f %% of cores and scalar\n", "the same", 100 * same / (share["cores"] + share["scalar"])
    printf "%-9s %5.1f %% of all samples\n", "outside", outside
  }'
