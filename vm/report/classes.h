// Classes of PEs: which of them are alike where the machine has stopped. That is how a wafer of 750
// 000 PEs is read: a chain has three classes, a stencil nine.
//
// PEs of a class have the same program, role included, are at the same line for the same kind of
// reason, have the same instructions in flight and tasks activated or blocked, and their colours
// are at the same positions. Data, counts and queues may differ.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "vm/report/scene.h"

namespace wse::vm {

struct PeClasses {
  static constexpr std::size_t kMost = 4096;
  static constexpr std::uint32_t kNone = ~0u;

  std::vector<std::uint32_t> of_pe{};  // by PE of the mesh: its class; kNone: no program
  // By class, in the order of their first PEs: names and values, as pe_outline() has them of the
  // first PE. If there are more than kMost, the last class holds all PEs that are in none before.
  std::vector<std::vector<std::pair<std::string, std::string>>> texts{};
};

// Takes time linear in the PEs.
PeClasses classes_of(const Scene& scene);

}  // namespace wse::vm
