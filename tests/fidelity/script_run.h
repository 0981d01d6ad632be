// Runs a script of the checkout and reads one number that it notes with wse.user.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "isa/machine/profile.h"
#include "isa/support/result.h"

namespace wse::fidelity {

using Arguments = std::vector<std::pair<std::string, std::string>>;

// Returns the number `key` of the script at `root / file`, whose machines are `profile` where it
// names none. Errors: the script did not end well, or notes no such number.
isa::Result<double> number_of_script(const std::string& file, const Arguments& arguments,
                                     const std::string& key, const std::filesystem::path& root,
                                     const isa::Profile& profile);

}  // namespace wse::fidelity
