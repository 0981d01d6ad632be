// The ids of the tasks beside a control task, so that the number chosen for its entry goes around
// them.
#pragma once

#include <cstdint>
#include <string_view>

#include "asm/names/globals.h"
#include "asm/syntax/syntax.h"

namespace wse::assembler {

// Bit n: a program with a control task of that entry has another task with the id n: a pinned local
// task, or a data task whose colour, also as the value of a parameter, is constant. Of `globals`
// the constants and colours are known.
std::uint64_t ids_beside(const Unit& unit, const Globals& globals, std::string_view entry);

}  // namespace wse::assembler
