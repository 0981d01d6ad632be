// Checks of a mapped vector instruction that starts, beside those for all.
#pragma once

#include <optional>

#include "vm/pe/plan.h"

namespace wse::vm {

// It works on memory, registers and scalars: its time is known at its start.
std::optional<Complaint> check_mapped_kinds(const Operands& operands);

// Sets the elements for each scalar, and the length: all together.
std::optional<Complaint> set_groups(Plan& starting);

// Checks that no element over which it is mapped changes before the end.
std::optional<Complaint> check_each(const Plan& starting);

}  // namespace wse::vm
