// Goes forward by signs, and back for the causes.
#include "vm/timeline/wait_ends.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "vm/path/wait_end.h"
#include "vm/run/advance.h"
#include "vm/run/books.h"
#include "vm/run/thread_signs.h"
#include "vm/timeline/events.h"

namespace wse::vm {
namespace {

constexpr Cycle kFirstStep = 64;  // of a whole machine; then twice as many cycles, up to
constexpr Cycle kMostStep = 1 << 16;
constexpr Cycle kLongestWait = 1 << 20;    // that is followed to its end
constexpr Cycle kLongerLead = 4;           // times as much
constexpr Cycle kLooksOfAStep = 64;        // after so many of them, steps are longer
constexpr Cycle kNarrower = 16;            // times
constexpr std::uint32_t kMostUnsure = 4;   // times; then the whole machine is watched
constexpr Cycle kTellsAhead = 16;          // cycles: what a core tells acts so much later at most
constexpr std::uint32_t kMostAcross = 32;  // PEs between threads that are watched together

// Cycles up to the last step of a whole machine.
constexpr Cycle followed_cycles() {
  Cycle cycles = 0;
  for (Cycle step = kFirstStep; cycles <= kLongestWait; step *= 2) {
    cycles += std::min(step, kMostStep);
  }
  return cycles;
}

RunOptions with_causes(const Timeline& timeline) {
  RunOptions options = timeline.options();
  options.path = PathTarget{.pe = 0, .until = 0};  // causes, of no event that anybody asks for
  return options;
}

// Whether the run went no further.
bool is_end(const Stop& stop, Cycle until) { return stop.is_over || stop.now + 1 < until; }

class WaitSearch {
 public:
  WaitSearch(Timeline& timeline, Cycle at, std::span<const ThreadId> threads,
             const WaitSteps& steps)
      : timeline_(timeline),
        at_(at),
        threads_(threads),
        steps_(steps),
        mesh_(timeline.front().image().topology()),
        from_(at) {
    ends_.texts.resize(threads.size());
    for (std::uint32_t k = 0; k < threads.size(); ++k) open_.push_back(k);
  }

  isa::Attempt<WaitEnds> run() {
    if (!are_near()) return wait_ends_of_whole(timeline_, at_, threads_);
    isa::Attempt<void> done = begin();
    while (done && !open_.empty() && !is_over_) {
      if (is_trapped_ || unsure_ > kMostUnsure) return wait_ends_of_whole(timeline_, at_, threads_);
      done = go_on();
    }
    if (!done) return std::unexpected(done.error());
    return std::move(ends_);
  }

 private:
  // Whether a rectangle around all of them can be small; sets it.
  bool are_near() {
    if (mesh_.is_hypercube()) return false;
    std::uint32_t x1 = 0;
    std::uint32_t y1 = 0;
    box_ = {.x = mesh_.width(), .y = mesh_.height()};
    for (const ThreadId& thread : threads_) {
      const std::uint32_t x = mesh_.x_of(thread.pe);
      const std::uint32_t y = mesh_.y_of(thread.pe);
      box_.x = std::min(box_.x, x);
      box_.y = std::min(box_.y, y);
      x1 = std::max(x1, x + 1);
      y1 = std::max(y1, y + 1);
    }
    box_.width = x1 - box_.x;
    box_.height = y1 - box_.y;
    return box_.width <= kMostAcross && box_.height <= kMostAcross;
  }
  isa::Attempt<Stop> pass_to(Cycle until) {
    isa::Attempt<Stop> stop = timeline_.pass_to(until);
    if (stop && stop->status == RunStatus::Interrupted) {
      return std::unexpected(isa::Error(fmt::format("interrupted in cycle {}", stop->now)));
    }
    return stop;
  }
  // The front has stopped before cycle `from_`. Returns whether no open thread does anything
  // without a sign from then on.
  bool begin_signs() {
    signs_.clear();
    for (const std::uint32_t k : open_) signs_.emplace_back(timeline_.front(), threads_[k]);
    return std::ranges::all_of(signs_, &ThreadSigns::are_sure);
  }
  bool have_signs_changed() {
    bool have_changed = false;
    for (ThreadSigns& signs : signs_) {
      have_changed = signs.have_changed(timeline_.front()) || have_changed;
    }
    return have_changed;
  }

  // Watches the first cycles, if there are signs that anything happens there.
  isa::Attempt<void> begin() {
    const Cycle to = at_ + steps_.first;
    const bool are_sure = begin_signs();
    const auto beginning = timeline_.beginning(part(at_, to));
    if (!beginning) return std::unexpected(beginning.error());
    const isa::Attempt<Stop> stop = pass_to(to);
    if (!stop) return std::unexpected(stop.error());
    is_trapped_ = stop->status == RunStatus::Trap;  // perhaps of a PE that is not replayed
    if (is_trapped_) return {};
    from_ = to;
    if (!are_sure || is_end(*stop, to) || have_signs_changed()) {
      const auto machine = timeline_.replay(with_causes(timeline_), *beginning);
      if (!machine) return std::unexpected(machine.error());
      close_ended(**machine, at_, to);
    }
    return is_end(*stop, to) ? end(*stop) : isa::Attempt<void>();
  }

  // Goes on, from a cycle before which the open waits have not ended, to where signs change, the
  // run ends or nobody follows any further, and watches what is before that.
  isa::Attempt<void> go_on() {
    isa::Attempt<Stop> stop = pass_to(from_);
    if (!stop) return std::unexpected(stop.error());
    if (is_end(*stop, from_)) return end(*stop);
    const bool are_sure = begin_signs();
    unsure_ = are_sure ? 0 : unsure_ + 1;
    const Cycle last = at_ + followed_cycles();
    Cycle step = steps_.apart;
    if (are_sure) step *= 1 + (from_ - at_) / (steps_.apart * kLooksOfAStep);
    while (true) {
      const Cycle to = std::min(from_ + step, last);
      stop = pass_to(to);
      if (!stop) return std::unexpected(stop.error());
      const bool has_ended = is_end(*stop, to);
      const bool has_changed = has_ended || !are_sure || have_signs_changed();
      if (has_changed && to - from_ > steps_.apart) {  // where in it?
        step = std::max(steps_.apart, step / kNarrower);
        if (const auto back = pass_to(from_); !back) return std::unexpected(back.error());
        have_signs_changed();
        continue;
      }
      is_trapped_ = stop->status == RunStatus::Trap;
      if (is_trapped_) return {};
      if (has_changed) {
        const isa::Attempt<void> done = watch(has_ended ? stop->now + 1 : to);
        if (!done) return done;
      }
      from_ = to;
      if (has_ended || to == last) return end(*stop);
      if (has_changed) return {};
    }
  }
  // Leaves the waits that are open. A machine that looks at every cycle says in which one of a run
  // something happened last.
  isa::Attempt<void> end(const Stop& stop) {
    is_over_ = true;
    ends_.stop = stop;
    if (!stop.is_over || open_.empty()) return {};
    Advance(timeline_.front()).show();
    const Cycle cycles = timeline_.front().record().cycles;
    for (Cycle lead = steps_.lead;; lead *= kLongerLead) {
      const Cycle begin = std::max(cycles, at_ + lead) - lead;
      const isa::Attempt<Stop> back = pass_to(begin);
      if (!back) return std::unexpected(back.error());
      if (back->is_over) continue;
      const auto machine = timeline_.replay(with_causes(timeline_));
      if (!machine) return std::unexpected(machine.error());
      ends_.stop = (*machine)->advance(timeline_.options().max_cycles);
      if (ends_.stop.now > begin || begin == at_) return {};
    }
  }

  // Returns the PEs from which something can reach the threads in the cycles from `begin` to the
  // one before `to`; nothing: all.
  std::optional<PeRect> part(Cycle begin, Cycle to) const {
    return part_for({box_, begin, to - 1}, mesh_, begin).rect;
  }

  // Watches the open threads in the cycles from `from_` to the one before `to`, and closes those of
  // which the waits end.
  isa::Attempt<void> watch(Cycle to) {
    Cycle begin = from_ + 1;
    for (Cycle lead = steps_.lead; begin > at_; lead *= kLongerLead) {
      begin = from_ - at_ > lead ? from_ - lead : at_;
      const isa::Attempt<Stop> stop = pass_to(begin);
      if (!stop) return std::unexpected(stop.error());
      if (stop->is_over) break;  // nothing has happened there
      const auto machine = timeline_.replay(with_causes(timeline_), part(begin, to));
      if (!machine) return std::unexpected(machine.error());
      if (close_ended(**machine, begin, to)) break;
    }
    from_ = to;
    return {};
  }

  // Returns false if causes had to begin earlier.
  bool close_ended(Machine& machine, Cycle begin, Cycle to) {
    const Books books(machine);
    for (const std::uint32_t k : open_) books.causes()->watch(threads_[k], at_);
    machine.advance(to);
    std::vector<std::uint32_t> open;
    bool are_known = true;
    for (std::size_t k = 0; k < open_.size(); ++k) {
      const causes::Watch& watch = books.causes()->watches()[k];
      const bool has_ended = watch.ended != kNever;
      const bool is_told = has_ended && (begin == at_ || is_known(machine, watch));
      if (is_told) ends_.texts[open_[k]] = wait_end_text(machine, watch);
      if (!is_told) open.push_back(open_[k]);
      are_known = are_known && (is_told || !has_ended);
    }
    open_ = std::move(open);
    return are_known;
  }

  // Whether all that the text tells happened after what has begun before the replay was over.
  bool is_known(const Machine& machine, const causes::Watch& watch) {
    const auto events = events_of_wait_end(machine, watch);
    if (!events) return false;
    std::vector<PeId> pes;
    for (const PeAndCycle& event : *events) pes.push_back(event.pe);
    const std::vector<Cycle> until = timeline_.act_until(pes);
    for (std::size_t k = 0; k < pes.size(); ++k) {
      if ((*events)[k].cycle <= until[k] + kTellsAhead) return false;
    }
    return true;
  }

  Timeline& timeline_;
  Cycle at_;
  std::span<const ThreadId> threads_;
  const WaitSteps& steps_;
  isa::Topology mesh_;
  PeRect box_{};                       // of the threads
  std::vector<std::uint32_t> open_{};  // threads whose waits have not ended
  std::vector<ThreadSigns> signs_{};   // of these
  std::uint32_t unsure_ = 0;           // times that they were not sure, one after the other
  Cycle from_;                         // before it
  bool is_over_ = false;               // nobody looks any further
  bool is_trapped_ = false;            // the run ended in a trap, which stops all PEs
  WaitEnds ends_{};
};

}  // namespace

isa::Attempt<WaitEnds> wait_ends(Timeline& timeline, Cycle at, std::span<const ThreadId> threads,
                                 const WaitSteps& steps) {
  return WaitSearch(timeline, at, threads, steps).run();
}

isa::Attempt<WaitEnds> wait_ends_of_whole(Timeline& timeline, Cycle at,
                                          std::span<const ThreadId> threads) {
  if (const auto stop = timeline.go_to(at); !stop) return std::unexpected(stop.error());
  const auto machine = timeline.replay(with_causes(timeline));
  if (!machine) return std::unexpected(machine.error());
  const Books books(**machine);
  for (const ThreadId& thread : threads) books.causes()->watch(thread, at);
  WaitEnds ends;
  Cycle until = at;
  for (Cycle step = kFirstStep; books.causes()->open_watches() > 0; step *= 2) {
    until += std::min(step, kMostStep);
    ends.stop = (*machine)->advance(until);
    if (ends.stop.status == RunStatus::Interrupted) {
      return std::unexpected(isa::Error(fmt::format("interrupted in cycle {}", ends.stop.now)));
    }
    if (is_end(ends.stop, until) || until - at > kLongestWait) break;
  }
  for (const causes::Watch& watch : books.causes()->watches()) {
    ends.texts.push_back(wait_end_text(**machine, watch));
  }
  return ends;
}

}  // namespace wse::vm
