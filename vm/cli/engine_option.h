// --engine: who executes the instructions of the machines of a command.
#pragma once

#include <memory>

#include "vm/cli/commands.h"
#include "vm/cli/failure.h"
#include "vm/executor.h"

namespace wse::cli {

Outcome<std::unique_ptr<vm::Engine>> find_engine(const EngineSource& source);

}  // namespace wse::cli
