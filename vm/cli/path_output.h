// A critical path for people, and as JSON.
#pragma once

#include <string>

#include "isa/support/diagnostics.h"
#include "vm/cli/commands.h"
#include "vm/path/critical_path.h"

namespace wse::cli {

// Returns the event to which the path of the command leads. Errors: those of vm::path_target.
Outcome<vm::PathTarget> path_target(const RunCommand& command, const isa::Image& image);

// Returns the path of a run that has stopped, as the command wants it: JSON if its file is one of
// JSON, else for people. Errors: nothing happened at the target.
Outcome<std::string> path_text(const vm::Machine& machine, const vm::Record& record,
                               const RunCommand& command, const isa::SourceFiles& sources);

}  // namespace wse::cli
