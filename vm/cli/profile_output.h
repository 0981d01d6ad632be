// The files that show what each PE did, --profile and --report: of a program, or of a run of a
// script.
#pragma once

#include <optional>

#include "isa/support/input_list.h"
#include "scripts/host/script.h"
#include "vm/cli/commands.h"
#include "vm/cli/failure.h"
#include "vm/cli/run_results.h"
#include "vm/front/script_options.h"
#include "vm/page/page.h"
#include "vm/profile/collect.h"

namespace wse::cli {

// Returns whether the command writes one of these files.
bool wants_profile(const RunCommand& command);

// Writes the files that the command asks for; what fails is added to `failures`.
void write_profile_files(const RunCommand& command, isa::InputList& inputs,
                         const vm::Profile& profile, Failures& failures);

// Writes the page that shows the runs.
Outcome<void> write_page(const std::string& file, isa::InputList& inputs,
                         std::span<const vm::PageRun> runs, const vm::PageOptions& options);

}  // namespace wse::cli
