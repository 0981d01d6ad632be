// Loading, the loop over cycles, and the ways in which a run ends.
#include "tests/oracle/machine.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "isa/image/placement_values.h"
#include "tests/oracle/processor.h"
#include "tests/oracle/routers.h"

namespace wse::oracle {
namespace {

class Machine {
 public:
  Machine(const isa::Image& image, const isa::Profile& profile, const StreamWords& words,
          const Jitter& jitter)
      : routers_(image, profile, words, outcome_) {
    for (const std::uint32_t pe : routers_.reached()) {
      processors_.push_back(std::make_unique<Processor>(profile, routers_, outcome_, pe, jitter));
    }
    const std::size_t pes = std::size_t{image.width} * image.height;
    outcome_.memory.resize(pes);
    outcome_.pes.resize(pes);
    outcome_.finishes.resize(pes);
    ++outcome_.met[image.hypercube_dimensions > 0 ? "topology hypercube" : "topology mesh"];
    for (const isa::Placement& placement : image.placements) place(image, placement);
  }

  std::vector<State> states(const isa::Image& image) {
    std::vector<State> all;
    for (std::uint32_t pe = 0; pe < processors_.size(); ++pe) {
      State& state = all.emplace_back();
      if (processors_[pe]->has_program()) processors_[pe]->add_state(image, state);
      for (std::uint32_t colour = 0; colour < routers_.colours(); ++colour) {
        add_state(routers_.channel(pe, colour), image.colour_name(colour), state);
      }
    }
    return all;
  }

  Outcome run(Cycle limit) {
    for (Cycle now = 0; now < limit; ++now) {
      if (!cycle(now)) continue;
      if (outcome_.end == End::Trap) cut(now, now + 1);
      return finished();
    }
    cut(limit, limit);
    outcome_.end = End::CycleLimit;
    return finished();
  }

 private:
  // No scalar instruction has been done that ends after the start of cycle `code`; no mark is as
  // late as cycle `marks`.
  void cut(Cycle code, Cycle marks) {
    for (const auto& processor : processors_) processor->take_back(code);
    for (auto& [mark, cycles] : outcome_.marks) {
      std::erase_if(cycles, [marks](Cycle cycle) { return cycle >= marks; });
    }
    for (PeNumbers& numbers : outcome_.pes) {
      std::erase_if(numbers.first_marks,
                    [marks](const auto& first) { return first.second >= marks; });
    }
  }

  void place(const isa::Image& image, const isa::Placement& placement) {
    const isa::Program& program = image.programs[placement.program];
    isa::PlacementValues values(image, placement);
    isa::for_each(placement.rect, [&](std::uint32_t x, std::uint32_t y) {
      Processor& processor = processor_at(y * image.width + x);
      if (!values.move_to(x, y)) return;
      processor.lines.place(placement.program);
      processor.place(program, {values.slots().begin(), values.slots().end()}, *values.seed());
      for (const isa::Symbol& symbol : program.symbols) {
        if (symbol.is_view) continue;
        const std::uint32_t size = isa::info(symbol.type).bytes;
        for (std::uint32_t i = 0; i < symbol.count; ++i) {
          processor.memory.write(symbol.address + i * size, size, *values.initial(symbol, i));
        }
      }
    });
  }

  Processor& processor_at(std::uint32_t pe) {
    const auto at = std::ranges::lower_bound(routers_.reached(), pe);
    return *processors_[static_cast<std::size_t>(at - routers_.reached().begin())];
  }

  // True if the run ends with this cycle.
  bool cycle(Cycle now) {
    routers_.begin_cycle();
    for (const auto& processor : processors_) processor->act(now);
    for (const auto& processor : processors_) processor->issue(now);
    note_activities(now);
    routers_.step(now);
    routers_.end_cycle();
    if (routers_.moved()) worked(now);
    if (outcome_.trap && outcome_.trap->cycle <= now) {
      outcome_.end = End::Trap;
      return true;
    }
    return !outcome_.trap && !goes_on(now) && ends();
  }

  // What a PE does is counted only up to the last cycle in which anything worked.
  void note_activities(Cycle now) {
    for (const auto& processor : processors_) {
      if (!processor->has_program()) continue;
      const Activity activity = processor->activity(now);
      if (activity == Activity::WaitOutput) outcome_.blocked = true;
      ++since_last_work_[processor->pe()][static_cast<std::size_t>(activity)];
      processor->lines.count(now, activity, processor->waits_for_fifo(now));
      std::vector<ActivityRun>& activities = outcome_.pes[processor->pe()].activities;
      if (activities.empty() || activities.back().activity != activity) {
        activities.push_back({activity, now});
      }
      activities.back().until = now + 1;
    }
    const bool any = std::ranges::any_of(
        processors_, [now](const auto& processor) { return processor->worked(now); });
    if (any) worked(now);
  }

  void worked(Cycle now) {
    outcome_.cycles = now + 1;
    for (const auto& processor : processors_) processor->lines.keep();
    for (auto& [pe, cycles] : since_last_work_) {
      PeNumbers& numbers = outcome_.pes[pe];
      std::uint64_t* const by_activity[] = {&numbers.busy, &numbers.memory_stall,
                                            &numbers.wait_output, &numbers.wait_input,
                                            &numbers.idle};
      for (std::size_t k = 0; k < kActivities; ++k) {
        *by_activity[k] += cycles[k];
        outcome_.pe_cycles[k] += std::exchange(cycles[k], 0);
      }
    }
  }

  // Something happened, so more may happen; or something is only a matter of time.
  bool goes_on(Cycle now) const {
    if (routers_.moved() || routers_.waits_for_time(now)) return true;
    return std::ranges::any_of(processors_, [now](const auto& processor) {
      return processor->did_something() || processor->waits_for_time(now);
    });
  }

  bool ends() {
    const bool done = std::ranges::all_of(
        processors_, [](const auto& processor) { return processor->is_done(); });
    outcome_.end = done ? End::Halted : End::Deadlock;
    return true;
  }

  Outcome finished() {
    for (const auto& processor : processors_) {
      outcome_.memory[processor->pe()] = std::move(processor->memory.bytes);
      outcome_.finishes[processor->pe()] = processor->finishes();
      processor->tally_pending();
      if (processor->has_program()) processor->lines.add_to(outcome_.lines, processor->program());
    }
    routers_.report();
    return outcome_;
  }

  Outcome outcome_;
  Routers routers_;
  std::vector<std::unique_ptr<Processor>> processors_;  // of routers_.reached()
  std::map<std::uint32_t, std::array<std::uint64_t, kActivities>> since_last_work_;  // by PE
};

}  // namespace

Outcome run(const isa::Image& image, const isa::Profile& profile, const StreamWords& words,
            Cycle limit, const Jitter& jitter) {
  return Machine(image, profile, words, jitter).run(limit);
}

std::vector<State> states(const isa::Image& image, const isa::Profile& profile,
                          const StreamWords& words, Cycle limit, const Jitter& jitter) {
  Machine machine(image, profile, words, jitter);
  static_cast<void>(machine.run(limit));
  return machine.states(image);
}

}  // namespace wse::oracle
