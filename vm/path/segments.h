// A path in few lines: steps that repeat each other, one PE further, are told once.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/machine/topology.h"
#include "vm/path/critical_path.h"

namespace wse::vm {

// Steps that follow each other `times` times, each time at other PEs in the same direction.
struct PathSegment {
  std::vector<PathStep> steps{};  // of the first time
  std::uint32_t times = 1;

  Cycle cycles() const;  // of all times
};

std::vector<PathSegment> segments_of(const std::vector<PathStep>& steps, const isa::Topology& mesh);

}  // namespace wse::vm
