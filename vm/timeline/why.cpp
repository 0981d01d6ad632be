// Stops, reads who waits, and looks how that ended.
#include "vm/timeline/why.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "vm/run/books.h"
#include "vm/timeline/wait_ends.h"

namespace wse::vm {
namespace {

constexpr std::size_t kShownClasses = 12;

bool lies_in(const isa::Topology& mesh, const PeRect& rect, PeId pe) {
  return mesh.x_of(pe) - rect.x < rect.width && mesh.y_of(pe) - rect.y < rect.height;
}

class Answer {
 public:
  Answer(const Machine& machine, const WhyQuestion& question) : question_(question) {
    const isa::Topology mesh = machine.image().topology();
    classes_ = Books(machine).thread_classes(
        [&](PeId pe) { return !question.rect || lies_in(mesh, *question.rect, pe); },
        question.rect.has_value());
    last_ = std::min(classes_.size(), kShownClasses);
    if (!question.class_number) return;
    first_ = *question.class_number;
    last_ = std::min<std::size_t>(classes_.size(), first_ + std::size_t{1});
  }

  bool has_class() const { return !question_.class_number || first_ < classes_.size(); }
  std::size_t classes() const { return classes_.size(); }

  // The threads, of those that are shown, that wait.
  std::vector<ThreadId> waiting() const {
    std::vector<ThreadId> threads;
    for (std::size_t k = first_; k < last_; ++k) {
      if (classes_[k].waits) threads.push_back(classes_[k].first);
    }
    return threads;
  }

  // `ends`: of these.
  std::string text(const WaitEnds& ends) const {
    std::string out;
    std::size_t wait = 0;
    for (std::size_t k = first_; k < last_; ++k) {
      const ThreadClass& one = classes_[k];
      out += fmt::format("\n  class {}: {}", k, one.text);
      if (!one.waits) continue;
      const std::string& end = ends.texts[wait++];
      out += "\n    " + (end.empty() ? no_end_text(ends.stop) : end);
    }
    if (question_.class_number || last_ == classes_.size()) return out;
    return out + fmt::format("\n  ... and {} more", classes_.size() - last_);
  }

 private:
  static std::string no_end_text(const Stop& stop) {
    switch (stop.status) {
      case RunStatus::Halted:
        return fmt::format("it did not end: the run halted after {} cycles", stop.now);
      case RunStatus::Deadlock:
        return fmt::format("it did not end: deadlock after {} cycles", stop.now);
      case RunStatus::Trap:
        return fmt::format("it did not end: a trap ended the run in cycle {}", stop.now);
      default: break;
    }
    return fmt::format("it had not ended after cycle {}", stop.now);
  }

  const WhyQuestion& question_;
  std::vector<ThreadClass> classes_{};
  std::size_t first_ = 0;  // that is shown
  std::size_t last_ = 0;   // after it
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
  const Answer answer(timeline.front(), question);
  if (!answer.has_class()) {
    return std::unexpected(
        isa::Error(fmt::format("there is no class {}: before cycle {} there are {}",
                               *question.class_number, question.at, answer.classes())));
  }
  const std::string head = head_text(timeline.front(), question);
  if (answer.classes() == 0) return head + (question.rect ? "; those asked for are done" : "");
  const std::vector<ThreadId> threads = answer.waiting();
  if (threads.empty()) return head + answer.text({});
  const isa::Attempt<WaitEnds> ends = wait_ends(timeline, question.at, threads);
  if (!ends) return std::unexpected(ends.error());
  return head + answer.text(*ends);
}

}  // namespace wse::vm
