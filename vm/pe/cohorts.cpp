// Compares cores with those that were visited before them in their cycle, and lets them follow.
#include "vm/pe/cohorts.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "isa/support/mutant.h"
#include "vm/pe/passing.h"

namespace wse::vm {
namespace {

// A place has its cohorts judged kSample at a time: kWorth cores join each, or nobody looks there
// for kRest visits.
constexpr std::uint32_t kSample = 32;
constexpr std::uint32_t kWorth = 8;
constexpr std::uint32_t kRest = 2048;
// A cohort takes more memory than ten cores, so small meshes get few in a cycle.
constexpr std::size_t kCoresOfACohort = 8;
constexpr std::size_t kFewCohorts = 16;

constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t product = (a ^ 0x9e3779b97f4a7c15u) * ((b << 1 | 1) * 0xd6e8feb86659fd93u);
  return product ^ product >> 32;
}

std::uint64_t sum_of(const std::uint32_t (&r)[isa::kRegisters]) {
  std::uint64_t pairs[isa::kRegisters / 2];
  std::memcpy(pairs, r, sizeof pairs);
  std::uint64_t sum = 0;
  for (std::uint64_t k = 0; k < std::size(pairs); ++k) {
    sum += pairs[k] * (2 * k + 0x9e3779b97f4a7c15u);
  }
  return sum;
}

}  // namespace

// The next visit there will be spoiled by the same.
void Cohorts::Worth::note_spoiled() {
  spoiled = static_cast<std::uint16_t>(std::min(2u * spoiled + 1, kRest));
  rest = spoiled;
}

void Cohorts::Worth::note_begun() {
  spoiled /= 2;
  if (++begun < kSample) return;
  if (joined < kSample * kWorth) rest = kRest;
  begun = 0;
  joined = 0;
}

// The first rests are short: PEs may differ only at the start.
bool Cohorts::Looks::judge(std::uint64_t joined) {
  const bool is_worth_it = joined - joined_ >= kSample / 64;
  joined_ = joined;
  rests_ = !rests_ && !is_worth_it;
  if (is_worth_it) rest_ = 0;
  if (rests_) rest_ = std::clamp(2 * rest_, kSample, 16 * kSample);
  left_ = rests_ ? rest_ : kSample;
  return !rests_;
}

// No-ops differ from PE to PE.
Cohorts::Cohorts(const CoreParts& parts, CoreTable& cores, Plans& plans)
    : parts_(parts),
      cores_(cores),
      plans_(plans),
      is_on_(parts.cohorts && parts.profile.noop_share == 0),
      most_(std::clamp(cores.placed().size() / kCoresOfACohort, kFewCohorts, kSets * kWays)) {}

const isa::Succession& Cohorts::after(const Core& core) const {
  static constexpr isa::Succession kNothing = {};
  return cores_.keeps_succession(core) ? cores_.succession(core).after : kNothing;
}

bool Cohorts::looks(PeId pe, const Core& state) {
  const std::uint64_t place = mixed(parts_.loaded.instance_of(pe), state.state.pc);
  place_ = place % kPlaces;
  Worth& worth = worth_[place_];
  if (worth.rest > 0) {
    --worth.rest;
    return false;
  }
  const std::uint64_t registers =
      isa::mutant(isa::Mutant::CohortRegisters) ? 0 : sum_of(state.state.r);
  const std::uint64_t hash = mixed(place, registers + state.in_flight.threads());
  set_ = hash % kSets;
  tag_ = static_cast<std::uint32_t>(hash >> 32);
  return true;
}

bool Cohorts::join(PeId pe, Cycle now) {
  if (!is_on_ || !looks_.may(joined_visits_)) return false;
  Cohort* const cohort = find(pe, now);
  if (cohort == nullptr) return false;
  may_lead_ = false;
  if (!is_told_alike(pe, cohort->tape, now)) return false;
  return follow(pe, *cohort, now);
}

Cohorts::Cohort* Cohorts::find(PeId pe, Cycle now) {
  was_lane_ = {};
  if (AlikeCore* const state = cores_.lane(pe)) {
    was_lane_ = state->id();
    return find(pe, *state, now);
  }
  Core& core = cores_.own_part(pe);
  may_lead_ = looks(pe, core);
  if (!may_lead_) return nullptr;
  if (core.state.d != nullptr) plans_.share_copies(*core.state.d);
  if (!VisitState::is_possible(core)) return nullptr;
  const std::optional<std::size_t> at = find(core, after(core), now);
  return at ? cohorts_[*at].get() : nullptr;
}

Cohorts::Cohort* Cohorts::find(PeId pe, AlikeCore& state, Cycle now) {
  if (state.visited == now) {
    Cohort& cohort = *cohorts_[state.cohort.at];
    if (cohort.number == state.cohort.number) return &cohort;
  }
  may_lead_ = looks(pe, state.core());
  if (!may_lead_) return nullptr;
  const std::optional<std::size_t> at = find(state.core(), state.kept().after, now);
  if (!at) return nullptr;
  note(state, *at, now);
  return cohorts_[*at].get();
}

std::optional<std::size_t> Cohorts::find(const Core& state, const isa::Succession& after,
                                         Cycle now) const {
  const Set& set = sets_[set_];
  for (std::size_t k = 0; k < kWays; ++k) {
    if (set.tags[k] != tag_ || set.cycles[k] != now) continue;
    if (begins_alike(state, after, *cohorts_[set.at[k]], now)) return set.at[k];
  }
  return std::nullopt;
}

// Without a new stretch the cores would keep what is left of their own earlier ones.
bool Cohorts::begins_alike(const Core& state, const isa::Succession& after, const Cohort& cohort,
                           Cycle now) {
  return cohort.tape.has_stretch && cohort.state.is_of(state, after, now) &&
         (cohort.changes_ids || !cohort.state.has_other_ids(state));
}

bool Cohorts::is_told_alike(PeId pe, const VisitTape& tape, Cycle now) const {
  if (tape.asks_for_slot && parts_.transport.slot_held(pe, now)) return false;
  return !tape.looks_for_controls || !parts_.transport.has_controls(pe);
}

void Cohorts::note(AlikeCore& state, std::size_t at, Cycle now) {
  state.visited = now;
  state.cohort = {at, cohorts_[at]->number};
}

void Cohorts::begin(PeId pe, const Core& core, Cycle now) {
  if (!std::exchange(may_lead_, false)) return;
  if (!VisitState::is_possible(core)) return worth_[place_].note_spoiled();
  if (std::exchange(cycle_, now) != now) used_ = 0;
  if (used_ == most_) return;
  if (used_ == cohorts_.size()) cohorts_.push_back(std::make_unique<Cohort>());
  Cohort& cohort = *cohorts_[used_++];
  cohort.number = 0;
  cohort.state.keep(core, after(core), now);
  is_open_ = true;
  const LineCycles* const lines = parts_.ledger.lines();
  parts_.tape.open(lines != nullptr || parts_.ledger.slices() != nullptr);
  if (lines != nullptr) parts_.tape.places.begin(*lines, pe);
}

void Cohorts::end(PeId pe, Core& core, Cycle now) {
  if (!std::exchange(is_open_, false)) return;
  if (core.state.d != nullptr) plans_.make_and_share_copies(*core.state.d);
  const bool is_whole = parts_.tape.close() && VisitState::is_possible(core) &&
                        !(cores_.keeps_succession(core) && cores_.succession(core).own != nullptr);
  if (!is_whole) {
    --used_;
    return worth_[place_].note_spoiled();
  }
  if (const LineCycles* const lines = parts_.ledger.lines()) parts_.tape.places.end(*lines, pe);
  worth_[place_].note_begun();
  const std::size_t at = used_ - 1;
  Cohort& cohort = *cohorts_[at];
  std::swap(cohort.tape, parts_.tape);
  cohort.number = ++number_;
  cohort.leader = pe;
  cohort.place = place_;
  cohort.then = {};
  cohort.changes_ids = cohort.state.has_other_ids(core);
  Set& set = sets_[set_];
  const std::size_t way = set.next++ % kWays;
  set.tags[way] = tag_;
  set.at[way] = static_cast<std::uint16_t>(at);
  set.cycles[way] = now;
  if (was_lane_.is_there()) note(*was_lane_.at, at, now);
}

bool Cohorts::follow(PeId pe, Cohort& cohort, Cycle now) {
  if (!cohort.then.is_there()) {
    AlikeCore* const then = cores_.share(cohort.leader);
    if (then == nullptr) return false;
    cohort.then = then->id();
  }
  change_memory(pe, cohort);
  tell(pe, cohort.tape, now);
  cores_.join(pe, *cohort.then.at);
  ++worth_[cohort.place].joined;
  ++joined_visits_;
  return true;
}

void Cohorts::change_memory(PeId pe, const Cohort& cohort) {
  const VisitTape& tape = cohort.tape;
  std::byte* const memory = parts_.loaded.data(pe);
  for (const VisitTape::Moved& moved : tape.moved) {
    InFlight timer = moved.timer;
    apply(timer, memory, timer.applied(), moved.count, {});
  }
  const Core& leader = cores_.own_part(cohort.leader);
  if (tape.has_stretch && leader.log.has_changes) {
    cores_.keep_memory(pe, {memory, leader.state.memory_bytes}, leader.log);
  }
  for (const VisitTape::Passed& passed : tape.passed) {
    const bool is_last = &passed == &tape.passed.back();
    if (is_last && isa::mutant(isa::Mutant::CohortPassed)) return;
    PassedWords words = passed.words;
    VectorPasser::apply_all(*passed.plan, *passed.instruction, memory, words);
  }
}

void Cohorts::tell(PeId pe, const VisitTape& tape, Cycle now) {
  if (tape.picked != kNoTask) {
    Core& own = cores_.own_part(pe);
    own.picked = now;
    parts_.ledger.history.ran(own.first_run + tape.picked);
    parts_.ledger.picks_task(pe, (*own.tasks)[tape.picked].name, now);
  }
  if (!isa::mutant(isa::Mutant::CohortWork)) parts_.ledger.count(pe, tape.work);
  const bool is_busy = tape.busy_until > 0 && !isa::mutant(isa::Mutant::CohortBusy);
  if (is_busy) parts_.ledger.activity.busy_until(pe, tape.busy_until);
  if (tape.is_otherwise_idle) parts_.ledger.activity.otherwise(pe, Activity::Idle);
  if (tape.steady) parts_.ledger.activity.steady(pe, tape.steady->period, tape.steady->until);
  if (!tape.notes.empty()) go(pe, tape);
  for (const StallSpan& span : tape.stalls) parts_.ledger.stalls_at(pe, span);
  if (tape.slot_until > 0) parts_.transport.hold_slot(pe, now, tape.slot_until);
  for (const Cycle when : tape.wakes) {
    if (!isa::mutant(isa::Mutant::CohortWakes)) parts_.agenda.add(pe, when);
  }
  for (const VisitTape::Begun& begun : tape.begun) {
    parts_.transport.begin({pe, begun.thread}, *begun.flow, begun.earliest);
  }
}

void Cohorts::go(PeId pe, const VisitTape& tape) {
  if (isa::mutant(isa::Mutant::CohortNotes)) return;
  if (parts_.ledger.follow(pe, tape.places, tape.noted_from)) return;
  for (const LineNote& note : tape.notes) parts_.ledger.enter(pe, note);
}

}  // namespace wse::vm
