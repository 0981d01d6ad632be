// Stops, reads who waits, and continues with a machine that keeps causes.
#include "vm/timeline/why.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "vm/path/wait_end.h"
#include "vm/run/books.h"

namespace wse::vm {
namespace {

constexpr std::size_t kShownClasses = 12;
constexpr Cycle kFirstStep = 64;  // then twice as many, up to
constexpr Cycle kMostStep = 1 << 16;
constexpr Cycle kLongestWait = 1 << 20;  // that is followed to its end

bool lies_in(const isa::Topology& mesh, const PeRect& rect, PeId pe) {
  return mesh.x_of(pe) - rect.x < rect.width && mesh.y_of(pe) - rect.y < rect.height;
}

class Answer {
 public:
  Answer(Machine& machine, const WhyQuestion& question)
      : machine_(machine), question_(question), books_(machine) {
    const isa::Topology mesh = machine.image().topology();
    classes_ = books_.thread_classes(
        [&](PeId pe) { return !question.rect || lies_in(mesh, *question.rect, pe); },
        question.rect.has_value());
    last_ = std::min(classes_.size(), kShownClasses);
    if (!question.class_number) return;
    first_ = *question.class_number;
    last_ = std::min<std::size_t>(classes_.size(), first_ + std::size_t{1});
  }

  bool has_class() const { return !question_.class_number || first_ < classes_.size(); }
  std::size_t classes() const { return classes_.size(); }

  // Goes on until all waits that are shown have ended, the run has, or it takes too long.
  void go_on() {
    for (std::size_t k = first_; k < last_; ++k) {
      if (classes_[k].waits) books_.causes()->watch(classes_[k].first, question_.at);
    }
    Cycle until = question_.at;
    for (Cycle step = kFirstStep; books_.causes()->open_watches() > 0; step *= 2) {
      until += std::min(step, kMostStep);
      stop_ = machine_.advance(until);
      const bool goes_on = !stop_.is_over && stop_.status != RunStatus::Interrupted;
      if (!goes_on || stop_.now + 1 < until || until - question_.at > kLongestWait) break;
    }
  }

  std::string text() const {
    std::string out;
    std::size_t watch = 0;
    for (std::size_t k = first_; k < last_; ++k) {
      const ThreadClass& one = classes_[k];
      out += fmt::format("\n  class {}: {}", k, one.text);
      if (one.waits) out += "\n    " + end_text(books_.causes()->watches()[watch++]);
    }
    if (question_.class_number || last_ == classes_.size()) return out;
    return out + fmt::format("\n  ... and {} more", classes_.size() - last_);
  }

 private:
  std::string end_text(const causes::Watch& watch) const {
    if (watch.ended != kNever) return wait_end_text(machine_, watch);
    switch (stop_.status) {
      case RunStatus::Halted:
        return fmt::format("it did not end: the run halted in cycle {}", stop_.now);
      case RunStatus::Deadlock:
        return fmt::format("it did not end: nothing could move after cycle {}", stop_.now);
      case RunStatus::Trap:
        return fmt::format("it did not end: a trap ended the run in cycle {}", stop_.now);
      default: break;
    }
    return fmt::format("it had not ended after cycle {}", stop_.now);
  }

  Machine& machine_;
  const WhyQuestion& question_;
  Books books_;
  std::vector<ThreadClass> classes_{};
  std::size_t first_ = 0;  // that is shown
  std::size_t last_ = 0;   // after it
  Stop stop_{};
};

std::string head_text(const Machine& machine, const WhyQuestion& question) {
  const Books books(machine);
  const std::size_t unfinished = books.unfinished();
  return fmt::format("before cycle {}: {} of {} PEs with a program {} not done", question.at,
                     unfinished, books.placed(), unfinished == 1 ? "is" : "are");
}

}  // namespace

isa::Attempt<std::string> why(Timeline& timeline, const WhyQuestion& question) {
  const isa::Attempt<Stop> stop = timeline.go_to(question.at);
  if (!stop) return std::unexpected(stop.error());
  if (stop->status == RunStatus::Interrupted) {
    return std::unexpected(isa::Error(fmt::format("interrupted in cycle {}", stop->now)));
  }
  if (stop->is_over) {
    const Record& record = timeline.front().record();
    const std::string end = fmt::format("{} after {} cycles", text(record.status), record.cycles);
    return fmt::format("before cycle {} the run was over\n{}", question.at,
                       record.message.empty() ? end : record.message);
  }
  RunOptions options = timeline.options();
  options.path = PathTarget{.pe = 0, .until = 0};  // causes, of no event that anybody asks for
  isa::Attempt<std::unique_ptr<Machine>> machine = timeline.replay(options);
  if (!machine) return std::unexpected(machine.error());
  Answer answer(**machine, question);
  if (!answer.has_class()) {
    return std::unexpected(
        isa::Error(fmt::format("there is no class {}: before cycle {} there are {}",
                               *question.class_number, question.at, answer.classes())));
  }
  std::string out = head_text(**machine, question);
  if (answer.classes() == 0) return out + (question.rect ? "; those asked for are done" : "");
  answer.go_on();
  return out + answer.text();
}

}  // namespace wse::vm
