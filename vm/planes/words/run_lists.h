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
#include "vm/planes/messages/messages.h"
#include "vm/planes/messages/runs.h"
#include "vm/planes/words/run_fetch.h"
#include "vm/planes/words/standing.h"

namespace wse::vm::wafer {

class RunLists {
 public:
  // `messages` must live longer.
  explicit RunLists(Messages& messages) : messages_(messages) {}

  const Runs& runs() const { return runs_; }
  // The first run of the queue, which must have one.
  const Run& first(const PlaneQueue& queue, std::uint32_t lane) const {
    return runs_[queue.lists()[lane].first];
  }
  // Returns where that ends.
  std::uint64_t end_of_first(const PlaneQueue& queue, std::uint32_t lane) const {
    return end_of(queue.lists()[lane].first);
  }

  // Returns wavelet number `number` of the queue, and drops the runs before it. Only who
  // takes wavelets from the queue may call it, with the number of the first that it has not
  // applied: a thread that receives applies its elements long after they have left the queue.
  [[gnu::always_inline]] Standing find(PlaneQueue& queue, std::uint32_t lane,
                                       std::uint64_t number) {
    RunList& list = queue.lists()[lane];
    const std::uint64_t kept = isa::mutant(isa::Mutant::RunKept) ? 1 : 0;
    while (end_of(list.first) + kept <= number) messages_.release(drop_first(list));
    return standing_in(list.first, number, lane);
  }
  // Returns the wavelet of that number, for who only looks: drops nothing.
  [[gnu::always_inline]] Standing look(const PlaneQueue& queue, std::uint32_t lane,
                                       std::uint64_t number) const {
    std::uint32_t index = queue.lists()[lane].first;
    while (end_of(index) <= number) index = runs_[index].next;
    return standing_in(index, number, lane);
  }
  // Begins a run with the next wavelet that comes into the queue, which is this one and passes so
  // many links to come there.
  void append(PlaneQueue& queue, std::uint32_t lane, const Standing& wavelet,
              std::uint32_t links = 0);
  // Removes the first run of the queue, whose last word has been seen.
  void drop(PlaneQueue& queue, std::uint32_t lane);
  // Moves the first run of a queue, a whole message (standing.h), behind the last one of another
  // queue, into which its word comes next over so many links: nobody needs to look at the message
  // on its way. Returns how many links that has passed then.
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

  // Asks the host for what will be looked at.
  [[gnu::always_inline]] RunFetch fetch() const { return {runs_, messages_}; }

 private:
  std::uint64_t end_of(std::uint32_t run) const { return runs_.end_of(runs_[run]); }
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
