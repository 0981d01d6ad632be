// Cohorts: what cores do that are alike is worked out once.
//
//     visit      the first core in a state leads: it does what cores do, with a tape. Those after
//                it in the cycle join: they do with their memory what is on the tape (visit_tape.h)
//                and become lanes of the state to which it came (alike_core.h).
//     in between what the transport tells of lanes changes their state, for the first of them; the
//                others go where it went (vector_end.h).
//     next visit lanes of a state follow each other without a look at it. Other cores are compared
//                (visit_state.h).
//
// A core that does what no tape keeps leads no cohort. Where few cores join, nobody looks for some
// time: at one place of a program, or at all. Who looks at a lane finds a core by itself
// (core_table.h).
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "vm/pe/core_table.h"
#include "vm/pe/plans.h"
#include "vm/pe/visit_state.h"
#include "vm/pe/visit_tape.h"

namespace wse::vm {

class Cohorts {
 public:
  // Both must live longer too.
  Cohorts(const CoreParts& parts, CoreTable& cores, Plans& plans);

  // Before the start: each core continues by itself.
  void forbid() { is_on_ = false; }

  // ---- the visit of a core in cycle `now`
  // True if the core has joined a cohort: its visit is over. Otherwise it does it by itself,
  // between the other two.
  bool join(PeId pe, Cycle now);
  // It leads a cohort, perhaps.
  void begin(PeId pe, const Core& core, Cycle now);
  void end(PeId pe, Core& core, Cycle now);

  std::uint64_t joined_visits() const { return joined_visits_; }

 private:
  struct Cohort {
    std::uint64_t number = 0;  // from 1 on
    PeId leader = 0;
    std::size_t place = 0;
    bool changes_ids = false;
    VisitState state;
    VisitTape tape;
    AlikeCore::Id then;  // the state to which it came, once a core has joined
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
  // The worth of all of them: where few of some thousand visits join, nobody looks for more.
  class Looks {
   public:
    // False while nobody looks. `joined` are visits that have joined so far.
    bool may(std::uint64_t joined) { return --left_ > 0 ? !rests_ : judge(joined); }

   private:
    static constexpr std::uint32_t kSample = 4096;

    bool judge(std::uint64_t joined);

    std::uint32_t left_ = kSample;  // visits until the next judgement
    std::uint32_t rest_ = 0;    // of how many the last rest was, if nothing was worth a look since
    std::uint64_t joined_ = 0;  // at the last judgement
    bool rests_ = false;
  };
  static constexpr std::size_t kPlaces = 256;
  // Cohorts lie in sets, by a hash of their state.
  static constexpr std::size_t kSets = 64;
  static constexpr std::size_t kWays = 4;
  struct Set {
    std::array<std::uint32_t, kWays> tags = {};
    std::array<std::uint16_t, kWays> at = {};  // of cohorts_
    std::array<Cycle, kWays> cycles = {kNever, kNever, kNever, kNever};
    std::size_t next = 0;  // way to be used
  };

  // True if a core in that state may join a cohort, or lead one: those of set_, with tag_.
  bool looks(PeId pe, const Core& state);
  // Returns the place of the cohort of cycle `now` that a core in that state joins which leaves
  // `after` to its next instruction.
  std::optional<std::size_t> find(const Core& state, const isa::Succession& after, Cycle now) const;
  // Returns the cohort of a lane of the state, or of any core; null if there is none.
  Cohort* find(PeId pe, AlikeCore& state, Cycle now);
  Cohort* find(PeId pe, Cycle now);
  static bool begins_alike(const Core& state, const isa::Succession& after, const Cohort& cohort,
                           Cycle now);
  const isa::Succession& after(const Core& core) const;
  // Lanes of the state are of the cohort at that place.
  void note(AlikeCore& state, std::size_t at, Cycle now);
  // The leader has asked the transport for some things: the PE would get the same answers.
  bool is_told_alike(PeId pe, const VisitTape& tape, Cycle now) const;
  // False if there is no room for the state to which the cohort has come.
  bool follow(PeId pe, Cohort& cohort, Cycle now);
  void change_memory(PeId pe, const Cohort& cohort);
  void tell(PeId pe, const VisitTape& tape, Cycle now);
  // The main thread goes the way of the leader's.
  void go(PeId pe, const VisitTape& tape);

  CoreParts parts_;
  CoreTable& cores_;
  Plans& plans_;
  bool is_on_;
  std::size_t most_;  // cohorts of a cycle
  Looks looks_;
  bool may_lead_ = false;     // the core whose visit begins
  AlikeCore::Id was_lane_;    // of that state, when it did
  std::uint64_t number_ = 0;  // of the last cohort
  bool is_open_ = false;
  Cycle cycle_ = kNever;  // of the cohorts
  std::size_t used_ = 0;  // of cohorts_; the last one is open, perhaps
  // The place, set and tag of the last core that was looked at.
  std::size_t place_ = 0;
  std::size_t set_ = 0;
  std::uint32_t tag_ = 0;
  std::array<Worth, kPlaces> worth_;
  std::array<Set, kSets> sets_;
  std::vector<std::unique_ptr<Cohort>> cohorts_;
  std::uint64_t joined_visits_ = 0;
};

}  // namespace wse::vm
