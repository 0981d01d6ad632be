// Runs come into queues and leave them, one by one or in all lanes that are alike.
#include "vm/planes/words/run_lists.h"

namespace wse::vm::wafer {
namespace {

// Returns the lanes, of these, whose run list has the index as `end`: its first or its last run.
Lanes with_run(const PlaneQueue& queue, const Lanes& lanes, std::uint32_t RunList::* end,
               std::uint32_t index) {
  Lanes same;
  for (std::uint32_t k = 0; k < kWords; ++k) {
    std::uint64_t found = 0;
    for (std::uint64_t rest = lanes.word(k); rest != 0; rest &= rest - 1) {
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(rest));
      const bool is_same = queue.lists()[k * kWordBits + bit].*end == index;
      found |= std::uint64_t{is_same} << bit;
    }
    same.word(k) = found;
  }
  return same;
}

std::int16_t shift_of(std::uint32_t lane, std::uint32_t row) {
  return static_cast<std::int16_t>(static_cast<std::int32_t>(lane) -
                                   static_cast<std::int32_t>(row));
}

constexpr std::uint32_t kMostHops = ~0u >> 2;

Run run_of(const Standing& wavelet, std::uint64_t number, std::uint32_t links) {
  return {.number = number,
          .message = wavelet.message,
          .word = static_cast<std::uint32_t>(wavelet.word),
          .hops = (wavelet.hops + links) & kMostHops,
          .advances = wavelet.advances};
}

}  // namespace

void RunLists::append(PlaneQueue& queue, std::uint32_t lane, const Standing& wavelet,
                      std::uint32_t links) {
  messages_.hold(wavelet.message);
  Run run = run_of(wavelet, queue.pushed().value(lane), links);
  run.shift = shift_of(lane, wavelet.row);
  run.is_whole = !wavelet.is_control() && messages_[wavelet.message].length == 1;
  link(queue, lane, runs_.take(run));
}

// A last run that lanes may share is looked at, which takes long where the mesh is large.
void RunLists::link(PlaneQueue& queue, std::uint32_t lane, std::uint32_t run) {
  RunList& list = queue.lists()[lane];
  if (list.first == kNone) {
    list = {run, run};
    return;
  }
  const bool may_share = queue.lists().joined().has(lane);
  if (may_share && runs_[list.last].lists > 1 && !isa::mutant(isa::Mutant::RunParted)) {
    list = part(list, 1);
  }
  runs_.follow(list.last, run);
  list.last = run;
}

std::uint32_t RunLists::pass_on(PlaneQueue& from, std::uint32_t from_lane, PlaneQueue& to,
                                std::uint32_t to_lane, std::uint32_t links) {
  RunList& left = from.lists()[from_lane];
  const std::uint32_t index = left.first;
  Run& run = runs_[index];
  left.first = run.next;
  if (left.first == kNone) {
    left.last = kNone;
    from.lists().leave(from_lane);
  }
  run.number = to.pushed().value(to_lane);
  run.next = kNone;
  run.is_long = 0;
  run.hops = (run.hops + links) & kMostHops;
  const std::uint32_t hops = run.hops;
  run.shift = static_cast<std::int16_t>(run.shift + shift_of(to_lane, from_lane));
  link(to, to_lane, index);  // which may make the table of runs grow
  return hops;
}

void RunLists::drop(PlaneQueue& queue, std::uint32_t lane) {
  RunList& list = queue.lists()[lane];
  const std::uint32_t message = drop_first(list);
  if (list.first == kNone) queue.lists().leave(lane);
  if (!isa::mutant(isa::Mutant::TrainKept)) messages_.release(message);
}

// ---- lanes that are alike

Lanes RunLists::alike(const PlaneQueue& queue, std::uint32_t lane, const Lanes& among) const {
  const Lanes same = isa::mutant(isa::Mutant::HeadsAlike) ? among : queue.same_head(lane, among);
  return with_run(queue, same, &RunList::first, queue.lists()[lane].first);
}

StandingSet RunLists::find(PlaneQueue& queue, const Lanes& lanes) {
  const std::uint32_t lane = first_of(lanes);
  const std::uint64_t number = queue.popped(lane);
  while (end_of_first(queue, lane) <= number) drop(queue, lanes);
  const std::uint32_t first = queue.lists()[lane].first;
  return {lanes, standing_in(first, number, lane), runs_[first].shift};
}

void RunLists::append(PlaneQueue& queue, const StandingSet& wavelets, std::uint32_t links) {
  queue.lists().join(wavelets.lanes);
  Lanes rest = wavelets.lanes;
  while (rest.any()) {
    const std::uint32_t lane = first_of(rest);
    const Lanes same = queue.pushed().same_as(lane, rest);
    rest.remove(same);
    messages_.hold(wavelets.wavelet.message);
    Run run = run_of(wavelets.wavelet, queue.pushed().value(lane), links);
    run.shift = static_cast<std::int16_t>(wavelets.shift);
    run.lists = same.count() & Run::kMostLists;
    link(queue, same, runs_.take(run));
  }
}

void RunLists::link(PlaneQueue& queue, const Lanes& lanes, std::uint32_t run) {
  Lanes rest = lanes;
  while (rest.any()) {
    const RunList list = queue.lists()[first_of(rest)];
    Lanes same = with_run(queue, rest, &RunList::last, list.last);
    if (list.last == kNone) {
      for_each_lane(same, [&](std::uint32_t lane) { queue.lists()[lane] = {run, run}; });
    } else if (runs_[list.last].lists == same.count()) {
      runs_.follow(list.last, run);
      for_each_lane(same, [&](std::uint32_t lane) { queue.lists()[lane].last = run; });
    } else {
      same = with_run(queue, same, &RunList::first, list.first);
      const RunList own = part(list, same.count());
      runs_.follow(own.last, run);
      for_each_lane(same, [&](std::uint32_t lane) { queue.lists()[lane] = {own.first, run}; });
    }
    rest.remove(same);
  }
}

RunList RunLists::part(RunList list, std::uint32_t lanes) {
  std::uint32_t before = kNone;
  for (std::uint32_t index = list.first; index != kNone;) {
    const std::uint32_t next = runs_[index].next;
    if (runs_[index].lists != lanes) {
      Run own = runs_[index];
      own.lists = lanes & Run::kMostLists;
      messages_.hold(own.message);
      runs_.leave(index, lanes);
      index = runs_.take(own);
      before == kNone ? void(list.first = index) : void(runs_[before].next = index);
    }
    before = index;
    index = next;
  }
  list.last = before;
  return list;
}

void RunLists::drop(PlaneQueue& queue, const Lanes& lanes) {
  Lanes rest = lanes;
  while (rest.any()) {
    const std::uint32_t first = queue.lists()[first_of(rest)].first;
    const Lanes same = with_run(queue, rest, &RunList::first, first);
    const std::uint32_t next = runs_[first].next;
    for_each_lane(same, [&](std::uint32_t lane) {
      RunList& list = queue.lists()[lane];
      list.first = next;
      if (next == kNone) list.last = kNone;
    });
    if (next == kNone) queue.lists().leave(same);
    messages_.release(runs_.leave(first, same.count()));
    rest.remove(same);
  }
}

}  // namespace wse::vm::wafer
