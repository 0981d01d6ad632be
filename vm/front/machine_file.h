// Machines by what people name: a profile, or a file of Lua that returns what is changed in one.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "isa/machine/interval.h"
#include "isa/support/input_list.h"
#include "vm/front/failure.h"

namespace wse::front {

// The listeners to a file of Lua while it is read.
struct MachineFileHost {
  std::function<void(std::string_view text)> log = {};
  // Ends the process when one instruction takes too long; without it nobody watches that.
  std::function<void(const std::string& message)> give_up = {};
};

// Returns the machine. Failures: no profile of that name; a file that cannot be read, or that
// returns no machine.
Outcome<isa::MeasuredProfile> find_machine(const std::string& given, isa::InputList& inputs,
                                           const MachineFileHost& host);

// Returns the name in records: that of the profile, or the stem of the file.
std::string machine_name(const std::string& given);

}  // namespace wse::front
