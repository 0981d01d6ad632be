// A critical path for people, and as JSON.
#pragma once

#include <string>

#include "isa/support/diagnostics.h"
#include "vm/cli/commands.h"
#include "vm/path/critical_path.h"

namespace wse::cli {

// Returns the event that `to` names: "", "X,Y", "X,Y@CYCLE" or a mark. Errors: anything else; off
// the grid.
Outcome<vm::PathTarget> path_target(const std::string& to, const isa::Image& image);

// Writes the path of the command, of a run that has stopped. Errors: nothing happened at the
// target; those of writing.
Outcome<void> write_path(const vm::Machine& machine, const vm::Record& record,
                         const RunCommand& command, const isa::SourceFiles& sources,
                         isa::InputList& inputs);

}  // namespace wse::cli
