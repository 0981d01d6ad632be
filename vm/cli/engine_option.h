// --engine: who executes the instructions of the machines of a command. Where memory is limited,
// auto is the interpreter: what the compiler takes would count, and could not be refused to it.
#pragma once

#include <memory>

#include "vm/cli/code_texts.h"
#include "vm/cli/commands.h"
#include "vm/cli/failure.h"
#include "vm/contract/executor.h"

namespace wse::cli {

// Makes the engine that the command line names; `texts` takes the texts of what is compiled.
// Errors: a folder that cannot be used, no compiler.
Outcome<std::unique_ptr<vm::Engine>> find_engine(const ProgramSource& program,
                                                 const CodeTexts& texts);

}  // namespace wse::cli
