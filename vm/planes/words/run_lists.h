// The run lists of the queues of a strip: which message, and which of its words, each wavelet is.
//
// Planes count the wavelets of a queue; a run list says what they are (runs.h). What lanes do alike
// is done once for all of them, and leaves them with runs that they share. Must never compute a
// word.
#pragma once

#include <cstdint>

#include "isa/support/checked.h"
#include "isa/support/mutant.h"
#include "vm/planes/bits/plane_queue.h"
#include "vm/planes/bits/threads.h"
#include "vm/planes/messages/messages.h"
#include "vm/planes/messages/runs.h"
#include "vm/support/prefetch.h"

namespace wse::vm::wafer {

// A wavelet in a queue.
struct Standing {
  std::uint32_t message = kNone;  // kNone: a control wavelet
  std::uint64_t word = 0;         // of the message, or the commands
  std::uint64_t number = 0;       // where its run begins in the queue
  std::uint32_t hops = 0;
  std::uint32_t row = 0;  // of the message: the lane of its sender
  bool advances = false;

  bool is_control() const { return message == kNone; }
};

// Returns wavelet number `number` of the lane of a queue, which is one of the run. Filled where it
// is wanted: in a copy its members are moved by two, and the host would wait for each half.
[[gnu::always_inline]] inline Standing standing(const Run& run, std::uint64_t number,
                                                std::uint32_t lane) {
  return {.message = run.message,
          .word = run.is_control() ? run.word : run.word + (number - run.number),
          .number = run.number,
          .hops = run.hops,
          .row = lane - static_cast<std::uint32_t>(run.shift),
          .advances = run.advances != 0};
}

// Wavelets of lanes of a queue that are alike: words of one message, each of its own row.
struct StandingSet {
  Lanes lanes;
  Standing wavelet;        // each, but for its row
  std::int32_t shift = 0;  // from the row of each to its lane

  Standing of(std::uint32_t lane) const {
    Standing one = wavelet;
    one.row = lane - static_cast<std::uint32_t>(shift);
    return one;
  }
};

class RunLists {
 public:
  // `messages` must live longer.
  explicit RunLists(Messages& messages) : messages_(messages) {}

  const Runs& runs() const { return runs_; }
  // The first run of the queue, which must have one.
  const Run& first(const PlaneQueue& queue, std::uint32_t lane) const {
    return runs_[queue.lists()[lane].first];
  }

  // Returns wavelet number `number` of the queue, and drops the runs before it. Only who
  // takes wavelets from the queue may call it, with the number of the first that it has not
  // applied: a thread that receives applies its elements long after they have left the queue.
  [[gnu::always_inline]] Standing find(PlaneQueue& queue, std::uint32_t lane,
                                       std::uint64_t number) {
    RunList& list = queue.lists()[lane];
    const std::uint64_t kept = isa::mutant(isa::Mutant::RunKept) ? 1 : 0;
    while (runs_[list.first].end + kept <= number) messages_.release(drop_first(list));
    return standing_in(list.first, number, lane);
  }
  // Returns the wavelet of that number, for who only looks: drops nothing.
  [[gnu::always_inline]] Standing look(const PlaneQueue& queue, std::uint32_t lane,
                                       std::uint64_t number) const {
    std::uint32_t index = queue.lists()[lane].first;
    while (runs_[index].end <= number) index = runs_[index].next;
    return standing_in(index, number, lane);
  }
  // Begins a run with the next wavelet that comes into the queue, which is this one and passes so
  // many links to come there.
  void append(PlaneQueue& queue, std::uint32_t lane, const Standing& wavelet,
              std::uint32_t links = 0);
  // Removes the first run of the queue, whose last word has been seen.
  void drop(PlaneQueue& queue, std::uint32_t lane);
  // Returns whether the first run of the queue, in no other list, is a whole message of one word:
  // pass_on() may take it along, and nobody needs to look at the message on its way.
  bool is_whole(const PlaneQueue& queue, std::uint32_t lane) const {
    const Run& run = first(queue, lane);
    return run.is_whole != 0 && run.lists == 1;
  }
  // Moves the first run of a queue, a whole message, behind the last one of another queue, into
  // which its word comes next over so many links. Returns how many links that has passed then.
  std::uint32_t pass_on(PlaneQueue& from, std::uint32_t from_lane, PlaneQueue& to,
                        std::uint32_t to_lane, std::uint32_t links);

  // ---- lanes that are alike
  // Returns the lanes among these whose heads are as that of the lane, which is one of them: the
  // same number, of the same run.
  Lanes alike(const PlaneQueue& queue, std::uint32_t lane, const Lanes& among) const;
  // Returns the heads of lanes that are alike, and drops the runs before them.
  StandingSet find(PlaneQueue& queue, const Lanes& lanes);
  // Begins a run with the next wavelet that comes into the queue in each of the lanes, and passes
  // so many links to come there.
  void append(PlaneQueue& queue, const StandingSet& wavelets, std::uint32_t links = 0);
  // Removes the first run of each of the lanes.
  void drop(PlaneQueue& queue, const Lanes& lanes);

  bool is_last(const Standing& wavelet) const {
    return wavelet.is_control() || wavelet.word + 1 == messages_[wavelet.message].length;
  }
  // Returns whether the switch of the sender advances after the wavelet.
  bool advances(const Standing& wavelet) const {
    return wavelet.is_control() ? wavelet.advances
                                : is_last(wavelet) && messages_[wavelet.message].advances;
  }
  // Holds the message of the wavelet, so that it stays when its runs are dropped; lets it go.
  void hold(const Standing& wavelet) { messages_.hold(wavelet.message); }
  void release(const Standing& wavelet) { messages_.release(wavelet.message); }

  // ---- asks the host for memory, each when what leads to it is there
  // The first run of the queue, if there is one.
  [[gnu::always_inline]] void prefetch_run(const PlaneQueue& queue, std::uint32_t lane) const {
    const std::uint32_t first = queue.lists()[lane].first;
    if (first != kNone) prefetch(&runs_[first]);
  }
  // The message of the first run, and the second run.
  [[gnu::always_inline]] void prefetch_message(const PlaneQueue& queue, std::uint32_t lane) const {
    const std::uint32_t first = queue.lists()[lane].first;
    if (first == kNone) return;
    const Run& run = runs_[first];
    if (!run.is_control()) prefetch(&messages_[run.message]);
    if (run.next != kNone) prefetch(&runs_[run.next]);
  }
  // The message of the second run, and the third run.
  [[gnu::always_inline]] void prefetch_next_message(const PlaneQueue& queue,
                                                    std::uint32_t lane) const {
    const std::uint32_t first = queue.lists()[lane].first;
    if (first == kNone || runs_[first].next == kNone) return;
    const Run& next = runs_[runs_[first].next];
    if (!next.is_control()) prefetch(&messages_[next.message]);
    if (next.next != kNone) prefetch(&runs_[next.next]);
  }
  [[gnu::always_inline]] void prefetch_message(const Standing& wavelet) const {
    if (!wavelet.is_control()) prefetch(&messages_[wavelet.message]);
  }
  // The message that the thread sends, then its first word.
  [[gnu::always_inline]] void prefetch_message(const Thread& thread) const {
    if (thread.message != kNone) prefetch(&messages_[thread.message]);
  }
  [[gnu::always_inline]] void prefetch_first_word(const Thread& thread) const {
    if (thread.message != kNone) prefetch(messages_[thread.message].words.begin.get());
  }

 private:
  // Returns the wavelet of that number, which is one of the run.
  [[gnu::always_inline]] Standing standing_in(std::uint32_t run, std::uint64_t number,
                                              std::uint32_t lane) const {
    isa::check_that(runs_[run].number <= number, "a run list covers what is in its queue");
    return standing(runs_[run], number, lane);
  }
  // Takes the first run out of a list. Returns what is to be released.
  std::uint32_t drop_first(RunList& list) {
    const std::uint32_t index = list.first;
    isa::check_that(index != kNone, "a run is removed only from a run list that has one");
    list.first = runs_[index].next;
    if (list.first == kNone) list.last = kNone;
    return runs_.leave(index, 1);
  }
  // Lets a run that is in no list follow the last one of the lane.
  void link(PlaneQueue& queue, std::uint32_t lane, std::uint32_t run);
  // Lets a new run follow the last one in the lists of the lanes.
  void link(PlaneQueue& queue, const Lanes& lanes, std::uint32_t run);
  // Returns a list that so many lanes, all of them with this list, share with no other.
  RunList part(RunList list, std::uint32_t lanes);

  Runs runs_;
  Messages& messages_;
};

}  // namespace wse::vm::wafer
