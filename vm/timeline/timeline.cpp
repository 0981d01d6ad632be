// Goes forward in steps between checkpoints, and back to the one before.
#include "vm/timeline/timeline.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "vm/run/advance.h"
#include "vm/run/machine_state.h"

namespace wse::vm {
Timeline::Timeline(Make make, const RunOptions& options, const Bounds& bounds)
    : make_(std::move(make)), bounds_(bounds) {
  options_.max_cycles = options.max_cycles;
  options_.interrupt = options.interrupt;
  options_.tsc_skew = options.tsc_skew;
  options_.jitter = options.jitter;
}

isa::Attempt<Stop> Timeline::go_to(Cycle until) try {
  isa::Attempt<Stop> stop = pass_to(until);
  if (stop) Advance(*front_).show();
  return stop;
} catch (const std::bad_alloc&) {
  return isa::out_of_memory(" to go on with the run");
}

isa::Attempt<Stop> Timeline::pass_to(Cycle until) try {
  if (front_ == nullptr || until < done_) {
    if (const isa::Attempt<void> begun = begin_again(until); !begun) {
      return std::unexpected(begun.error());
    }
  }
  while (!stop_.is_over && done_ < until) {
    const Cycle last = kept_.empty() ? 0 : kept_.rbegin()->first;
    const Cycle next = keeps_ ? std::max(last, done_) + apart() : until;
    const Cycle goal = std::min(until, next);
    stop_ = Advance(*front_).pass(goal);
    done_ = stop_.is_over ? stop_.now + 1 : goal;
    if (stop_.status == RunStatus::Interrupted || stop_.is_over) break;
    if (keeps_ && done_ == next) keep();
  }
  return stop_;
} catch (const std::bad_alloc&) {
  return isa::out_of_memory(" to go on with the run");
}

isa::Attempt<void> Timeline::begin_again(Cycle until) {
  front_.reset();
  isa::Attempt<std::unique_ptr<Machine>> machine = make_(Kind::Front, {});
  if (!machine) return std::unexpected(machine.error());
  front_ = std::move(*machine);
  front_->begin(options_);
  done_ = 0;
  stop_ = {};
  auto before = kept_.upper_bound(until);
  if (before == kept_.begin()) return {};
  --before;
  if (const isa::Attempt<void> taken = take_up(*front_, before->second, {}); !taken) return taken;
  done_ = before->first;
  stop_ = {.status = RunStatus::CycleLimit, .now = done_ - 1};
  return {};
}

Cycle Timeline::apart() const {
  const std::uint64_t pes = std::max(1u, front_->image().topology().pes());
  return std::max(bounds_.least_apart, bounds_.least_work / pes);
}

void Timeline::keep() {
  if (kept_.contains(done_)) return;
  State state = state_of_front({});
  if (state.size() > bounds_.most_bytes / 2) {
    keeps_ = false;
    return;
  }
  kept_bytes_ += state.size();
  kept_.emplace(done_, std::move(state));
  while (kept_.size() > std::max<std::size_t>(1, bounds_.most_kept) ||
         kept_bytes_ > bounds_.most_bytes) {
    thin_out();
  }
}

// Drops the one whose neighbours are nearest to each other, measured by how far they are back.
void Timeline::thin_out() {
  auto least = kept_.begin();
  double smallest = -1;
  for (auto at = kept_.begin(); at != kept_.end(); ++at) {
    const auto next = std::next(at);
    if (next == kept_.end()) break;  // the last one stays
    const Cycle before = at == kept_.begin() ? 0 : std::prev(at)->first;
    const double ratio =
        static_cast<double>(next->first - before) / static_cast<double>(done_ - before + 1);
    if (smallest >= 0 && ratio >= smallest) continue;
    smallest = ratio;
    least = at;
  }
  kept_bytes_ -= least->second.size();
  kept_.erase(least);
}

Timeline::State Timeline::state_of_front(std::optional<PeRect> part) {
  StateWriter writer;
  if (part) {
    MachineState(*front_, *part).write_hidden(writer);
  } else {
    MachineState(*front_).write_hidden(writer);
  }
  return std::move(writer.written());
}

isa::Attempt<void> Timeline::take_up(Machine& machine, const State& state,
                                     std::optional<PeRect> part) {
  StateReader reader(state);
  const bool is_taken =
      part ? MachineState(machine, *part).read(reader) : MachineState(machine).read(reader);
  if (is_taken) return {};
  return std::unexpected(isa::Error("the run cannot be repeated from a cycle on its way"));
}

Cycle Timeline::told_from(std::optional<PeRect> part) {
  return part ? MachineState(*front_, *part).told_from() : MachineState(*front_).told_from();
}

// Returns the rows of a part and those beside it, which see what it does.
Timeline::Rows Timeline::rows_around(const std::optional<PeRect>& part) const {
  if (!part) return {};
  const isa::Topology mesh = front_->image().topology();
  const std::uint32_t top = part->y - std::min(part->y, 1u);
  const std::uint32_t end = std::min(part->y + part->height + 1, mesh.height());
  return PeRange{mesh.pe_at(0, top), mesh.pe_at(0, top) + (end - top) * mesh.width()};
}

std::vector<Cycle> Timeline::act_until(std::span<const PeId> pes) {
  return MachineState(*front_).act_until(pes);
}

isa::Attempt<std::unique_ptr<Machine>> Timeline::replay(const RunOptions& options,
                                                        std::optional<PeRect> part) {
  const isa::Attempt<Beginning> here = beginning(part);
  if (!here) return std::unexpected(here.error());
  return replay(options, *here);
}

isa::Attempt<Timeline::Beginning> Timeline::beginning(std::optional<PeRect> part) try {
  return Beginning{.state = state_of_front(part), .part = part};
} catch (const std::bad_alloc&) {
  return isa::out_of_memory(" to repeat a part of the run");
}

isa::Attempt<std::unique_ptr<Machine>> Timeline::replay(const RunOptions& options,
                                                        const Beginning& beginning) try {
  isa::Attempt<std::unique_ptr<Machine>> machine = make_(Kind::Replay, rows_around(beginning.part));
  if (!machine) return machine;
  (*machine)->begin(options);
  const isa::Attempt<void> taken = take_up(**machine, beginning.state, beginning.part);
  if (!taken) return std::unexpected(taken.error());
  return machine;
} catch (const std::bad_alloc&) {
  return isa::out_of_memory(" to repeat a part of the run");
}

}  // namespace wse::vm
