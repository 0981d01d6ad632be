// Follows causes back to an instruction, or to a task.
#include "vm/path/wait_end.h"

#include <fmt/format.h>

#include <array>

#include "isa/support/visible.h"
#include "vm/report/places.h"
#include "vm/run/books.h"

namespace wse::vm {
namespace {

// The event of a core that another one goes back to, and the cycles between by kinds.
struct Origin {
  EventId event = kNoEvent;  // none: what is older than the causes
  std::array<Cycle, kStepKinds> cycles{};
  std::uint8_t colour = Event::kNoStepColour;  // of the first wavelet on the way

  // What came was on links and ramps since it was sent, and waited nowhere.
  bool only_travelled() const {
    for (std::size_t k = 0; k < kStepKinds; ++k) {
      const auto kind = static_cast<StepKind>(k);
      if (kind != StepKind::Link && kind != StepKind::Ramp && cycles[k] > 0) return false;
    }
    return true;
  }
};

Origin origin_of(const EventTree& events, EventId id) {
  Origin origin;
  for (EventId at = id; events[at].cause != kNoEvent; at = events[at].cause) {
    const Event& event = events[at];
    const bool is_first = at == id && event.pc != ~0u;
    if (!is_first && event.pc != ~0u) {
      origin.event = at;
      return origin;
    }
    if (!is_first && origin.colour == Event::kNoStepColour) origin.colour = event.colour;
    origin.cycles[static_cast<std::size_t>(event.kind)] += event.cycle - events[event.cause].cycle;
  }
  return origin;
}

class WaitEnd {
 public:
  WaitEnd(const Machine& machine, const causes::Watch& watch)
      : books_(machine),
        image_(machine.image()),
        mesh_(image_.topology()),
        events_(books_.causes()->events()),
        watch_(watch),
        last_(events_[watch.event]) {}

  std::string text() const {
    if (watch_.word == kNoEvent) return until() + reason();
    if (watch_.came >= watch_.ended) return until() + word_text("");
    return until() + word_text(fmt::format(" in cycle {}", watch_.came)) + ", and " + reason();
  }

 private:
  std::string until() const { return fmt::format("until cycle {}, when ", watch_.ended); }

  // The word that was taken last, and who sent it.
  std::string word_text(const std::string& when) const {
    Origin origin = origin_of(events_, watch_.word);
    const Event& put = events_[watch_.word];
    if (put.pc != ~0u) origin.event = watch_.word;  // by the PE itself
    const std::uint8_t colour = origin.colour == Event::kNoStepColour ? put.colour : origin.colour;
    const std::string word = "a word" + colour_text(" of ", colour) + " came" + when;
    if (origin.event == kNoEvent) return word + " that was on its way";
    origin.cycles[static_cast<std::size_t>(StepKind::Ramp)] += watch_.came - put.cycle;
    return word + (origin.only_travelled() ? ", sent by " : ", after ") + origin_text(origin);
  }

  std::string reason() const {
    const Origin origin = origin_of(events_, watch_.event);
    return what(origin) + (origin.event == kNoEvent ? "" : ", after " + origin_text(origin));
  }
  std::string what(const Origin& origin) const {
    switch (last_.kind) {
      case StepKind::Ramp:
      case StepKind::Link: return "what it waits for came";
      case StepKind::Room: return "there was room" + colour_text(" on ", origin.colour);
      case StepKind::Queue: return "what was before it was gone";
      case StepKind::Scalar:
      case StepKind::Slot: return "the issue slot was free";
      case StepKind::Bank: return "the bank was free";
      case StepKind::Task: return "a task could start";
      case StepKind::Switch:
        return "the switch" + colour_text(" of ", origin.colour) + " had moved";
      case StepKind::Drain: return over_text(origin);
      default: return "it could issue";
    }
  }
  std::string over_text(const Origin& origin) const {
    const bool is_known = origin.event != kNoEvent && events_[origin.event].thread != kMainThread;
    if (!is_known) return "what ran before was over";
    return fmt::format("microthread {} was over", events_[origin.event].thread - 1);
  }
  std::string origin_text(const Origin& origin) const {
    const Event& event = events_[origin.event];
    const std::string who = event.pe == watch_.thread.pe ? "this PE" : pe_text(mesh_, event.pe);
    const std::string place = image_.place_text(books_.line_of(event.pe, event.pc));
    return fmt::format("{} at {} in cycle {}{}", who,
                       place.empty() ? fmt::format("word {}", event.pc) : isa::visible_line(place),
                       event.cycle, way_text(origin));
  }
  std::string way_text(const Origin& origin) const {
    std::string out;
    for (std::size_t k = 0; k < kStepKinds; ++k) {
      if (origin.cycles[k] == 0) continue;
      out += fmt::format("{}{} {}", out.empty() ? "" : ", ", kStepKindTexts[k], origin.cycles[k]);
    }
    return out.empty() ? "" : " (" + out + ")";
  }
  std::string colour_text(std::string_view before, std::uint8_t colour) const {
    if (colour == Event::kNoStepColour) return {};
    return std::string(before) + isa::visible_line(image_.colour_name(colour));
  }

  Books books_;
  const isa::Image& image_;
  isa::Topology mesh_;
  const EventTree& events_;
  const causes::Watch& watch_;
  const Event& last_;
};

// Adds the events from `id` back to the one that its text names; false if they go back to the
// start.
bool add_events(const EventTree& events, EventId id, std::vector<PeAndCycle>& found) {
  for (EventId at = id; events[at].cause != kNoEvent; at = events[at].cause) {
    if (at != id && events[at].pc != ~0u) return true;
    found.push_back({events[at].pe, events[at].cycle});
  }
  return false;
}

}  // namespace

std::optional<std::vector<PeAndCycle>> events_of_wait_end(const Machine& machine,
                                                          const causes::Watch& watch) {
  const EventTree& events = Books(machine).causes()->events();
  std::vector<PeAndCycle> found;
  const bool has_word = watch.word != kNoEvent;
  if (has_word && !add_events(events, watch.word, found)) return std::nullopt;
  const bool has_event = !has_word || watch.came < watch.ended;
  if (has_event && !add_events(events, watch.event, found)) return std::nullopt;
  return found;
}

std::string wait_end_text(const Machine& machine, const causes::Watch& watch) {
  if (watch.ended == kNever) return {};
  return WaitEnd(machine, watch).text();
}

}  // namespace wse::vm
