// The source of each program beside the cycles that its lines took in a run, for people.
// Numbers come from vm/ledger/line_cycles.h alone.
#pragma once

#include <string>

#include "isa/support/diagnostics.h"
#include "vm/run/machine.h"

namespace wse::cli {

// `sources` are the texts, empty for an image. The machine has counted lines.
std::string line_listing(const vm::Machine& machine, const vm::Record& record,
                         const isa::SourceFiles& sources);

}  // namespace wse::cli
