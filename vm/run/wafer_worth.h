// Where a wafer is likely to be faster than the stepper: its planes cost the same whatever moves, a
// train as much as three or four words of the stepper. Only a guess, from lengths that programs
// name; no cycle depends on it.
#pragma once

#include <string>

#include "isa/image/image.h"
#include "isa/machine/topology.h"
#include "vm/load/loaded.h"

namespace wse::vm {

struct WaferWorth {
  bool is_faster = false;
  std::string reason;  // in words; empty for a machine so small that it does not matter
};

WaferWorth wafer_worth(const isa::Image& image, const isa::Topology& mesh, const Loaded& loaded);

}  // namespace wse::vm
