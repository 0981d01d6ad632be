// --machine: the name of a profile, or a file of Lua that returns what is changed in one. The
// profile is made here once; what runs and assembles gets it as a value.
#pragma once

#include <string>

#include "isa/machine/interval.h"
#include "isa/support/input_list.h"
#include "vm/cli/failure.h"
#include "vm/front/machine_file.h"

namespace wse::cli {

Outcome<isa::MeasuredProfile> find_machine(const std::string& given, isa::InputList& inputs);

}  // namespace wse::cli
