// Follows routes from a waiting PE to the partner it waits for.
#include "vm/report/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "isa/control_word.h"
#include "isa/disassembler.h"

namespace wse::vm {
namespace {

constexpr std::size_t kShownPes = 8;
constexpr std::size_t kShownQueues = 8;

std::string queue_text(QueuePort port) {
  if (port == QueuePort::UpRamp) return "up-ramp";
  if (port == QueuePort::DownRamp) return "down-ramp";
  return fmt::format("{} queue", isa::text(static_cast<isa::Port>(port)));
}

// "the west", "dim2": where a link port leads to.
std::string way_text(isa::Port port) {
  return fmt::format("{}{}", port < isa::Port::Ramp ? "the " : "", isa::text(port));
}

// Why a PE is stuck, and the PE it waits for if there is one.
struct Blame {
  std::string text;
  std::optional<PeId> partner;
};

class Explainer {
 public:
  explicit Explainer(const Scene& scene) : s_(scene) {}

  std::string deadlock() const {
    std::vector<PeId> stuck;
    for (const PeId pe : s_.loaded.placed()) {
      if (!s_.cores.core(pe).done()) stuck.push_back(pe);
    }
    std::string out = fmt::format("nothing can move and {} of {} PEs with a program are not done",
                                  stuck.size(), s_.loaded.placed().size());
    for (std::size_t k = 0; k < std::min(stuck.size(), kShownPes); ++k) {
      out += "\n  " + blame(stuck[k]).text;
    }
    if (stuck.size() > kShownPes) {
      out += fmt::format("\n  ... and {} more", stuck.size() - kShownPes);
    }
    return out + ring(stuck);
  }

  std::string leftovers() const {
    std::string out;
    std::size_t shown = 0;
    for (PeId pe = 0; pe < s_.mesh.pes(); ++pe) {
      for (const Channel& channel : s_.fabric.channels().of(pe)) {
        for (std::uint32_t port = 0; port < kQueuePorts; ++port) {
          const std::uint32_t size = queued(channel, static_cast<QueuePort>(port));
          if (size == 0 || ++shown > kShownQueues) continue;
          out += fmt::format("\n  {} of colour {} in the {} of {}", wavelets(size),
                             colour(channel.colour), queue_text(static_cast<QueuePort>(port)),
                             pe_text(s_.mesh, pe));
        }
      }
    }
    if (shown > kShownQueues)
      out += fmt::format("\n  ... and {} more queues", shown - kShownQueues);
    return out;
  }

 private:
  static std::string wavelets(std::uint32_t count) {
    return fmt::format("{} wavelet{}", count, count == 1 ? "" : "s");
  }
  std::string colour(std::uint32_t number) const { return s_.image.colour_name(number); }

  std::uint32_t queued(const Channel& channel, QueuePort port) const {
    return channel.has(port) ? s_.fabric.queues().size(channel.queue(port)) : 0;
  }

  std::string line(PeId pe, std::uint32_t pc) const {
    const isa::Program& program = *s_.cores.core(pe).program->program;
    const std::string place = s_.image.place_text(program.line_of(pc));
    return place.empty() ? fmt::format("word {} of {}", pc, program.name) : place;
  }

  std::uint32_t pc_of(PeId pe, std::uint32_t thread) const {
    for (const InFlight& f : s_.cores.core(pe).in_flight) {
      if (f.thread == thread) return f.pc;
    }
    return s_.cores.core(pe).state.pc;
  }

  // Calls visit(port) for all from which wavelets may come.
  template <class Visit>
  static void for_each_input(Visit visit) {
    for_each_port((1u << isa::kPorts) - 1, visit);
  }

  // What the first thread that cannot go on waits for.
  Blame blame(PeId pe) const {
    const std::vector<Issuer::Waiting> threads = s_.issuer.waiting(pe, s_.now);
    for (const Issuer::Waiting& w : threads) {
      const std::string who = this->who(pe, w.thread.thread);
      if (w.input != kNoColour) {
        const Blame source = source_of(pe, w.input);
        return {fmt::format("{} waits for a wavelet of colour {}: {}", who, colour(w.input),
                            source.text),
                source.partner};
      }
      if (w.output != kNoColour) {
        const Blame target = target_of(pe, w.output);
        return {fmt::format("{} cannot send on colour {}: {}", who, colour(w.output), target.text),
                target.partner};
      }
    }
    for (const Issuer::Waiting& w : threads) {  // for others of the PE, which do not wait for them
      if (w.empty == kNoFifo && w.full == kNoFifo) continue;
      return {fifo_text(pe, w), {}};
    }
    if (s_.cores.core(pe).main == Core::Main::Free) return free_blame(pe);
    return {fmt::format("{} stands at {}", pe_text(s_.mesh, pe), line(pe, pc_of(pe, 0))), {}};
  }

  std::string fifo_text(PeId pe, const Issuer::Waiting& w) const {
    const bool empty = w.empty != kNoFifo;
    const isa::Fifo& fifo = s_.cores.core(pe).program->program->fifos[empty ? w.empty : w.full];
    return fmt::format("{} waits: FIFO {} is {}, and nobody {} it", who(pe, w.thread.thread),
                       fifo.name, empty ? "empty" : "full", empty ? "pushes" : "pops");
  }

  std::string who(PeId pe, std::uint32_t thread) const {
    return fmt::format("{} ({}) at {}", pe_text(s_.mesh, pe), thread_text(thread),
                       line(pe, pc_of(pe, thread)));
  }

  // "position 1, [west -> ramp]", or "the route" where there is only one.
  static std::string position(const Channel& channel) {
    const isa::Routing& routing = *channel.routing;
    if (routing.positions.size() == 1) return "the route";
    return fmt::format("position {}, [{}]", channel.position,
                       isa::position_text(*channel.current()));
  }

  static std::string who_takes(const isa::Routing& routing, isa::Port side) {
    for (std::size_t k = 0; k < routing.positions.size(); ++k) {
      if (routing.positions[k].rx == side) return fmt::format("which position {} takes", k);
    }
    return "which no position of this colour takes";
  }

  // Wavelets that a router holds back because of the state of its switch; empty if it does not.
  std::string held_back(const Channel& channel) const {
    const std::string who = pe_text(s_.mesh, channel.pe);
    if (channel.torn_down) {
      std::uint32_t waiting = 0;
      for_each_input([&](isa::Port port) { waiting += queued(channel, input_queue(port)); });
      return fmt::format("the colour is torn down at {}, with {} in its queues", who,
                         wavelets(waiting));
    }
    if (channel.routing == nullptr) return {};
    std::string held;
    for_each_input([&](isa::Port side) {
      const std::uint32_t waiting = queued(channel, input_queue(side));
      if (waiting == 0 || side == channel.current()->rx || !held.empty()) return;
      held = fmt::format("{} is in {} with {} at its {} side, {}", who, position(channel),
                         wavelets(waiting), isa::text(side), who_takes(*channel.routing, side));
    });
    return held;
  }

  // A control wavelet that stands first in the down-ramp; empty if there is none.
  std::string control_first(const Channel& channel) const {
    if (queued(channel, QueuePort::DownRamp) == 0) return {};
    const Wavelet& head = s_.fabric.queues().head(channel.queue(QueuePort::DownRamp));
    if (head.control == 0) return {};
    return fmt::format("a control wavelet with entry {} stands first in its down-ramp",
                       isa::entry_of(head.data));
  }

  // No task runs, and none can be picked: what each of them waits for.
  Blame free_blame(PeId pe) const {
    const Core& core = s_.cores.core(pe);
    const TaskTable& tasks = *core.tasks;
    const IdMask blocked = core.ids.blocked_at_last();
    Blame blame;
    const auto add = [&](std::string text) {
      blame.text += fmt::format("{}task {}", blame.text.empty() ? "" : "; ", text);
    };
    for_each_id(core.ids.activated_at_last() & blocked, [&](std::uint32_t id) {
      add(fmt::format("{} is activated but blocked", tasks[tasks.at(id)].name));
    });
    for_each_id(tasks.data(), [&](std::uint32_t id) {
      const std::string& name = tasks[tasks.at(id)].name;
      const std::uint32_t waiting =
          queued(s_.fabric.channels()[s_.fabric.channel(pe, id)], QueuePort::DownRamp);
      if (waiting > 0) {
        return add(fmt::format("{} is blocked; {} of colour {} wait for it", name,
                               wavelets(waiting), colour(id)));
      }
      const Blame source = source_of(pe, id);
      if (!blame.partner) blame.partner = source.partner;
      add(fmt::format("{} waits for a wavelet of colour {}: {}", name, colour(id), source.text));
    });
    if (blame.text.empty()) blame.text = "none is activated";
    blame.text = fmt::format("{} has no task to run: {}", pe_text(s_.mesh, pe), blame.text);
    return blame;
  }

  // Upstream along the routes: where wavelets of the colour should come from.
  Blame source_of(PeId pe, std::uint32_t c) const {
    const Channel& own = s_.fabric.channels()[s_.fabric.channel(pe, c)];
    const isa::SwitchPosition* here = own.current();
    if (std::string control = control_first(own); !control.empty()) return {control, {}};
    if (here == nullptr) return {"no route delivers that colour here", {}};
    if (std::string held = held_back(own); !held.empty()) return {held, {}};
    if ((here->tx & isa::bit(isa::Port::Ramp)) == 0) {
      return {fmt::format("{} of that colour here does not lead to the ramp", position(own)), {}};
    }
    std::set<PeId> seen;
    for (PeId at = pe; seen.insert(at).second;) {
      const Channel& channel = s_.fabric.channels()[s_.fabric.channel(at, c)];
      if (std::string held = held_back(channel); !held.empty()) return {held, {}};
      const isa::Port rx = channel.current()->rx;
      if (rx == isa::Port::Ramp) return {sender_text(at, c), at};
      const std::optional<PeId> before = s_.mesh.neighbour(at, rx);
      if (!before) return {edge_text(channel, rx), {}};
      const ChannelId upstream = s_.fabric.channel(*before, c);
      const isa::SwitchPosition* position =
          upstream == kNoChannel ? nullptr : s_.fabric.channels()[upstream].current();
      if (position == nullptr || (position->tx & isa::bit(isa::opposite(rx))) == 0) {
        return {not_routed(*before, upstream, isa::opposite(rx)), {}};
      }
      at = *before;
    }
    return {"its route runs in a circle without a sender", {}};
  }

  std::string edge_text(const Channel& channel, isa::Port side) const {
    const StreamEndId stream = s_.fabric.stream_in(channel, side);
    if (stream != kNoStream) {
      return fmt::format("it comes from stream {}, of which all elements have entered",
                         s_.fabric.streams().stream(stream).name);
    }
    return fmt::format("it would come from outside the grid, {} of {}", isa::text(side),
                       pe_text(s_.mesh, channel.pe));
  }

  std::string not_routed(PeId pe, ChannelId id, isa::Port port) const {
    std::string out =
        fmt::format("{} does not route that colour to {}", pe_text(s_.mesh, pe), way_text(port));
    const Channel* channel = id == kNoChannel ? nullptr : &s_.fabric.channels()[id];
    if (channel == nullptr || channel->routing == nullptr) return out;
    if (channel->routing->positions.size() == 1) return out;
    return out + fmt::format("; it is in position {}, [{}]", channel->position,
                             isa::position_text(*channel->current()));
  }

  std::string sender_text(PeId sender, std::uint32_t c) const {
    const std::string who = pe_text(s_.mesh, sender);
    if (s_.loaded.program_at(sender) == nullptr) {
      return fmt::format("it comes from {}, which has no program", who);
    }
    const Core& core = s_.cores.core(sender);
    if (core.program->program->passive && core.main != Core::Main::Halted) {
      return fmt::format("it comes from {}, which only serves (.passive)", who);
    }
    if (core.done()) return fmt::format("it comes from {}, which has halted", who);
    return fmt::format("it comes from {}, which is stuck itself before it sends on {}", who,
                       colour(c));
  }

  // Downstream: the first queue in which wavelets stand still, and whose PE does not take them.
  Blame target_of(PeId pe, std::uint32_t c) const {
    std::set<PeId> seen;
    for (PeId at = pe; seen.insert(at).second;) {
      const Channel& channel = s_.fabric.channels()[s_.fabric.channel(at, c)];
      const isa::SwitchPosition* position = channel.current();
      if (position == nullptr) {
        return {fmt::format("{} has no route for that colour", pe_text(s_.mesh, at)), {}};
      }
      if (at == pe && !channel.torn_down && position->rx != isa::Port::Ramp) {
        return {fmt::format("{} of that colour here takes no wavelets from the ramp",
                            this->position(channel)),
                {}};
      }
      if (std::string held = held_back(channel); !held.empty()) return {held, {}};
      if (queued(channel, QueuePort::DownRamp) > 0) {
        return {fmt::format("{} does not receive that colour; {} wait there", pe_text(s_.mesh, at),
                            wavelets(queued(channel, QueuePort::DownRamp))),
                at};
      }
      const std::optional<PeId> next = full_neighbour(channel, *position);
      if (!next) break;
      at = *next;
    }
    return {"the wavelets sent before cannot move on", {}};
  }

  std::optional<PeId> full_neighbour(const Channel& channel,
                                     const isa::SwitchPosition& position) const {
    for (std::uint32_t k = 0; k < s_.mesh.links(); ++k) {
      const isa::Port port = s_.mesh.link_port(k);
      const std::optional<PeId> there = s_.mesh.neighbour(channel.pe, port);
      if ((position.tx & isa::bit(port)) == 0 || !there) continue;
      const Channel& next = s_.fabric.channels()[s_.fabric.channel(*there, channel.colour)];
      if (queued(next, input_queue(isa::opposite(port))) > 0) return there;
    }
    return std::nullopt;
  }

  // A circle of PEs that wait for each other, if there is one.
  std::string ring(const std::vector<PeId>& stuck) const {
    std::set<PeId> seen;
    for (const PeId start : stuck) {
      std::vector<PeId> path;
      std::optional<PeId> at = start;
      while (at && !s_.cores.core(*at).done() && seen.insert(*at).second) {
        path.push_back(*at);
        at = blame(*at).partner;
        if (at && s_.loaded.program_at(*at) == nullptr) at.reset();
      }
      const auto begin = at ? std::ranges::find(path, *at) : path.end();
      if (begin == path.end()) continue;
      std::string out = "\n  they wait for each other: ";
      for (auto pe = begin; pe != path.end(); ++pe) out += pe_text(s_.mesh, *pe) + " -> ";
      return out + pe_text(s_.mesh, *at);
    }
    return {};
  }

  const Scene& s_;
};

}  // namespace

std::string explain_deadlock(const Scene& scene) { return Explainer(scene).deadlock(); }

std::string explain_leftovers(const Scene& scene) { return Explainer(scene).leftovers(); }

std::string pe_text(const isa::Topology& mesh, PeId pe) {
  return fmt::format("PE({}, {})", mesh.x_of(pe), mesh.y_of(pe));
}

}  // namespace wse::vm
