// How the wait of a thread ended, told from the causes of what it did then.
#pragma once

#include <string>

#include "vm/run/machine.h"

namespace wse::vm {

// "until cycle 124, when a word of red came, sent by PE(6, 3) at a.wsa:9 in cycle 118 (link 2, ramp
// 4)"; of a watch that has not ended "". The machine keeps causes, see RunOptions::path.
std::string wait_end_text(const Machine& machine, const causes::Watch& watch);

}  // namespace wse::vm
