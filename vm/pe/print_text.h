// The text of a `print`: its pieces with the values that registers, memory and slots have now.
#pragma once

#include <string>

#include "isa/image/image.h"
#include "isa/semantics/state.h"

namespace wse::vm {

std::string print_text(const isa::PrintText& pieces, const isa::PeState& state);

// A word as a number of that type; 16-bit types are in its low half.
std::string value_text(std::uint32_t bits, isa::Type type);

}  // namespace wse::vm
