// Words for waits and for the spots at which wavelets stand.
#include "vm/report/wait_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/control_word.h"
#include "isa/disassembler.h"

namespace wse::vm {
namespace {

using For = Wait::For;
using Why = Spot::Why;

std::string thread_name(std::uint32_t thread) {
  return thread == kMainThread ? "main" : fmt::format("microthread {}", thread - 1);
}

// "position 1, [west -> ramp]", or "the route" where there is only one.
std::string position_of(const Channel& channel) {
  if (channel.routing->positions.size() == 1) return "the route";
  return fmt::format("position {}, [{}]", channel.position, isa::position_text(*channel.current()));
}

// "the west", "dim2": where a link port leads to.
std::string way_text(isa::Port port) {
  return fmt::format("{}{}", port < isa::Port::Ramp ? "the " : "", isa::text(port));
}

std::string who_takes(const isa::Routing& routing, isa::Port side) {
  for (std::size_t k = 0; k < routing.positions.size(); ++k) {
    if (routing.positions[k].rx == side) return fmt::format("which position {} takes", k);
  }
  return "which no position of this colour takes";
}

class SpotText {
 public:
  SpotText(const Scene& scene, std::uint32_t colour, const Spot& spot)
      : s_(scene),
        colour_(colour),
        spot_(spot),
        who_(pe_text(scene.mesh, spot.pe)),
        id_(scene.fabric.channel(spot.pe, colour)) {}

  // Why a wavelet does not come, or cannot go on.
  std::string text() const {
    switch (spot_.why) {
      case Why::Sender: return sender();
      case Why::Receiver:
        return fmt::format("{} does not receive that colour; {} wait there", who_,
                           wavelets_text(s_.queued(channel(), QueuePort::DownRamp)));
      case Why::Control: {
        const Wavelet& head = s_.fabric.queues().head(channel().queue(QueuePort::DownRamp));
        return fmt::format("a control wavelet with entry {} stands first in its down-ramp",
                           isa::entry_of(head.data));
      }
      case Why::NoRoute: return fmt::format("{} has no route for that colour", who_);
      case Why::TornDown: return torn_down();
      case Why::HeldBack:
        return fmt::format("{} is in {} with {} at its {} side, {}", who_, position_of(channel()),
                           wavelets_text(s_.queued(channel(), input_queue(spot_.side))),
                           isa::text(spot_.side), who_takes(*channel().routing, spot_.side));
      case Why::NotToRamp:
        return position_of(channel()) + " of that colour here does not lead to the ramp";
      case Why::NotFromRamp:
        return position_of(channel()) + " of that colour here takes no wavelets from the ramp";
      case Why::NotRouted: return not_routed();
      case Why::Edge: return edge();
      case Why::Circle: return "its route runs in a circle without a sender";
      case Why::Unknown:
      case Why::Stopped: break;
    }
    return "the wavelets sent before cannot move on";
  }

 private:
  const Channel& channel() const { return s_.fabric.channels()[id_]; }

  std::string torn_down() const {
    std::uint32_t waiting = 0;
    for_each_port(s_.mesh.ports(),
                  [&](isa::Port side) { waiting += s_.queued(channel(), input_queue(side)); });
    return fmt::format("the colour is torn down at {}, with {} in its queues", who_,
                       wavelets_text(waiting));
  }

  std::string sender() const {
    if (s_.loaded.program_at(spot_.pe) == nullptr) {
      return fmt::format("it comes from {}, which has no program", who_);
    }
    const Core& core = s_.cores.core(spot_.pe);
    if (core.program->program->passive && core.main != Core::Main::Halted) {
      return fmt::format("it comes from {}, which only serves (.passive)", who_);
    }
    if (core.done()) return fmt::format("it comes from {}, which has halted", who_);
    return fmt::format("it comes from {}, which is stuck itself before it sends on {}", who_,
                       s_.image.colour_name(colour_));
  }

  std::string not_routed() const {
    std::string out =
        fmt::format("{} does not route that colour to {}", who_, way_text(spot_.side));
    if (id_ == kNoChannel || channel().routing == nullptr) return out;
    if (channel().routing->positions.size() == 1) return out;
    return out + "; it is in " + position_of(channel());
  }

  std::string edge() const {
    const StreamEndId stream = s_.fabric.stream_in(channel(), spot_.side);
    if (stream != kNoStream) {
      return fmt::format("it comes from stream {}, of which all elements have entered",
                         s_.fabric.streams().stream(stream).name);
    }
    return fmt::format("it would come from outside the grid, {} of {}", isa::text(spot_.side),
                       who_);
  }

  const Scene& s_;
  std::uint32_t colour_;
  const Spot& spot_;
  std::string who_;
  ChannelId id_;
};

std::string spot_text(const WaitGraph& graph, NodeId id, const Wait& wait) {
  const bool own = wait.spot.why == Why::NoRoute && wait.spot.pe == graph.node(id).pe;
  if (own && wait.what != For::Output) return "no route delivers that colour here";
  return SpotText(graph.scene(), wait.number, wait.spot).text();
}

const Core& core_of(const WaitGraph& graph, NodeId id) {
  return graph.scene().cores.core(graph.node(id).pe);
}

std::string task_name(const Core& core, std::uint32_t id) {
  const std::uint32_t task = id < isa::kTaskIds ? core.tasks->at(id) : kNoTask;
  return task == kNoTask ? fmt::format("{}", id) : (*core.tasks)[task].name;
}

std::string fifo_text(const WaitGraph& graph, NodeId id, const Wait& wait) {
  const std::string& name = core_of(graph, id).program->program->fifos[wait.number].name;
  return fmt::format("FIFO {} is {}", name, wait.what == For::FullFifo ? "empty" : "full");
}

// Who should fill or empty the FIFO.
std::string fifo_partner_text(const Core& core, const Wait& wait) {
  const bool pushes = wait.what == For::FullFifo;
  const std::string_view verb = pushes ? "pushes" : "pops";
  const std::optional<std::uint32_t> thread = thread_of_fifo(core, wait.number, pushes);
  if (!thread) return fmt::format("and nobody {} it", verb);
  return fmt::format("and {}, which {} it, is stuck itself", thread_name(*thread), verb);
}

std::uint32_t pc_of(const WaitGraph& graph, NodeId id) {
  const Core& core = core_of(graph, id);
  for (const InFlight& f : core.in_flight) {
    if (f.thread == graph.node(id).thread) return f.pc;
  }
  // A wait has been passed already.
  if (core.main == Core::Main::Waiting) return core.state.pc - isa::info(isa::Op::Wait).words();
  return core.state.pc;
}

bool has_no_task(const WaitGraph& graph, NodeId id) {
  return graph.node(id).thread == kMainThread && core_of(graph, id).main == Core::Main::Free;
}

}  // namespace

std::string place_text(const WaitGraph& graph, NodeId id) {
  if (has_no_task(graph, id)) return "no task";
  const isa::Program& program = *core_of(graph, id).program->program;
  const std::uint32_t pc = pc_of(graph, id);
  const std::string place = graph.scene().image.place_text(program.line_of(pc));
  return place.empty() ? fmt::format("word {} of {}", pc, program.name) : place;
}

std::string name_text(const WaitGraph& graph, NodeId id) {
  const WaitGraph::Node& node = graph.node(id);
  const std::string pe = pe_text(graph.scene().mesh, node.pe);
  return node.thread == kMainThread ? pe : pe + " " + thread_name(node.thread);
}

std::string reason_text(const WaitGraph& graph, NodeId id, const Wait& wait) {
  const std::string colour = graph.scene().image.colour_name(wait.number);
  switch (wait.what) {
    case For::Input:
    case For::TaskInput: return colour;
    case For::Output: return "room on " + colour;
    case For::FullFifo:
    case For::EmptyFifo: return fifo_text(graph, id, wait);
    case For::Microthread: return fmt::format("end of microthread {}", wait.number);
    case For::Save: return fmt::format("position from microthread {}", wait.number);
    case For::Completion: return "task " + task_name(core_of(graph, id), wait.number);
    case For::UnblockedTask:
      return fmt::format("task {} is blocked", task_name(core_of(graph, id), wait.number));
    case For::UnblockedColour: return colour + " is blocked";
  }
  return {};
}

std::string wait_text(const WaitGraph& graph, NodeId id, std::uint32_t index) {
  const Wait& wait = graph.waits(id)[index - graph.first_wait(id)];
  const Core& core = core_of(graph, id);
  const std::string colour = graph.scene().image.colour_name(wait.number);
  switch (wait.what) {
    case For::Input:
      return fmt::format("waits for a wavelet of colour {}: {}", colour,
                         spot_text(graph, id, wait));
    case For::Output:
      return fmt::format("cannot send on colour {}: {}", colour, spot_text(graph, id, wait));
    case For::FullFifo:
    case For::EmptyFifo:
      return fmt::format("waits: {}, {}", fifo_text(graph, id, wait),
                         fifo_partner_text(core, wait));
    case For::Microthread: return fmt::format("waits for microthread {}", wait.number);
    case For::Save:
      return fmt::format("waits for the position that microthread {} writes back", wait.number);
    case For::Completion: {
      const WaitGraph::Node& partner = graph.node(graph.partners(index).front());
      return fmt::format("task {} waits for {}", task_name(core, wait.number),
                         thread_name(partner.thread));
    }
    case For::UnblockedTask:
      return fmt::format("task {} is activated but blocked", task_name(core, wait.number));
    case For::UnblockedColour: {
      const Channel& channel =
          graph.scene()
              .fabric.channels()[graph.scene().fabric.channel(graph.node(id).pe, wait.number)];
      return fmt::format("task {} is blocked; {} of colour {} wait for it",
                         task_name(core, wait.number),
                         wavelets_text(graph.scene().queued(channel, QueuePort::DownRamp)), colour);
    }
    case For::TaskInput:
      return fmt::format("task {} waits for a wavelet of colour {}: {}",
                         task_name(core, wait.number), colour, spot_text(graph, id, wait));
  }
  return {};
}

std::string node_text(const WaitGraph& graph, NodeId id) {
  const WaitGraph::Node& node = graph.node(id);
  const bool idle = has_no_task(graph, id);
  const std::string pe = pe_text(graph.scene().mesh, node.pe);
  std::string waits;
  for (std::uint32_t k = graph.first_wait(id); k < graph.first_wait(id + 1); ++k) {
    waits += (waits.empty() ? "" : "; ") + wait_text(graph, id, k);
  }
  if (idle) {
    return fmt::format("{} has no task to run: {}", pe,
                       waits.empty() ? "none is activated" : waits);
  }
  return fmt::format("{} ({}) at {} {}", pe, thread_name(node.thread), place_text(graph, id),
                     waits.empty() ? "stands still" : waits);
}

}  // namespace wse::vm
