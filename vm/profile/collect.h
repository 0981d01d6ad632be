// Takes the profile out of a machine that has run.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "isa/support/diagnostics.h"
#include "vm/profile/profile.h"
#include "vm/run/machine.h"

namespace wse::vm {

// What was run, in the user's words.
struct RunOrigin {
  std::string file;
  std::vector<std::pair<std::string, std::string>> values;
  const isa::SourceFiles* sources = nullptr;  // texts of the program; null: nobody has them
};

// Returns what the machine kept of a run with RunOptions::profile, and the cycles of lines if it
// has counted them. Errors: nobody asked for a profile.
isa::Result<Profile> collect_profile(const Machine& machine, const Record& record,
                                     const RunOrigin& origin);

}  // namespace wse::vm
