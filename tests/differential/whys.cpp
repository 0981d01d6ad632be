// Two machines at one cycle, and the cycles after it.
#include "tests/differential/whys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "tests/differential/runs.h"
#include "tests/support/engine.h"
#include "tests/support/random.h"
#include "vm/planes/refusal.h"
#include "vm/run/books.h"
#include "vm/timeline/events.h"
#include "vm/timeline/wait_ends.h"
#include "vm/timeline/why.h"

namespace wse::differential {
namespace {

constexpr std::uint32_t kQuestions = 4;  // of both kinds, to a program
constexpr std::uint32_t kMostCycles = 30;
constexpr vm::Cycle kLongestWait = 3000;

// The threads that wait, one of each class, and the cycles in which that ended.
std::string waits_text(vm::Machine& machine, vm::Cycle at) {
  const vm::Books books(machine);
  std::string out;
  for (const vm::ThreadClass& one : books.thread_classes([](vm::PeId) { return true; }, true)) {
    out += "    " + one.text + "\n";
    if (one.waits) books.causes()->watch(one.first, at);
  }
  machine.advance(at + kLongestWait);
  for (const vm::causes::Watch& watch : books.causes()->watches()) {
    out += fmt::format("    PE {} thread {} until {}, word {}\n", watch.thread.pe,
                       watch.thread.thread, watch.ended, watch.came);
  }
  return out;
}

// Returns the first lines that differ; "" if none do.
std::string first_difference(const std::string& wanted, const std::string& found) {
  const auto [left, right] = std::ranges::mismatch(wanted, found);
  if (left == wanted.end() && right == found.end()) return {};
  const auto line = [at = left - wanted.begin()](const std::string& text) {
    const std::size_t begin = text.rfind('\n', static_cast<std::size_t>(at)) + 1;
    return text.substr(begin, text.find('\n', static_cast<std::size_t>(at)) - begin);
  };
  return fmt::format("  expected: {}\n  found:    {}\n", line(wanted), line(found));
}

class Asked {
 public:
  Asked(const Generated& program, const Setup& setup, std::uint32_t seed)
      : program_(program),
        setup_(setup),
        random_(seed),
        timeline_([this](vm::Timeline::Kind kind,
                         const vm::Timeline::Rows& rows) { return make_of(kind, rows); },
                  options(),
                  {.most_kept = 3, .most_bytes = 1 << 24, .least_apart = 40, .least_work = 0}) {
    const bool has_planes = vm::wafer::refusal(setup.image, setup.profile).empty();
    transport_ =
        has_planes && random_.one_in(2) ? vm::TransportChoice::Wafer : vm::TransportChoice::Stepper;
  }

  // Returns the differences.
  std::string compare() {
    const auto whole = run(setup_, {program_.max_cycles(), 1, vm::TransportChoice::Stepper});
    if (!whole || whole->record.cycles < 2) return {};
    const auto cycles = static_cast<std::uint32_t>(whole->record.cycles);
    for (std::uint32_t k = 0; k < kQuestions; ++k) {
      const vm::Cycle at = 1 + random_.below(cycles);
      std::string difference = ask(at);
      if (!difference.empty()) return fmt::format("  before cycle {}:\n{}", at, difference);
      difference = ask_for_events(random_.below(cycles));
      if (!difference.empty()) return difference;
    }
    return {};
  }

 private:
  vm::RunOptions options() const {
    return {.max_cycles = program_.max_cycles(), .jitter = setup_.jitter};
  }
  isa::Attempt<std::unique_ptr<vm::Machine>> make_of(vm::Timeline::Kind kind,
                                                     const vm::Timeline::Rows& rows) const {
    const bool is_front = kind == vm::Timeline::Kind::Front;
    return make(is_front ? transport_ : vm::TransportChoice::Stepper, rows);
  }
  isa::Attempt<std::unique_ptr<vm::Machine>> make(vm::TransportChoice transport,
                                                  const vm::Timeline::Rows& rows = {}) const {
    auto machine = vm::Machine::create(setup_.image, setup_.profile,
                                       {.threads = 1,
                                        .transport = transport,
                                        .engine = test_support::test_engine(),
                                        .rows = rows});
    if (machine) feed(**machine, setup_.words);
    return machine;
  }
  vm::RunOptions with_causes() const {
    vm::RunOptions options = this->options();
    options.path = vm::PathTarget{.pe = 0, .until = 0};
    return options;
  }

  std::string ask(vm::Cycle at) {
    const auto stop = timeline_.go_to(at);
    if (!stop) return stop.error().message;
    const auto whole = make(vm::TransportChoice::Stepper);
    (*whole)->begin(with_causes());
    const vm::Stop wanted_stop = (*whole)->advance(at);
    if (wanted_stop.is_over != stop->is_over) return "  one of them is over\n";
    const isa::Attempt<std::string> told = vm::why(timeline_, {.at = at});
    if (!told) return told.error().message;
    if (wanted_stop.is_over) return {};
    timeline_.go_to(at);  // where an answer leaves the front is its own affair
    const auto replay = timeline_.replay(with_causes());
    if (!replay) return replay.error().message;
    const std::string wanted = waits_text(**whole, at);
    const std::string found = waits_text(**replay, at);
    const std::string difference = first_difference(wanted, found);
    return difference.empty() ? ask_for_ends(at) : difference;
  }

  // How waits end is told alike by a replay of few PEs and by one of the whole machine, whatever
  // cycles it looks at.
  std::string ask_for_ends(vm::Cycle at) {
    const auto stop = timeline_.go_to(at);
    if (!stop) return stop.error().message;
    std::vector<vm::ThreadId> threads;
    for (const vm::ThreadClass& one :
         vm::Books(timeline_.front()).thread_classes([](vm::PeId) { return true; }, true)) {
      if (one.waits) threads.push_back(one.first);
    }
    if (threads.empty()) return {};
    if (random_.one_in(2)) {
      threads = {threads[random_.below(static_cast<std::uint32_t>(threads.size()))]};
    }
    const vm::WaitSteps steps{.first = 1 + random_.below(4),
                              .apart = 1 + random_.below(8),
                              .lead = 1 + random_.below(16)};
    const auto found = vm::wait_ends(timeline_, at, threads, steps);
    if (!found) return found.error().message;
    const auto wanted = vm::wait_ends_of_whole(timeline_, at, threads);
    if (!wanted) return wanted.error().message;
    return first_difference(ends_text(*wanted), ends_text(*found));
  }
  static std::string ends_text(const vm::WaitEnds& ends) {
    std::string out;
    for (const std::string& end : ends.texts) {
      const std::string_view status = vm::text(ends.stop.status);
      out += end.empty() ? fmt::format("    none: {} in {}\n", status, ends.stop.now)
                         : "    " + end + "\n";
    }
    return out;
  }

  vm::EventsQuestion any_question(vm::Cycle first) {
    const isa::Topology mesh = setup_.image.topology();
    const std::uint32_t width = 1 + random_.below(std::min(4u, mesh.width()));
    const std::uint32_t height = 1 + random_.below(std::min(4u, mesh.height()));
    return {.rect = {random_.below(mesh.width() - width + 1),
                     random_.below(mesh.height() - height + 1), width, height},
            .first = first,
            .last = first + random_.below(kMostCycles)};
  }

  // A replay tells of a rectangle what a traced run tells of it.
  std::string ask_for_events(vm::Cycle first) {
    const vm::EventsQuestion question = any_question(first);
    const vm::PeRect& rect = question.rect;
    const vm::TraceFilter filter{.x0 = rect.x,
                                 .y0 = rect.y,
                                 .x1 = rect.x + rect.width - 1,
                                 .y1 = rect.y + rect.height - 1,
                                 .first = question.first,
                                 .last = question.last};
    std::multiset<std::string> wanted;  // within a cycle lines may come in another order
    vm::TraceLines wanted_lines([&](std::string_view line) { wanted.emplace(line); });
    const auto whole = make(vm::TransportChoice::Stepper);
    vm::RunOptions traced = options();
    traced.trace = &wanted_lines;
    traced.trace_filter = filter;
    (*whole)->begin(traced);
    const vm::Stop end = (*whole)->advance(question.last + 1);
    if (end.status == vm::RunStatus::Trap) return {};  // perhaps of a PE that is not replayed
    std::multiset<std::string> found;
    vm::TraceLines lines([&](std::string_view line) { found.emplace(line); });
    const auto told = vm::tell_events(timeline_, question, lines, filter);
    if (!told) return told.error().message;
    const std::string difference = first_difference(fmt::format("{}\n", fmt::join(wanted, "\n")),
                                                    fmt::format("{}\n", fmt::join(found, "\n")));
    if (difference.empty()) return {};
    return fmt::format("  {} x {} PEs at ({}, {}), cycles {} to {}:\n{}", rect.width, rect.height,
                       rect.x, rect.y, question.first, question.last, difference);
  }

  const Generated& program_;
  const Setup& setup_;
  test_support::Random random_;
  vm::TransportChoice transport_ = vm::TransportChoice::Stepper;
  vm::Timeline timeline_;
};

}  // namespace

Comparison compare_whys(const Generated& program, std::uint32_t seed) {
  Comparison comparison;
  const std::optional<isa::Image> image = assembled(program, comparison).image;
  if (!image) return comparison;
  const Setup setup = setup_of(program, *image);
  comparison.difference = Asked(program, setup, seed).compare();
  return comparison;
}

}  // namespace wse::differential
