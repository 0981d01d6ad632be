// Why something traps.
#pragma once

#include <string>

#include "isa/instruction/traps.h"

namespace wse::vm {

struct Complaint {
  isa::Trap trap;
  std::string detail;
};

}  // namespace wse::vm
