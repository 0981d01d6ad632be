// The files that a command has been asked for, looked at before it begins: a long run must not be
// lost for a typing error.
#pragma once

#include <string>
#include <vector>

#include "isa/support/input_list.h"
#include "vm/cli/commands.h"
#include "vm/cli/failure.h"

namespace wse::cli {

struct NamedOutput {
  std::string option;  // "--json", "--out y"
  std::string path;    // "-": stdout
};

std::vector<NamedOutput> outputs_of(const RunCommand& command);
std::vector<NamedOutput> outputs_of(const AsmCommand& command);

// Puts the files that the command line names as inputs on the list, before any of them is opened.
void expect_inputs(const ProgramSource& source, isa::InputList& inputs);
void expect_inputs(const RunCommand& command, isa::InputList& inputs);

// Errors: a place that cannot be written, two outputs to one file, an output onto an input that is
// known by now.
Outcome<void> check_outputs(const std::vector<NamedOutput>& outputs, isa::InputList& inputs);

// Whether one of them goes to stdout, which then holds nothing else.
bool takes_stdout(const std::vector<NamedOutput>& outputs);

}  // namespace wse::cli
