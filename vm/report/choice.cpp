// Three passes, until the places are taken.
#include "vm/report/choice.h"

#include <algorithm>

namespace wse::vm {

Choice choose(const WaitGraph& graph, const Loop& loop, std::size_t most, const Alike* alike) {
  Choice choice;
  const auto class_of = [alike](NodeId id) { return alike != nullptr ? alike->first(id) : id; };
  std::vector<bool> taken(graph.nodes(), false);  // by class
  const auto take = [&](NodeId id) {
    if (taken[class_of(id)] || choice.nodes.size() == most) return;
    taken[class_of(id)] = true;
    choice.nodes.push_back(id);
  };
  std::ranges::for_each(loop.nodes, take);
  for (const bool only_missing : {true, false}) {
    for (NodeId id = 0; id < graph.nodes() && choice.nodes.size() < most; ++id) {
      if (!graph.node(id).serves && (!only_missing || graph.misses_partner(id))) take(id);
    }
  }
  for (NodeId id = 0; id < graph.nodes(); ++id) {
    if (!graph.node(id).serves && !taken[class_of(id)]) ++choice.left_out;
  }
  std::ranges::sort(choice.nodes);
  return choice;
}

}  // namespace wse::vm
