// One cycle after the other, one block after the other.
#include "tests/cohorts/census.h"

#include <algorithm>
#include <tuple>

namespace wse::cohorts {
namespace {

constexpr std::uint64_t kMostShort = 3;  // wavelets of a message of which most are first or last

// Returns how many different values there are.
std::uint64_t different(std::vector<std::uint64_t> values) {
  std::ranges::sort(values);
  return static_cast<std::uint64_t>(std::ranges::unique(values).begin() - values.begin());
}

std::uint64_t most_equal(std::vector<std::uint64_t> values) {
  std::ranges::sort(values);
  std::uint64_t most = 0;
  for (auto at = values.begin(); at != values.end();) {
    const auto end = std::upper_bound(at, values.end(), *at);
    most = std::max(most, static_cast<std::uint64_t>(end - at));
    at = end;
  }
  return most;
}

}  // namespace

Census::Census(vm::SteppedRun& run, std::uint64_t every)
    : run_(run),
      every_(every),
      grid_(run.grid()),
      blocks_(grid_.blocks()),
      before_(grid_.mesh().pes()),
      at_task_starts_(grid_.mesh().pes(), Join::TaskStarts),
      at_visits_(grid_.mesh().pes(), Join::Visits) {
  for (const vm::PeId pe : run.loaded().placed()) {
    const CoreKey key = key_of(pe, 0);
    const void* const instance = run.core(pe).state.view;
    blocks_[grid_.block_of(pe)].push_back({.pe = pe, .before = key, .instance = instance});
  }
  counts_.pes = run.loaded().placed().size();
  for (const auto& block : blocks_) {
    if (!block.empty()) ++counts_.blocks;
    at_task_starts_.begin(block);
    at_visits_.begin(block);
  }
}

CoreKey Census::key_of(vm::PeId pe, vm::Cycle now) {
  const vm::Core& core = run_.core(pe);
  return keys_.of(core, run_.after(core), now);
}

CensusCounts Census::count() {
  while (!run_.is_over()) {
    const vm::Cycle now = run_.next();
    const std::vector<vm::PeId> due = run_.due();
    std::set<std::uint32_t> visited;
    for (const vm::PeId pe : due) visited.insert(grid_.block_of(pe));
    for (const std::uint32_t block : visited) {
      for (Member& member : blocks_[block]) {
        member.before = key_of(member.pe, now);
        member.is_due = std::ranges::binary_search(due, member.pe);
      }
    }
    note_before(due);
    run_.visit();
    if (!due.empty()) count_cycle(visited, now);
    run_.move();
  }
  at_task_starts_.end(counts_.last);
  at_visits_.end(counts_.last);
  counts_.cohorts = at_task_starts_.counts();
  counts_.cohorts_at_visits = at_visits_.counts();
  return counts_;
}

void Census::count_cycle(const std::set<std::uint32_t>& visited, vm::Cycle now) {
  const bool is_looked_at = counts_.cycles++ % every_ == 0;
  counts_.last = now;
  states_of_wafer_.clear();
  visits_of_wafer_.clear();
  for (const std::uint32_t block : visited) {
    count_block(block, now);
    if (is_looked_at) look_at_states(blocks_[block]);
  }
  visits_of_run_.insert(visits_of_wafer_.begin(), visits_of_wafer_.end());
  counts_.visits_of_wafer += different(visits_of_wafer_);
  counts_.different_visits = visits_of_run_.size();
  if (!is_looked_at) return;
  ++counts_.wafer_states.things;
  counts_.wafer_states.sets += different(states_of_wafer_);
}

void Census::note_before(std::span<const vm::PeId> due) {
  for (const vm::PeId pe : due) {
    const vm::Core& core = run_.core(pe);
    Before& before = before_[pe];
    std::ranges::copy(core.state.r, before.registers.begin());
    before.moving.fill(nullptr);
    for (const vm::InFlight& f : core.in_flight) {
      if (f.is_moving()) before.moving[f.thread()] = f.plan;
    }
  }
}

void Census::count_block(std::uint32_t block, vm::Cycle now) {
  std::vector<Member> due;
  std::vector<std::uint64_t> by_instance;
  for (Member& member : blocks_[block]) {
    member.after = member.is_due ? key_of(member.pe, now) : member.before;
    member.picks = member.is_due && run_.core(member.pe).picked == now;
    if (!member.is_due) continue;
    due.push_back(member);
    by_instance.push_back(member.before.by_instance * 3 + member.after.by_instance);
  }
  const auto what_it_does = [](const Member& member) {
    return std::tuple(member.before.by_program, member.after.by_program, member.pe);
  };
  std::ranges::sort(due, {}, what_it_does);
  const auto do_the_same = [](const Member& one, const Member& other) {
    return one.before.by_program == other.before.by_program &&
           one.after.by_program == other.after.by_program;
  };
  for (std::size_t first = 0; first < due.size();) {
    std::size_t end = first + 1;
    while (end < due.size() && do_the_same(due[first], due[end])) ++end;
    ++counts_.visits.sets;
    visits_of_wafer_.push_back(due[first].before.by_program * 3 + due[first].after.by_program);
    count_registers(std::span(due).subspan(first, end - first));
    first = end;
  }
  counts_.visits.things += due.size();
  counts_.visits_by_instance.things += due.size();
  counts_.visits_by_instance.sets += different(std::move(by_instance));
  count_begun(due);
  at_task_starts_.step(blocks_[block], now);
  at_visits_.step(blocks_[block], now);
}

void Census::look_at_states(std::span<const Member> block) {
  std::vector<std::uint64_t> by_program;
  std::vector<std::uint64_t> by_instance;
  for (const Member& member : block) {
    by_program.push_back(member.after.by_program);
    by_instance.push_back(member.after.by_instance);
  }
  states_of_wafer_.insert(states_of_wafer_.end(), by_program.begin(), by_program.end());
  ++counts_.looks;
  counts_.states.things += block.size();
  counts_.largest += most_equal(by_program);
  counts_.states.sets += different(std::move(by_program));
  counts_.states_by_instance += different(std::move(by_instance));
}

void Census::count_registers(std::span<const Member> set) {
  if (set.size() < 2) return;
  for (std::size_t number = 0; number < isa::kRegisters; ++number) {
    const auto now = [&](const Member& member) { return run_.core(member.pe).state.r[number]; };
    const bool is_changed = std::ranges::any_of(set, [&](const Member& member) {
      return before_[member.pe].registers[number] != now(member);
    });
    if (!is_changed) continue;
    ++counts_.changed_registers;
    const bool is_equal = std::ranges::all_of(
        set, [&](const Member& member) { return now(member) == now(set.front()); });
    if (is_equal) ++counts_.equal_registers;
  }
}

// Instructions on memory alone that scalar code passes, or that are over in the visit, are not
// seen.
void Census::count_begun(std::span<const Member> members) {
  using Shape = std::tuple<const void*, std::uint32_t, std::uint64_t, vm::Cycle, std::uint64_t>;
  std::set<Shape> begun;
  std::set<Shape> sends;
  for (const Member& member : members) {
    const vm::Core& core = run_.core(member.pe);
    for (const vm::InFlight& f : core.in_flight) {
      if (!f.is_moving() || before_[member.pe].moving[f.thread()] == f.plan) continue;
      const bool is_main = f.thread() == vm::kMainThread;
      const Shape shape{core.program, f.pc(), f.length, is_main ? core.resume : 0, 0};
      ++counts_.begun.things;
      begun.insert(shape);
      if (f.plan->sends == 0) continue;
      Shape colour = shape;
      std::get<4>(colour) = f.plan->sends;
      const bool is_short = f.plan->flow.words_out(f.length) <= kMostShort;
      Grouped& counted = is_short ? counts_.shorts : counts_.sends;
      ++counted.things;
      if (sends.insert(colour).second) ++counted.sets;
    }
  }
  counts_.begun.sets += begun.size();
}

}  // namespace wse::cohorts
