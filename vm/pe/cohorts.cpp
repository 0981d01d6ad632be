// Compares each core that continues with those that did in its cycle.
#include "vm/pe/cohorts.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "isa/support/mutant.h"

namespace wse::vm {
namespace {

// A place has its cohorts judged kSample at a time: kWorth cores join each, or nobody looks there
// for kRest visits.
constexpr std::uint32_t kSample = 32;
constexpr std::uint32_t kWorth = 8;
constexpr std::uint32_t kRest = 2048;

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

void pass_vectors(const VisitTape& tape, std::byte* memory) {
  for (const VisitTape::Passed& passed : tape.passed) {
    const bool is_last = &passed == &tape.passed.back();
    if (is_last && isa::mutant(isa::Mutant::CohortPassed)) return;
    PassedWords words = passed.words;
    VectorPasser::apply_all(*passed.plan, *passed.instruction, memory, words);
  }
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

// No-ops differ from PE to PE.
Cohorts::Cohorts(const CoreParts& parts, const Peers& peers)
    : parts_(parts), peers_(peers), is_on_(parts.cohorts && parts.profile.noop_share == 0) {}

bool Cohorts::looks(PeId pe, const Core& core) {
  if (!is_on_) return false;
  const std::uint64_t place = mixed(parts_.loaded.instance_of(pe), core.state.pc);
  place_ = place % kPlaces;
  Worth& worth = worth_[place_];
  if (worth.rest > 0) {
    --worth.rest;
    return false;
  }
  const std::uint64_t registers =
      isa::mutant(isa::Mutant::CohortRegisters) ? 0 : sum_of(core.state.r);
  const std::uint64_t hash = mixed(place, registers + core.in_flight.threads());
  set_ = hash % kSets;
  tag_ = static_cast<std::uint32_t>(hash >> 32);
  return true;
}

bool Cohorts::join(PeId pe, Core& core, Cycle now) {
  if (!looks(pe, core)) return false;
  const Set& set = sets_[set_];
  for (std::size_t k = 0; k < kWays; ++k) {
    if (set.tags[k] != tag_ || set.cycles[k] != now || !joins(pe, core, way(k), now)) continue;
    ++worth_[place_].joined;
    ++joined_visits_;
    become(pe, core, way(k), now);
    return true;
  }
  begin(core, now);
  return false;
}

void Cohorts::begin(const Core& core, Cycle now) {
  if (!VisitState::is_possible(core)) return worth_[place_].note_spoiled();
  Set& set = sets_[set_];
  way_ = set.next++ % kWays;
  set.cycles[way_] = kNever;
  if (cohorts_.empty()) cohorts_ = std::vector<Cohort>(kSets * kWays);
  Cohort& cohort = way(way_);
  cohort.leader = &core;
  cohort.state.keep(core, peers_.successions.after(core), now);
  is_open_ = true;
  parts_.tape.open();
}

void Cohorts::end(const Core& core, Cycle now) {
  if (!std::exchange(is_open_, false)) return;
  if (!parts_.tape.close() || !VisitState::is_possible(core)) {
    return worth_[place_].note_spoiled();
  }
  worth_[place_].note_begun();
  Cohort& cohort = way(way_);
  std::swap(cohort.tape, parts_.tape);
  cohort.changes_ids = cohort.state.has_other_ids(core);
  cohort.changes_descriptors = cohort.state.has_other_descriptors(core);
  sets_[set_].tags[way_] = tag_;
  sets_[set_].cycles[way_] = now;
}

bool Cohorts::joins(PeId pe, const Core& core, const Cohort& cohort, Cycle now) const {
  if (!VisitState::is_possible(core)) return false;
  if (!cohort.state.is_of(core, peers_.successions.after(core), now)) return false;
  if (cohort.tape.asks_for_slot && parts_.transport.slot_held(pe, now)) return false;
  return !cohort.tape.looks_for_controls || !parts_.transport.has_controls(pe);
}

void Cohorts::become(PeId pe, Core& core, const Cohort& cohort, Cycle now) {
  const VisitTape& tape = cohort.tape;
  become_state(core, cohort);
  pass_vectors(tape, core.state.memory);
  if (tape.picked != kNoTask) {
    core.task = tape.picked;
    core.picked = now;
    parts_.ledger.history.ran(core.first_run + tape.picked);
    parts_.ledger.picks_task(pe, (*core.tasks)[tape.picked].name, now);
  }
  if (!isa::mutant(isa::Mutant::CohortWork)) parts_.ledger.count(pe, tape.work);
  const bool is_busy = tape.busy_until > 0 && !isa::mutant(isa::Mutant::CohortBusy);
  if (is_busy) parts_.ledger.activity.busy_until(pe, tape.busy_until);
  if (tape.slot_until > 0) parts_.transport.hold_slot(pe, tape.slot_until);
  for (const Cycle when : tape.wakes) {
    if (!isa::mutant(isa::Mutant::CohortWakes)) parts_.agenda.add(pe, when);
  }
  for (const VisitTape::Begun& begun : tape.begun) peers_.starts.begin_alike(pe, core, begun);
}

void Cohorts::become_state(Core& core, const Cohort& cohort) const {
  const Core& leader = *cohort.leader;
  const bool has_log = cohort.tape.has_stretch && !isa::mutant(isa::Mutant::CohortLog);
  if (has_log) core.log.take(leader.log, core.state);
  std::memcpy(core.state.r, leader.state.r, sizeof core.state.r);
  core.state.pc = leader.state.pc;
  core.state.left = leader.state.left;
  const bool changes = cohort.changes_descriptors && !isa::mutant(isa::Mutant::CohortDescriptors);
  for (std::size_t k = 0; changes && k < isa::kDescriptorRegisters; ++k) {
    core.state.d->share(k, (*leader.state.d)[k]);
  }
  core.main = leader.main;
  core.awaited = leader.awaited;
  core.resume = leader.resume;
  core.burst = leader.burst;
  core.burst_cycle = leader.burst_cycle;
  if (cohort.changes_ids && !isa::mutant(isa::Mutant::CohortIds)) core.ids = leader.ids;
  if (!cohort.tape.has_stretch || !peers_.successions.keeps(core)) return;
  Successions::Kept& kept = peers_.successions.of(core);
  const Successions::Kept& other = peers_.successions.of(leader);
  if (!isa::mutant(isa::Mutant::CohortAfter)) kept.after = other.after;
  kept.at_stretch = other.at_stretch;
}

}  // namespace wse::vm
