// The critical path of a run: what its last event waited for, back to the start. Each step begins
// where the one before it ends, so their cycles add up to those of the run.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "isa/image/image.h"
#include "vm/ledger/causes.h"
#include "vm/run/machine.h"

namespace wse::vm {

// A step that ends with an event of a PE, or several that follow each other alike.
struct PathStep {
  StepKind kind = StepKind::Task;
  Cycle from = 0;
  Cycle to = 0;
  PeId from_pe = 0;  // where the event happened that it waited for
  PeId pe = 0;
  std::uint8_t colour = Event::kNoStepColour;
  std::uint8_t thread = 0;
  isa::SourceLine where{};  // of the instruction; line 0: none

  bool operator==(const PathStep&) const = default;
  Cycle cycles() const { return to - from; }
  // Whether both are one step: of the same PE, thread and instruction, for the same reason.
  bool follows_alike(const PathStep& before) const {
    return from_pe == pe && before.pe == pe && before.kind == kind && before.colour == colour &&
           before.thread == thread && before.where == where;
  }
  void begin_with(const PathStep& before) {
    from = before.from;
    from_pe = before.from_pe;
  }
};

struct CriticalPath {
  std::vector<PathStep> steps{};  // cycles ascend
  Cycle cycles = 0;
  std::array<Cycle, kStepKinds> by_kind{};
  // The length of another path: where one of its events could have had another cause, it is as much
  // shorter as that one was earlier. Nothing if no event had two.
  std::optional<Cycle> next{};
  std::uint64_t unexplained = 0;  // events of the run whose conditions are not known: 0

  bool operator==(const CriticalPath&) const = default;
};

// Returns the path to the target of RunOptions::path, in a run that has stopped after so many
// cycles (Record::cycles). Nothing if no such event happened, or nobody asked.
std::optional<CriticalPath> critical_path(const Machine& machine, Cycle cycles);

}  // namespace wse::vm
