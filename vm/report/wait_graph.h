// The graph of who waits for whom in a stopped machine.
//
//     node   a thread that cannot continue: a main thread, also between two tasks, or a microthread
//     wait   one thing that a node lacks; it lacks all of its waits at once
//     edge   from a wait to a node that should provide it; a wait without edges misses its partner
//
// Nodes of PEs that only serve (passive, or without an end) are in it too, for others may wait for
// them, but alone they are no reason to stand still. Made in time linear in the machine.
#pragma once

#include <span>
#include <vector>

#include "vm/report/counts.h"
#include "vm/report/route_walk.h"
#include "vm/report/shortest_loop.h"

namespace wse::vm {

using NodeId = std::uint32_t;

struct Wait {
  enum class For : std::uint8_t {
    Input,          // a wavelet of colour `number`
    Output,         // room on colour `number`
    FullFifo,       // an element in FIFO `number`, which is empty: full is what it should be
    EmptyFifo,      // room in FIFO `number`
    Microthread,    // the end of microthread `number`
    Save,           // microthread `number` to write a descriptor register back
    Completion,     // task or colour `number`, which an instruction in flight activates or unblocks
    UnblockedTask,  // the activated task of id `number` is blocked
    UnblockedColour,  // the data task of colour `number` is blocked, and words wait
    Control,          // the picker to take the control wavelet that is first on colour `number`
    BehindData,       // who takes the words before a control wavelet of colour `number`
    TaskInput,        // a wavelet of colour `number` for its data task
  };
  For what = For::Input;
  std::uint32_t number = 0;
  Spot spot = {};               // of inputs and outputs
  std::optional<PeId> mover{};  // where a switch must move: who sends to its current input
};

class WaitGraph {
 public:
  explicit WaitGraph(const Scene& scene);

  struct Node {
    PeId pe = 0;
    std::uint32_t thread = kMainThread;
    bool serves = false;
    std::uint32_t first_wait = 0;
    std::uint64_t issued = 0;  // elements of its instruction
  };
  NodeId nodes() const { return static_cast<NodeId>(nodes_.size() - 1); }
  const Node& node(NodeId id) const { return nodes_[id]; }
  std::span<const Wait> waits(NodeId id) const {
    return std::span(waits_).subspan(first_wait(id), first_wait(id + 1) - first_wait(id));
  }
  // The index of wait k of the node, by which edges are found.
  std::uint32_t first_wait(NodeId id) const { return nodes_[id].first_wait; }
  // The nodes that should provide the wait.
  std::span<const NodeId> partners(std::uint32_t wait) const {
    return std::span(edges_).subspan(first_edge_[wait], first_edge_[wait + 1] - first_edge_[wait]);
  }
  // One of its waits has no partner.
  bool misses_partner(NodeId id) const;

  // The shortest circle of waits through a node that does not only serve.
  Loop shortest_loop() const;

  // A main thread that waits for nothing but the next cycle to start a task, in a machine that may
  // continue.
  bool is_about_to_start(NodeId id) const;
  // Its PE has no node before it.
  bool is_first_of_pe(NodeId id) const { return first_of_[nodes_[id].pe] == id; }

  const Scene& scene() const { return scene_; }
  const Strays& strays() const { return strays_; }

 private:
  void add_nodes(PeId pe);
  void add_waits(NodeId id);
  void add_thread_waits(NodeId id, const WaitingThread& waiting);
  void add_main_waits(NodeId id);
  void add_task_waits(NodeId id);
  // Whether the picker will take the first wavelet in the down-ramp of the channel.
  bool will_be_picked(const Core& core, const ChannelState& channel) const;
  // Adds why the first wavelet in the down-ramp of the channel starts no task, if nobody takes it.
  void add_head_wait(const Core& core, const ChannelState& channel);
  void add_wait(const Wait& wait);
  // An edge of the last wait, if that node exists.
  void add_edge(PeId pe, std::uint32_t thread);
  void add_input(PeId pe, Wait::For what, std::uint32_t colour);
  void add_output(PeId pe, std::uint32_t colour);
  void add_fifo(NodeId id, std::uint32_t fifo, bool pushes);
  // To the thread that moves wavelets of the colour, or to the main thread, which may start one.
  void add_edge_of_colour(PeId pe, std::uint32_t colour, bool sends);

  const Scene& scene_;
  RouteWalk walk_;
  Strays strays_;
  std::vector<NodeId> first_of_;  // by PE: its first node
  std::vector<Node> nodes_;       // one more at the end
  std::vector<Wait> waits_;
  std::vector<std::uint32_t> first_edge_;  // by wait, one more at the end
  std::vector<NodeId> edges_;
};

// The thread in flight that pushes the FIFO, or pops it.
std::optional<std::uint32_t> thread_of_fifo(const Core& core, std::uint32_t fifo, bool pushes);

}  // namespace wse::vm
