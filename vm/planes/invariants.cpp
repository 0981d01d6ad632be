// One function for each invariant, or for a part of one.
#include "vm/planes/invariants.h"

#include <algorithm>

#include "isa/machine/control_word.h"
#include "isa/support/checked.h"
#include "vm/planes/bits/deciding.h"

namespace wse::vm::wafer {
namespace {

using isa::check_that;

bool is_equal(const Lanes& a, const Lanes& b) { return !(a ^ b).any(); }

// Returns the lanes whose heads would move in the next cycle, as decide() of steps.cpp would
// find them, and adds the ports that they take to `used`.
Lanes moves(const RouterPlanes& router, const BlockPlanes& block, const Shifts& shifts,
            UsedPorts& used) {
  Fronts fronts;
  find_fronts(router, fronts);
  Lanes to_pe = without(router.tx[kUpRamp], fronts.hidden);
  if (router.filters != nullptr) to_pe.remove(without(router.filters->dropping, fronts.commands));
  Lanes moved = without(fronts.candidates, find_blocked(router, block, used, shifts, to_pe));
  moved.remove(find_leaving(router, block, moved));
  used[kUpRamp] |= moved & to_pe;
  for (std::uint32_t link = 0; link < kLinks; ++link) used[link] |= moved & router.tx[link];
  return moved;
}

}  // namespace

void Invariants::check(Cycle now) {
  const RouterTable& table = parts_.table;
  if (now % (1 + table.channels().map().size() / kChannelsAtOnce) != 0) return;
  holders_.assign(parts_.messages.size(), 0);
  lists_.assign(parts_.run_lists.runs().size(), 0);
  for (std::uint32_t block = 0; block < table.grid().blocks(); ++block) {
    if (!parts_.border.owns(block)) continue;
    for (std::uint32_t k = table.first(block); k < table.first(block + 1); ++k) {
      check_queues(table[k]);
    }
    const bool is_apart = parts_.border.is_alone() || !parts_.border.touches(block);
    if (parts_.rests.has(block) && is_apart) check_steady(block, now);
  }
  check_threads(now);
  check_messages();
  check_lists();
}

// ---- run lists and marks

void Invariants::check_queues(const RouterPlanes& router) {
  const ChannelTable& channels = parts_.table.channels();
  parts_.table.grid().for_each_pe(router.block, [&](PeId pe, std::uint32_t lane) {
    if ((channels.map().colours(pe) >> router.colour & 1) == 0) return;
    const Channel& channel = channels[channels.find(pe, router.colour)];
    for (std::uint32_t k = 0; k < kQueues; ++k) {
      if ((channel.queues >> k & 1) != 0) check_run_list(router.queue[k]->lists()[lane]);
    }
  });
  for (std::uint32_t k = 0; k < kQueues; ++k) {
    const PlaneQueue* const queue = router.queue[k];
    if (queue == nullptr) continue;
    for_each_lane(queue->totals()[0],
                  [&](std::uint32_t lane) { check_covered(*queue, lane, k == kDownRamp); });
  }
  if (router.queue[kUpRamp] != nullptr) check_last_words(*router.queue[kUpRamp]);
}

// Counts who holds the messages of the list, too.
void Invariants::check_run_list(const RunList& list) {
  const Runs& runs = parts_.run_lists.runs();
  check_that((list.first == kNone) == (list.last == kNone), "vm/planes 1: a run list has ends");
  for (std::uint32_t index = list.first; index != kNone; index = runs[index].next) {
    const Run& run = runs[index];
    const std::uint64_t end = run.next == kNone ? Runs::kNoEnd : runs[run.next].number;
    check_that(runs.end_of(run) == end && run.number <= end,
               "vm/planes 1: a run of a run list ends where the next one begins");
    check_that(run.next != kNone || list.last == index,
               "vm/planes 1: the last run of a run list is known");
    if (run.message != kNone && lists_[index] == 0) ++holders_[run.message];
    ++lists_[index];
    check_that(lists_[index] <= run.lists, "vm/planes 1: a run knows in how many lists it is");
  }
}

void Invariants::check_covered(const PlaneQueue& queue, std::uint32_t lane, bool is_down) const {
  const Runs& runs = parts_.run_lists.runs();
  const std::uint64_t head = queue.popped(lane);
  std::uint32_t index = queue.lists()[lane].first;
  for (std::uint32_t k = 0; k < queue.size(lane); ++k) {
    const std::uint64_t number = head + k;
    while (index != kNone && runs.end_of(runs[index]) <= number) index = runs[index].next;
    check_that(index != kNone && runs[index].number <= number,
               "vm/planes 1: a run covers each wavelet of a queue");
    const Run& run = runs[index];
    const std::uint64_t word = number - run.number;
    check_that(run.is_control() ? word == 0 : run.word + word < parts_.messages[run.message].length,
               "vm/planes 1: a run is no longer than what was sent");
    is_down ? check_down_flags(queue, lane, k, run) : check_link_flags(queue, lane, k, run);
  }
}

void Invariants::check_down_flags(const PlaneQueue& queue, std::uint32_t lane, std::uint32_t k,
                                  const Run& run) {
  const bool is_control = run.is_control();
  check_that(queue.flags().has(RampFlag::Control, k, lane) == is_control,
             "vm/planes 2: a down-ramp knows its control wavelets");
  const bool unwanted = is_control && isa::entry_of(run.word) == isa::kNoEntry;
  check_that(queue.flags().has(RampFlag::Unwanted, k, lane) == unwanted,
             "vm/planes 2: a down-ramp knows the control wavelets that nobody asks for");
}

void Invariants::check_link_flags(const PlaneQueue& queue, std::uint32_t lane, std::uint32_t k,
                                  const Run& run) const {
  const std::uint64_t number = queue.popped(lane) + k;
  const bool begins = run.is_control() || number == run.number;
  const bool marked = queue.flags().has(LinkFlag::Marked, k, lane);
  check_that(marked || !begins,
             "vm/planes 2: the first word of a run and each control wavelet are marked");
  const bool may_be = begins || parts_.run_lists.is_last(standing(run, number, lane));
  check_that(may_be || !marked || queue.forced().has(lane),
             "vm/planes 2: no word in the middle of a message is marked without a reason");
  const bool hidden = run.is_control() && isa::command_of(run.word, 0).ignore;
  check_that(queue.flags().has(LinkFlag::Hidden, k, lane) == hidden,
             "vm/planes 2: the control wavelets that a PE ignores are hidden from it");
  check_that(run.is_control() || !queue.flags().has(LinkFlag::Command, k, lane),
             "vm/planes 2: no word is taken for a control wavelet");
}

// Words are marked as last ones where they are sent; the marks travel with them.
void Invariants::check_last_words(const PlaneQueue& up) const {
  const Runs& runs = parts_.run_lists.runs();
  for_each_lane(up.totals()[0], [&](std::uint32_t lane) {
    const std::uint64_t head = up.popped(lane);
    const std::uint64_t end = up.pushed().value(lane);
    for (std::uint32_t k = up.lists()[lane].first; k != kNone; k = runs[k].next) {
      const Run& run = runs[k];
      if (run.is_control()) continue;
      const Message& message = parts_.messages[run.message];
      if (message.is_cut || message.length == kNoBound) continue;
      const std::uint64_t last = run.number + message.length - run.word - 1;
      if (last < head || last >= std::min(end, runs.end_of(run))) continue;
      check_that(up.flags().has(LinkFlag::Marked, static_cast<std::uint32_t>(last - head), lane),
                 "vm/planes 2: the last word of a message is marked");
    }
  });
}

// ---- messages

void Invariants::check_messages() {
  parts_.loans.for_each_hold([this](std::uint32_t message) { ++holders_[message]; });
  for (std::uint32_t message = 0; message < holders_.size(); ++message) {
    check_that(parts_.messages.holders(message) == holders_[message],
               "vm/planes 3: a message is held by its runs, its sender and its loans alone");
    if (holders_[message] == 0) continue;
    check_that(parts_.messages[message].made <= parts_.messages[message].length,
               "vm/planes 3: no more words are made than were sent");
  }
}

// Lists of other strips are not counted: each has runs of its own.
void Invariants::check_lists() const {
  const Runs& runs = parts_.run_lists.runs();
  for (std::uint32_t index = 0; index < lists_.size(); ++index) {
    check_that(lists_[index] == 0 || lists_[index] == runs[index].lists,
               "vm/planes 1: a run is in as many lists as it says");
  }
}

// ---- steady blocks

void Invariants::check_steady(std::uint32_t block, Cycle now) const {
  const RestingBlocks::Rest& rest = parts_.rests.rests_[block];
  check_that(rest.from <= now + 1 && rest.due > now,
             "vm/planes 4: a steady block wakes when it is due");
  const std::uint64_t left = parts_.rests.steps_left(block);
  check_that(left >= DownCounter::kEndless || rest.due < rest.from + left,
             "vm/planes 4: a steady block wakes before the first of its counters is at its end");
  check_that(parts_.issue[block].repeats, "vm/planes 4: the threads of a steady block go on alike");
  UsedPorts used;
  const RouterTable& table = parts_.table;
  for (std::uint32_t k = table.first(block); k < table.first(block + 1); ++k) {
    const RouterPlanes& router = table[k];
    check_steady_queues(router);
    const Lanes moved = moves(router, table.block(block), table.shifts(), used);
    for (std::uint32_t port = 0; port < isa::kMeshPorts; ++port) {
      check_that(
          router.queue[port] == nullptr || is_equal(router.popped[port], moved & router.rx[port]),
          "vm/planes 4: a steady block would decide as before");
    }
  }
}

void Invariants::check_steady_queues(const RouterPlanes& router) const {
  constexpr const char* kStays = "vm/planes 4: the queues of a steady block stay as they are";
  check_that(!router.took.any(), "vm/planes 4: no task takes a wavelet of a steady block");
  for (std::uint32_t link = 0; link < kLinks; ++link) {
    const PlaneQueue* const queue = router.queue[link];
    if (queue == nullptr) continue;
    Lanes sent;
    if (router.sent_here[link] != nullptr) {
      sent = read_wire(router.sent_here[link], parts_.table.shifts()[link]);
    }
    check_that(!queue->differs_after(router.popped[link], sent).any(), kStays);
  }
  const PlaneQueue* const up = router.queue[kUpRamp];
  check_that(up == nullptr || !up->differs_after(router.popped[kUpRamp], router.injected).any(),
             kStays);
  const PlaneQueue* const down = router.queue[kDownRamp];
  check_that(down == nullptr || !down->differs_after(router.received, router.delivered).any(),
             kStays);
}

// ---- threads

void Invariants::check_threads(Cycle now) {
  const RestingBlocks& rests = parts_.rests;
  const Grid& grid = parts_.table.grid();
  for (std::uint32_t index = 0; index < parts_.threads.size(); ++index) {
    const Thread& thread = parts_.threads[index];
    if (thread.state != Thread::State::Moving) continue;
    if (thread.message != kNone) ++holders_[thread.message];
    if (thread.flow->runs_ahead()) continue;
    const std::uint32_t block = grid.block_of(thread.pe);
    const ThreadPlanes& planes = *parts_.issue.of(thread.pe).threads[thread.number];
    const bool goes_on = rests.has(block) && planes.issued.has(grid.lane_of(thread.pe));
    const Cycle uncounted = goes_on ? now + 1 - rests.rests_[block].from : 0;
    check_that(thread.applied <= parts_.issue.issued(thread, uncounted),
               "vm/planes 6: no element is applied before it has issued");
  }
}

}  // namespace wse::vm::wafer
