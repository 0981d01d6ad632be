// Nodes first, then what each of them waits for and who should provide it.
#include "vm/report/wait_graph.h"

#include <algorithm>

#include "isa/machine/control_word.h"
#include "vm/pe/scalar_step.h"
#include "vm/report/doing_text.h"

namespace wse::vm {
namespace {

using For = Wait::For;

bool moves_fifo(const InFlight& f, std::uint32_t fifo, bool pushes) {
  const auto is = [fifo](const Operand& o) { return o.is_fifo() && o.descriptor.fifo == fifo; };
  return pushes ? is(f.operands().destination) : std::ranges::any_of(f.operands().source, is);
}

}  // namespace

std::optional<std::uint32_t> thread_of_fifo(const Core& core, std::uint32_t fifo, bool pushes) {
  for (const InFlight& f : core.in_flight) {
    if (moves_fifo(f, fifo, pushes)) return f.thread();
  }
  return std::nullopt;
}

WaitGraph::WaitGraph(const Scene& scene)
    : scene_(scene), walk_(scene), strays_(scene), first_of_(scene.mesh.pes() + 1, 0) {
  PeId next = 0;
  for (const PeId pe : scene.loaded.placed()) {
    for (; next <= pe; ++next) first_of_[next] = static_cast<NodeId>(nodes_.size());
    add_nodes(pe);
  }
  for (; next < first_of_.size(); ++next) first_of_[next] = static_cast<NodeId>(nodes_.size());
  const auto count = static_cast<NodeId>(nodes_.size());
  nodes_.emplace_back();
  for (NodeId id = 0; id < count; ++id) {
    nodes_[id].first_wait = static_cast<std::uint32_t>(waits_.size());
    add_waits(id);
  }
  nodes_[count].first_wait = static_cast<std::uint32_t>(waits_.size());
  first_edge_.push_back(static_cast<std::uint32_t>(edges_.size()));
}

void WaitGraph::add_nodes(PeId pe) {
  const Core& core = scene_.cores.core(pe);
  const auto add = [&](std::uint32_t thread) {
    const bool serves = scene_.cores.serves({pe, thread}, scene_.now);
    nodes_.push_back({.pe = pe, .thread = thread, .serves = serves});
  };
  if (core.main != Core::Main::Halted) add(kMainThread);
  for (const InFlight& f : core.in_flight) {
    if (f.thread() != kMainThread) add(f.thread());
  }
}

void WaitGraph::add_waits(NodeId id) {
  const Node& node = nodes_[id];
  for (const WaitingThread& waiting : scene_.transport.waiting(node.pe, scene_.waits_in())) {
    if (waiting.thread.thread == node.thread) return add_thread_waits(id, waiting);
  }
  if (node.thread == kMainThread) add_main_waits(id);
}

void WaitGraph::add_thread_waits(NodeId id, const WaitingThread& waiting) {
  const PeId pe = nodes_[id].pe;
  nodes_[id].issued = waiting.issued;
  for (const std::uint32_t colour : waiting.inputs) {
    if (colour != kNoColour) add_input(pe, For::Input, colour);
  }
  if (waiting.output != kNoColour) add_output(pe, waiting.output);
  if (waiting.empty != kNoFifo) add_fifo(id, waiting.empty, true);
  if (waiting.full != kNoFifo) add_fifo(id, waiting.full, false);
}

void WaitGraph::add_main_waits(NodeId id) {
  const PeId pe = nodes_[id].pe;
  const Core& core = scene_.cores.core(pe);
  if (core.main == Core::Main::Free) return add_task_waits(id);
  if (core.main == Core::Main::Waiting) {
    add_wait({.what = For::Microthread, .number = core.awaited - 1u});
    add_edge(pe, core.awaited);
  }
  if (core.main != Core::Main::Saving) return;
  const std::uint32_t used = descriptor_registers(core.instruction());
  for (const InFlight& f : core.in_flight) {
    if ((f.plan->saved & used) == 0) continue;
    add_wait({.what = For::Save, .number = f.thread() - 1});
    add_edge(pe, f.thread());
  }
}

bool WaitGraph::will_be_picked(const Core& core, const ChannelState& channel) const {
  if (scene_.queued(channel, QueuePort::DownRamp) == 0) return false;
  if ((core.ids.blocked_at_last() & id_bit(channel.colour)) != 0) return false;
  const StandingWavelet head = scene_.first_in(channel);
  if (head.control) {
    return (core.ids.blocked_at_last() & id_bit(isa::entry_of(head.data))) == 0;
  }
  return (core.tasks->data() & id_bit(channel.colour)) != 0;
}

bool WaitGraph::is_about_to_start(NodeId id) const {
  const Node& node = nodes_[id];
  const Core& core = scene_.cores.core(node.pe);
  if (node.thread != kMainThread || core.main != Core::Main::Free) return false;
  if ((core.ids.activated_at_last() & ~core.ids.blocked_at_last()) != 0) return true;
  return std::ranges::any_of(scene_.channels_of(node.pe), [&](const ChannelState& channel) {
    return will_be_picked(core, channel);
  });
}

// No task runs, and none can be picked.
void WaitGraph::add_task_waits(NodeId id) {
  if (scene_.moves && is_about_to_start(id)) return;
  const PeId pe = nodes_[id].pe;
  const Core& core = scene_.cores.core(pe);
  for_each_id(core.ids.activated_at_last() & core.ids.blocked_at_last(),
              [&](std::uint32_t task) { add_wait({.what = For::UnblockedTask, .number = task}); });
  for (const ChannelState& channel : scene_.channels_of(pe)) {
    if (scene_.queued(channel, QueuePort::DownRamp) > 0) {
      add_head_wait(core, channel);
    } else if ((core.tasks->data() & id_bit(channel.colour)) != 0) {
      add_input(pe, For::TaskInput, channel.colour);
    }
  }
  for (const InFlight& f : core.in_flight) {
    if (f.plan->completion == isa::Completion::None) continue;
    add_wait({.what = For::Completion, .number = f.completes});
    add_edge(pe, f.thread());
  }
}

// The picker takes what an instruction in flight does not.
void WaitGraph::add_head_wait(const Core& core, const ChannelState& channel) {
  const std::uint32_t colour = channel.colour;
  if (scene_.first_in(channel).control) {
    if ((core.controls() >> colour & 1) == 0) add_wait({.what = For::Control, .number = colour});
    return;
  }
  const bool taken =
      std::ranges::any_of(core.in_flight, [&](const InFlight& f) { return f.receives(colour); });
  if (taken) return;
  if ((core.tasks->data() & id_bit(colour)) != 0) {
    add_wait({.what = For::UnblockedColour, .number = colour});
  } else if (first_control(scene_, channel).wavelet) {
    add_wait({.what = For::BehindData, .number = colour});
  }
}

void WaitGraph::add_wait(const Wait& wait) {
  first_edge_.push_back(static_cast<std::uint32_t>(edges_.size()));
  waits_.push_back(wait);
}

void WaitGraph::add_edge(PeId pe, std::uint32_t thread) {
  for (NodeId id = first_of_[pe]; id < first_of_[pe + 1]; ++id) {
    if (nodes_[id].thread == thread) edges_.push_back(id);
  }
}

void WaitGraph::add_input(PeId pe, Wait::For what, std::uint32_t colour) {
  const Spot spot = walk_.source(pe, colour);
  add_wait({what, colour, spot, walk_.mover(colour, spot)});
  if (const auto partner = walk_.partner(pe, colour, spot)) {
    add_edge_of_colour(*partner, colour, true);
  }
}

void WaitGraph::add_output(PeId pe, std::uint32_t colour) {
  const std::vector<Spot> spots = walk_.blocks(pe, colour);
  add_wait({For::Output, colour, spots.front(), walk_.mover(colour, spots.front())});
  for (const Spot& spot : spots) {
    const auto partner = walk_.partner(pe, colour, spot);
    if (partner) add_edge_of_colour(*partner, colour, spot.why != Spot::Why::Receiver);
  }
}

void WaitGraph::add_edge_of_colour(PeId pe, std::uint32_t colour, bool sends) {
  if (scene_.loaded.program_at(pe) == nullptr) return;
  const ThreadId mover = sends ? sender_of(scene_, pe, colour) : receiver_of(scene_, pe, colour);
  add_edge(pe, mover.thread);
}

void WaitGraph::add_fifo(NodeId id, std::uint32_t fifo, bool pushes) {
  add_wait({.what = pushes ? For::FullFifo : For::EmptyFifo, .number = fifo});
  const Node& node = nodes_[id];
  if (const auto thread = thread_of_fifo(scene_.cores.core(node.pe), fifo, pushes)) {
    add_edge(node.pe, *thread);
  } else if (node.thread != kMainThread) {
    add_edge(node.pe, kMainThread);  // which may start one
  }
}

bool WaitGraph::misses_partner(NodeId id) const {
  if (first_wait(id) == first_wait(id + 1)) return true;
  for (std::uint32_t wait = first_wait(id); wait < first_wait(id + 1); ++wait) {
    if (partners(wait).empty()) return true;
  }
  return false;
}

Loop WaitGraph::shortest_loop() const {
  Digraph graph;
  std::vector<bool> counts;
  for (NodeId id = 0; id < nodes(); ++id) {
    const std::uint32_t begin = first_edge_[first_wait(id)];
    const std::uint32_t end = first_edge_[first_wait(id + 1)];
    graph.to.insert(graph.to.end(), edges_.begin() + begin, edges_.begin() + end);
    graph.first.push_back(static_cast<std::uint32_t>(graph.to.size()));
    counts.push_back(!nodes_[id].serves);
  }
  return vm::shortest_loop(graph, counts);
}

}  // namespace wse::vm
