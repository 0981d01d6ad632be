// Threads that wait alike: one sentence about the first of them serves for all.
//
// Threads are alike if they are at one instruction of one program, have moved as much, wait for the
// same things for the same kind of reason, and find whoever should act in the same state. Where
// they are, and where their partners are, may differ.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vm/report/wait_graph.h"

namespace wse::vm {

class Alike {
 public:
  // Takes time linear in the graph. At most some thousands of classes are told apart: a thread that
  // is like none of the first of them is in a class of its own.
  explicit Alike(const WaitGraph& graph);

  // Returns the first thread of its class: the same for all that are alike.
  NodeId first(NodeId id) const { return first_[id]; }
  // Returns all PEs with a thread of that class, ascending: one each.
  std::vector<PeId> places(NodeId id) const;

 private:
  const WaitGraph& graph_;
  std::vector<NodeId> first_;  // by node
};

}  // namespace wse::vm
