// How the wait of a thread ended, told from the causes of what it did then.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vm/run/machine.h"

namespace wse::vm {

// "until cycle 124, when a word of red came, sent by PE(6, 3) at a.wsa:9 in cycle 118 (link 2, ramp
// 4)"; of a watch that has not ended "". The machine keeps causes, see RunOptions::path.
std::string wait_end_text(const Machine& machine, const causes::Watch& watch);

struct PeAndCycle {
  PeId pe = 0;
  Cycle cycle = 0;
};
// Returns the events on which that text of a watch that has ended depends, without the one that it
// names as the first; nothing if it names none, since causes were not kept early enough.
std::optional<std::vector<PeAndCycle>> events_of_wait_end(const Machine& machine,
                                                          const causes::Watch& watch);

}  // namespace wse::vm
