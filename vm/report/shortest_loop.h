// The shortest loop of a directed graph.
//
// Nodes that no loop can pass are taken away first, and each node that was tried: a graph in which
// loops do not share nodes, as most machines that stand still have, takes linear time. Any other is
// searched until a budget is spent.
#pragma once

#include <cstdint>
#include <vector>

namespace wse::vm {

// The edges of node n lead to to[first[n]] .. to[first[n + 1] - 1].
struct Digraph {
  std::vector<std::uint32_t> first = {0};
  std::vector<std::uint32_t> to;

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(first.size() - 1); }
};

struct Loop {
  std::vector<std::uint32_t> nodes;  // each leads to the next, the last to the first; may be empty
  bool shortest = true;              // false: the budget was spent, there may be a shorter one
};

inline constexpr std::uint64_t kLoopBudget =
    20'000'000;  // edges looked at: some tenths of a second

// The shortest of all loops through at least one node that `counts`; of several, the one with the
// lowest such node.
Loop shortest_loop(const Digraph& graph, const std::vector<bool>& counts,
                   std::uint64_t budget = kLoopBudget);

}  // namespace wse::vm
