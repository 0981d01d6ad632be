// The files that a command has been asked for, looked at before it begins: a long run must not be
// lost for a typing error.
#pragma once

#include <string>
#include <vector>

#include "vm/cli/commands.h"
#include "vm/cli/failure.h"

namespace wse::cli {

struct NamedOutput {
  std::string option;  // "--json", "--out y"
  std::string path;    // "-": stdout
};

std::vector<NamedOutput> outputs_of(const RunCommand& command);
std::vector<NamedOutput> outputs_of(const AsmCommand& command);

// Errors: a place that cannot be written, two outputs to one file, an output onto the program.
// An array that was read may be written to the same file.
Outcome<void> check_outputs(const std::vector<NamedOutput>& outputs, const std::string& program);

// Whether one of them goes to stdout, which then holds nothing else.
bool takes_stdout(const std::vector<NamedOutput>& outputs);

}  // namespace wse::cli
