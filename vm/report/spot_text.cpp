// One sentence for each way in which a walk along a route can end.
#include "vm/report/spot_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/image/disassembler.h"
#include "vm/report/command_text.h"
#include "vm/report/control_text.h"
#include "vm/report/doing_text.h"
#include "vm/report/mentions.h"
#include "vm/report/remarks.h"
#include "vm/report/task_text.h"

namespace wse::vm {
namespace {

using Why = Spot::Why;

constexpr std::size_t kShownTakers = 3;

std::string in_parentheses(const std::string& lines) {
  return lines.empty() ? "" : " (" + lines + ")";
}

// "the west", "dim2": where a link port leads to.
std::string way_text(isa::Port port) {
  return fmt::format("{}{}", port < isa::Port::Ramp ? "the " : "", isa::text(port));
}

bool ends_by_control(const Scene& scene, const WaitGraph::Node& node, std::uint32_t colour) {
  const Progress progress = received(scene, {node.pe, node.thread}, colour);
  return progress.ends_by_control;
}

class SpotText {
 public:
  SpotText(const WaitGraph& graph, NodeId node, const Wait& wait)
      : s_(graph.scene()),
        strays_(graph.strays()),
        waits_(graph.node(node).pe),
        colour_(wait.number),
        for_input_(wait.what != Wait::For::Output),
        spot_(wait.spot),
        mover_(wait.mover),
        ends_by_control_(ends_by_control(s_, graph.node(node), colour_)),
        name_(s_.image.colour_name(colour_)),
        who_(pe_text(s_.mesh, spot_.pe)),
        id_(s_.channels.find(spot_.pe, colour_)) {}

  std::string text() const {
    switch (spot_.why) {
      case Why::Sender: return sender();
      case Why::Receiver: return receiver();
      case Why::Control: return control();
      case Why::NoRoute: return no_route();
      case Why::TornDown: return torn_down();
      case Why::HeldBack: return held_back();
      case Why::NotToRamp:
        return position_text() + " of that colour here does not lead to the ramp" + mover_text() +
               elsewhere();
      case Why::NotFromRamp:
        return position_text() + " of that colour here takes no wavelets from the ramp" +
               mover_text();
      case Why::NotRouted: return not_routed();
      case Why::Edge: return edge();
      case Why::Circle: return "its route runs in a circle without a sender";
      case Why::Unknown:
      case Why::Stopped: break;
    }
    return s_.moves ? "the wavelets sent before are on their way"
                    : "the wavelets sent before cannot move on";
  }

 private:
  ChannelState channel() const { return s_.transport.channel(id_); }
  bool is_routed() const { return id_ != kNoChannel && channel().routing != nullptr; }

  // "position 1, [west -> ramp]", or "the route" where there is only one; and its line.
  std::string position_text() const {
    const std::string place = in_parentheses(route_place(s_, spot_.pe, colour_));
    if (channel().routing->positions.size() == 1) return "the route" + place;
    return fmt::format("position {}, [{}]{}", channel().position,
                       isa::position_text(*channel().current()), place);
  }

  // Says who sends what moves the switch, and what became of it.
  std::string mover_text() const {
    const bool is_switch = channel().routing->positions.size() > 1;
    if (!is_switch && s_.history.switching(id_).idle_controls == 0) return {};
    return (is_switch ? who_moves() : "") + commands_text(s_, id_);
  }

  std::string who_moves() const {
    if (!mover_) return "; nobody can send it a control wavelet that moves the switch";
    const std::string who = pe_text(s_.mesh, *mover_);
    const std::string lines = mentions_text(s_, *mover_, Mention::Controls, colour_);
    if (lines.empty()) {
      return fmt::format(
          "; its input now comes from {}, whose program neither sends control "
          "wavelets of {} nor advances",
          who, name_);
    }
    const std::string missed = missed_text(s_, *mover_);
    return fmt::format("; its input now comes from {}, which moves switches only at {}{}{}", who,
                       lines, missed.empty() ? "" : " and has halted" + missed,
                       kept_task_text(s_, *mover_, Mention::Controls, colour_));
  }

  // The instruction that waits leaves control wavelets to the picker.
  std::string control() const {
    const StandingWavelet head = s_.first_in(channel());
    return fmt::format("{} is first in its down-ramp{}; without `on_control` no receive takes it",
                       control_text(s_, channel(), head), obstacle_text(s_, channel(), head));
  }

  std::string held_back() const {
    return fmt::format("{} is in {} with {} at its {} side, {}{}", who_, position_text(),
                       wavelets_text(s_.queued(channel(), input_queue(spot_.side))),
                       isa::text(spot_.side), who_takes(*channel().routing, spot_.side),
                       mover_text()) +
           strays_text(s_, strays_, colour_);
  }

  // Wavelets of the colour that wait where nobody takes them.
  std::string elsewhere() const {
    return strays_text(s_, strays_, colour_) + holders_text(s_, strays_, colour_);
  }

  std::string torn_down() const {
    std::uint32_t waiting = 0;
    for_each_port(s_.mesh.ports(),
                  [&](isa::Port side) { waiting += s_.queued(channel(), input_queue(side)); });
    const bool from_start = starts_torn_down(s_, spot_.pe, colour_);
    const std::string exits = mentions_text(s_, spot_.pe, Mention::ExitsTeardown, colour_);
    return fmt::format(
               "the colour is torn down at {}{}, with {} in its queues; {}", who_,
               from_start ? " by its route" + in_parentheses(route_place(s_, spot_.pe, colour_))
                          : "",
               wavelets_text(waiting),
               exits.empty() ? fmt::format("no line there has `teardown_exit {}`", name_)
                             : fmt::format("the `teardown_exit` at {} has not come since", exits)) +
           teardown_task();
  }

  std::string teardown_task() const {
    if (s_.loaded.program_at(spot_.pe) == nullptr) return {};
    const Core& core = s_.cores.core(spot_.pe);
    const std::uint32_t task = core.tasks->teardown_at(colour_);
    if (task == kNoTask) return {};
    return fmt::format("; its task {} {}", (*core.tasks)[task].name, runs_text(s_, spot_.pe, task));
  }

  // Says what the PE that should send has sent, and what may have kept it from more.
  std::string sender() const {
    const std::string from = "the next should come from " + who_;
    if (s_.loaded.program_at(spot_.pe) == nullptr) return from + ", which has no program" + lost();
    if (!may_send(s_, spot_.pe, colour_)) {
      return fmt::format("{}, where {} never sends {}{}", from, program_text(s_, spot_.pe), name_,
                         lost());
    }
    const std::string lines = in_parentheses(mentions_text(s_, spot_.pe, Mention::Sends, colour_));
    const std::string count = words_text(sent(s_, spot_.pe, colour_));
    const Core& core = s_.cores.core(spot_.pe);
    const bool done = s_.cores.is_done(spot_.pe, s_.now);
    const bool serves = core.program->program->passive || core.program->waits_for_launches;
    if (done && serves && core.main != Core::Main::Halted) {
      const std::string_view why = core.program->program->passive
                                       ? "only serves (.passive)"
                                       : "waits for launches of its tasks";
      return fmt::format("{}, which {} and has sent {}{}{}", from, why, count, lines,
                         s_.moves ? coming() : lost());
    }
    if (done) {
      return fmt::format("{}, which has halted after sending {}{}{}{}{}", from, count, lines,
                         missed_text(s_, spot_.pe), no_end(), s_.moves ? coming() : lost());
    }
    const std::string kept = kept_task_text(s_, spot_.pe, Mention::Sends, colour_);
    if (s_.moves) {
      return fmt::format("{}, which has sent {}{} and {}{}{}", from, count, lines,
                         doing_text(s_, sender_of(s_, spot_.pe, colour_)), kept, coming());
    }
    return fmt::format("{}, which is stuck itself after sending {}{}{}", from, count, lines, kept);
  }

  // Says how many wavelets are between the sender and the PE that waits.
  std::string coming() const {
    if (!for_input_) return {};
    const std::uint64_t wavelets = on_the_way(s_, waits_, colour_);
    if (wavelets == 0) return {};
    return fmt::format("; {} on the way", wavelets_text(wavelets));
  }

  // Says of an instruction that a control wavelet should end: whether the sender has any.
  std::string no_end() const {
    if (!ends_by_control_) return {};
    const std::string lines = mentions_text(s_, spot_.pe, Mention::Controls, colour_);
    if (lines.empty()) return "; no line of it sends a control wavelet of " + name_;
    return "; its control wavelets leave at " + lines;
  }

  // Words of the colour that went elsewhere, and words that never became any.
  std::string lost() const {
    return (spot_.pe == waits_ ? "" : refused_text(s_, spot_.pe)) + elsewhere() + turned();
  }

  // Routers with switches on the way took words that could have come here.
  std::string turned() const {
    if (!for_input_) return {};
    std::string out;
    std::size_t takers = 0;
    const std::vector<ChannelId> way = way_to(s_, s_.channels.find(waits_, colour_));
    for (auto at = way.rbegin(); at != way.rend(); ++at) {
      const ChannelState there = s_.transport.channel(*at);
      const std::uint64_t words = taken(s_, there.pe, colour_);
      if (there.pe == waits_ || !s_.history.switching(*at).has_turned() || words == 0) continue;
      if (++takers > kShownTakers) continue;
      out += fmt::format("{} {} took {} of {}", out.empty() ? "" : ",", pe_text(s_.mesh, there.pe),
                         words_text(words), name_);
    }
    if (takers == 0) return {};
    const std::size_t more = takers - std::min(takers, kShownTakers);
    return fmt::format("; switches on the way have turned, and words may have gone elsewhere:{}{}",
                       out, more == 0 ? "" : fmt::format(", and {} more PEs took some", more));
  }

  // The down-ramp of the PE is full.
  std::string receiver() const {
    const std::string wait =
        wavelets_text(s_.queued(channel(), QueuePort::DownRamp)) + " wait there";
    if (s_.loaded.program_at(spot_.pe) == nullptr) {
      return fmt::format("{} takes nothing more: it has no program; {}", who_, wait);
    }
    const Core& core = s_.cores.core(spot_.pe);
    const StandingWavelet head = s_.first_in(channel());
    if (head.control != 0) {
      return fmt::format("at {} {} is first{}; {}", who_, control_text(s_, channel(), head),
                         obstacle_text(s_, channel(), head), wait);
    }
    if (!may_receive(s_, spot_.pe, colour_)) {
      return fmt::format("{} takes nothing more: it took 0 words, for {} never receives {}; {}",
                         who_, program_text(s_, spot_.pe), name_, wait);
    }
    const std::string words = words_text(taken(s_, spot_.pe, colour_)) + takers(core);
    if (s_.moves && core.main != Core::Main::Halted) {
      return fmt::format("the down-ramp of {} is full: it took {} and {}; {}", who_, words,
                         doing_text(s_, receiver_of(s_, spot_.pe, colour_)), wait);
    }
    return fmt::format("{} takes nothing more: it took {}{}; {}", who_, words, state_text(core),
                       wait);
  }

  std::string takers(const Core& core) const {
    if ((core.tasks->data() & id_bit(colour_)) == 0) {
      return in_parentheses(mentions_text(s_, spot_.pe, Mention::Receives, colour_));
    }
    const bool blocked = (core.ids.blocked_at_last() & id_bit(colour_)) != 0;
    return fmt::format(" by task {}{}", task_name(core, colour_),
                       blocked ? ", which is blocked," : "");
  }

  std::string state_text(const Core& core) const {
    if (core.main == Core::Main::Halted) {
      const std::string place = s_.image.place_text(core.program->program->line_of(core.state.pc));
      return " and has halted" + (place.empty() ? "" : " at " + place) + missed_text(s_, spot_.pe);
    }
    if (core.main == Core::Main::Free) return " and has no task to run";
    return " and is stuck itself" + kept_task_text(s_, spot_.pe, Mention::Receives, colour_);
  }

  std::string no_route() const {
    if (!for_input_ && spot_.pe == waits_) return "no route takes that colour from the ramp here";
    if (spot_.pe != waits_) {
      return fmt::format("{} does not receive that colour, for no route takes it there", who_);
    }
    return "no route delivers that colour here" + neighbour() + elsewhere();
  }

  // A router beside the PE that has the colour: there the route may have been forgotten.
  std::string neighbour() const {
    std::string out;
    for_each_port(s_.mesh.ports() & ~isa::bit(isa::Port::Ramp), [&](isa::Port side) {
      const std::optional<PeId> pe = s_.mesh.neighbour(spot_.pe, side);
      const ChannelId id = pe && out.empty() ? s_.channels.find(*pe, colour_) : kNoChannel;
      if (id == kNoChannel || s_.transport.channel(id).routing == nullptr) return;
      out = fmt::format("; at its neighbour {} there is one{}", pe_text(s_.mesh, *pe),
                        in_parentheses(route_place(s_, *pe, colour_)));
    });
    return out;
  }

  std::string not_routed() const {
    std::string out =
        fmt::format("{} does not route that colour to {}", who_, way_text(spot_.side));
    if (is_routed() && channel().routing->positions.size() > 1) {
      out += "; it is in " + position_text() + mover_text();
    } else if (is_routed()) {
      out += in_parentheses(route_place(s_, spot_.pe, colour_));
    }
    return out + elsewhere();
  }

  std::string edge() const {
    const StreamEndId stream = s_.transport.stream_in(channel().id, spot_.side);
    if (stream != kNoStream && s_.streams.are_open()) {
      return fmt::format(
          "the next should come from stream {}, of which all elements that were sent have entered",
          s_.streams.stream(stream).name);
    }
    if (stream != kNoStream) {
      return fmt::format(
          "the next should come from stream {}, of which all {} elements have entered here",
          s_.streams.stream(stream).name, s_.streams.stream(stream).count);
    }
    return fmt::format("the next would come from outside the grid, {} of {}{}",
                       isa::text(spot_.side), who_,
                       in_parentheses(route_place(s_, spot_.pe, colour_)));
  }

  const Scene& s_;
  const Strays& strays_;
  PeId waits_;
  std::uint32_t colour_;
  bool for_input_;
  const Spot& spot_;
  std::optional<PeId> mover_;
  bool ends_by_control_;  // nothing else ends the instruction that waits
  std::string name_;
  std::string who_;
  ChannelId id_;
};

}  // namespace

std::string spot_text(const WaitGraph& graph, NodeId id, std::uint32_t index) {
  const Wait& wait = graph.waits(id)[index - graph.first_wait(id)];
  return SpotText(graph, id, wait).text();
}

}  // namespace wse::vm
