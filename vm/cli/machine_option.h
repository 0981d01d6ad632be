// --machine: the name of a profile, or a file of Lua that returns what is changed in one. The
// profile is made here once; what runs and assembles gets it as a value.
#pragma once

#include <string>

#include "isa/machine/interval.h"
#include "isa/support/input_list.h"
#include "vm/cli/failure.h"

namespace wse::cli {

Outcome<isa::MeasuredProfile> find_machine(const std::string& given, isa::InputList& inputs);

// The name in records: that of the profile, or the stem of the file.
std::string machine_name(const std::string& given);

}  // namespace wse::cli
