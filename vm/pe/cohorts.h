// Cohorts: what cores do that are alike is worked out once.
//
//     visit of a core:   settle, finishes    continues: stretches, starts, ends of tasks, waits
//                        --------------->    ---------------------------------------->
//                        each by itself      the first in a state (visit_state.h), with a tape;
//                                            those after it in the cycle join: they become what it
//                                            has become, and do with their memory what is on the
//                                            tape (visit_tape.h)
//
// A core that does what no tape keeps leads no cohort. Where few cores join, nobody looks for some
// time.
#pragma once

#include <array>
#include <vector>

#include "vm/pe/core_table.h"
#include "vm/pe/successions.h"
#include "vm/pe/vector_start.h"
#include "vm/pe/visit_state.h"
#include "vm/pe/visit_tape.h"

namespace wse::vm {

class Cohorts {
 public:
  struct Peers {  // all must live longer
    Successions& successions;
    VectorStarts& starts;
  };
  Cohorts(const CoreParts& parts, const Peers& peers);

  // Before the start: each core continues by itself.
  void forbid() { is_on_ = false; }

  // ---- in cycle `now`, of a core that continues
  // True if the core has joined a cohort: its visit is over. Otherwise it continues by itself, and
  // leads a cohort, perhaps; then end() is called.
  bool join(PeId pe, Core& core, Cycle now);
  void end(const Core& core, Cycle now);

  std::uint64_t joined_visits() const { return joined_visits_; }

 private:
  struct Cohort {
    const Core* leader = nullptr;
    bool changes_ids = false;
    bool changes_descriptors = false;
    VisitState state;
    VisitTape tape;
  };
  // The worth of cohorts that begin at one place of a program, of one instance.
  struct Worth {
    std::uint32_t joined = 0;   // cores, of late
    std::uint16_t begun = 0;    // cohorts
    std::uint16_t spoiled = 0;  // visits for which nobody looked when the last one was spoiled
    std::uint16_t rest = 0;     // visits for which nobody looks

    void note_spoiled();
    void note_begun();
  };
  static constexpr std::size_t kPlaces = 256;
  // Cohorts lie in sets, by a hash of their state.
  static constexpr std::size_t kSets = 16;
  static constexpr std::size_t kWays = 4;
  struct Set {
    std::array<std::uint32_t, kWays> tags = {};
    std::array<Cycle, kWays> cycles = {kNever, kNever, kNever, kNever};
    std::size_t next = 0;  // way to be used
  };

  // True if the core may join a cohort, or lead one: those of set_, with tag_.
  bool looks(PeId pe, const Core& core);
  Cohort& way(std::size_t k) { return cohorts_[set_ * kWays + k]; }
  void begin(const Core& core, Cycle now);
  bool joins(PeId pe, const Core& core, const Cohort& cohort, Cycle now) const;
  void become(PeId pe, Core& core, const Cohort& cohort, Cycle now);
  // Makes the core what the leader has become, but for the instructions that it has started.
  void become_state(Core& core, const Cohort& cohort) const;

  CoreParts parts_;
  Peers peers_;
  bool is_on_;
  // The place, set and tag of the last core that was looked at.
  std::size_t place_ = 0;
  std::size_t set_ = 0;
  std::uint32_t tag_ = 0;
  std::array<Worth, kPlaces> worth_;
  std::array<Set, kSets> sets_;
  std::vector<Cohort> cohorts_;  // set by set, once there is one
  std::uint64_t joined_visits_ = 0;
  // The one that is begun, in set_.
  bool is_open_ = false;
  std::size_t way_ = 0;
};

}  // namespace wse::vm
