// Runs scripts for the tests of this folder, with the library of this checkout.
#pragma once

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

Ran run_text(const std::string& source, Options options = test_options());

}  // namespace wse::script
