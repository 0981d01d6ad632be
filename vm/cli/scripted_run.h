// A run of a script that is asked about its past: all that is needed to do it again.
#pragma once

#include "isa/image/image.h"
#include "isa/support/input_list.h"
#include "scripts/host/script.h"
#include "vm/cli/commands.h"
#include "vm/cli/failure.h"
#include "vm/cli/interrupt.h"
#include "vm/run/interval_runs.h"

namespace wse::cli {

struct ScriptedRun {
  isa::Image image;
  script::RunDefaults options;  // of the run: its machine, seeds and limits
  vm::FirstWords words;         // of its arrays before the first cycle
};

// Runs the script, whose output goes to stderr, and returns its run of that number, counted from 1,
// or the last one for 0; also if the script ended badly after it. Failures: there is no such run;
// it is a launch of a session or continues from a checkpoint; those of reading the script.
Outcome<ScriptedRun> scripted_run(const RunCommand& command, isa::InputList& inputs,
                                  Interrupts& interrupts);

}  // namespace wse::cli
