// One clause for the router of the sender, one for the last router that control wavelets reached,
// one for each of the first queues in which some wait.
#include "vm/report/command_text.h"

#include <fmt/format.h>

#include "vm/report/remarks.h"
#include "vm/report/route_walk.h"

namespace wse::vm {
namespace {

constexpr std::size_t kShownHolders = 2;

class CommandText {
 public:
  CommandText(const Scene& scene, ChannelId at)
      : s_(scene),
        way_(way_to(scene, at)),
        at_(at),
        colour_(scene.image.colour_name(scene.transport.channel(at).colour)) {}

  std::string text() const {
    std::string out;
    std::size_t reached = way_.size();
    for (std::size_t k = 0; k < way_.size(); ++k) {
      if (s_.history.switching(way_[k]).controls > 0) reached = k;
    }
    if (reached < way_.size()) {
      if (reached > 0) out += here_text(way_.front());
      out += here_text(way_[reached]);
      if (way_[reached] != at_) {
        out += fmt::format("; no control wavelet of {} came to {}", colour_, who(at_));
      }
    }
    out += advances_text();
    return out + queues_text();
  }

 private:
  std::string who(ChannelId id) const { return pe_text(s_.mesh, s_.transport.channel(id).pe); }

  // Says what they did at one router.
  std::string here_text(ChannelId id) const {
    const History::Switching past = s_.history.switching(id);
    if (past.controls == 0) return {};
    const std::string_view they = past.controls == 1 ? "it" : "they";
    std::string out = fmt::format("; {} came to the router of {}",
                                  controls_text(past.controls, colour_), who(id));
    if (past.idle_controls == past.controls) {
      out +=
          fmt::format(", where {} moved no switch: {}", they, reason_text(id, past.last_control));
    } else if (past.turns == past.controls) {
      out += fmt::format(", where {} moved the switch", they);
    } else if (past.idle_controls > 0) {
      out += fmt::format(", where {} moved the switch and {} did not: {}", past.turns,
                         past.idle_controls, reason_text(id, past.last_control));
    }
    if (past.ended == 0) return out;
    if (past.ended < past.controls)
      return out + fmt::format(", and {} went no farther", past.ended);
    return out + ", and went no farther";
  }

  std::string reason_text(ChannelId id, Turn turn) const {
    const isa::Routing& routing = *s_.transport.channel(id).routing;
    const auto pop = static_cast<std::size_t>(routing.pop);
    switch (turn) {
      case Turn::NoCommand: return "routers before had taken all commands off";
      case Turn::Nop: {
        const bool stays =
            routing.pop == isa::PopMode::Never || routing.pop == isa::PopMode::OnAdvance;
        return fmt::format(
            "the first command is `nop`{}",
            stays ? fmt::format(", which pop={} leaves there", isa::kPopModeTexts[pop]) : "");
      }
      case Turn::OnePosition: return "the colour has one position there";
      case Turn::LastPosition: return "it was in its last position, and has no `ring`";
      case Turn::FirstPosition: return "`rst` found it in position 0";
      case Turn::Made:
      case Turn::TornDown: break;
    }
    return {};
  }

  // Sends with `advance` that left the sender's own switch where it was.
  std::string advances_text() const {
    if (way_.empty()) return {};
    const History::Switching past = s_.history.switching(way_.front());
    if (past.idle_advances == 0) return {};
    return fmt::format("; {} advance{} of {} at {} moved no switch: {}", past.idle_advances,
                       past.idle_advances == 1 ? "" : "s", colour_, who(way_.front()),
                       reason_text(way_.front(), past.last_advance));
  }

  // Control wavelets that wait at routers of the way, from the switch on towards the sender.
  std::string queues_text() const {
    std::string out;
    std::size_t shown = 0;
    for (auto at = way_.rbegin(); at != way_.rend(); ++at) {
      for_each_port(s_.mesh.ports(), [&](isa::Port side) {
        const std::string here = shown < kShownHolders ? queue_text(*at, side) : "";
        if (here.empty()) return;
        out += here;
        ++shown;
      });
    }
    return out;
  }

  std::string queue_text(ChannelId id, isa::Port side) const {
    const std::uint32_t size = s_.transport.queued(id, input_queue(side));
    bool has_control = false;
    for (std::uint32_t k = 0; k < size; ++k) {
      has_control |= s_.transport.wavelet(id, input_queue(side), k).control;
    }
    return has_control ? "; " + waiting_text(s_, id, side) : "";
  }

  const Scene& s_;
  std::vector<ChannelId> way_;
  ChannelId at_;
  std::string colour_;
};

}  // namespace

std::string commands_text(const Scene& scene, ChannelId at) {
  return CommandText(scene, at).text();
}

}  // namespace wse::vm
