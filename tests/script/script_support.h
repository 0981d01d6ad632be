// Runs scripts for the tests of this folder, with the library of this checkout.
#pragma once

#include <filesystem>
#include <string>

#include "scripts/host/script.h"

namespace wse::script {

struct Ran {
  ScriptResult result;
  std::string printed;
  std::string logged;
};

// Small limits, so that what runs away ends soon.
Options test_options();

// As the command line has it for `wsevm run SCRIPT`, with array files and without an engine.
Options command_options(const std::filesystem::path& script);

Ran run_text(const std::string& source, Options options = test_options());

}  // namespace wse::script
