// The run lists of the queues of a strip: which message, and which of its words, each wavelet is.
//
// Planes count the wavelets of a queue; a run list says what they are (trails.h). Must never
// compute a word.
#pragma once

#include <cstdint>

#include "isa/support/checked.h"
#include "isa/support/mutant.h"
#include "vm/planes/bits/plane_queue.h"
#include "vm/planes/bits/threads.h"
#include "vm/planes/messages/trails.h"
#include "vm/planes/messages/trains.h"
#include "vm/support/prefetch.h"

namespace wse::vm::wafer {

// A wavelet in a queue.
struct Standing {
  std::uint32_t train = kNone;  // kNone: a control wavelet
  std::uint64_t word = 0;       // of the train, or the commands
  std::uint64_t number = 0;     // where its run begins in the queue
  std::uint32_t hops = 0;
  bool advances = false;

  bool is_control() const { return train == kNone; }
};

// Returns wavelet number `number` of a queue, which the record is about. Filled where it is wanted:
// in a copy its members are moved by two, and the host would wait for each half.
[[gnu::always_inline]] inline Standing standing(const Record& record, std::uint64_t number) {
  return {.train = record.train,
          .word = record.is_control() ? record.word : record.word + (number - record.number),
          .number = record.number,
          .hops = record.hops,
          .advances = record.advances != 0};
}

class RunLists {
 public:
  // `trains` must live longer.
  explicit RunLists(Trains& trains) : trains_(trains) {}

  const Records& records() const { return records_; }
  // The record of the first run of the queue, which must have one.
  const Record& first(const PlaneQueue& queue, std::uint32_t lane) const {
    return records_[queue.trail(lane).first];
  }

  // Returns wavelet number `number` of the queue, and drops the records of runs before it. Only who
  // takes wavelets from the queue may call it, with the number of the first that it has not
  // applied: a thread that receives applies its elements long after they have left the queue.
  [[gnu::always_inline]] Standing find(PlaneQueue& queue, std::uint32_t lane,
                                       std::uint64_t number) {
    Trail& trail = queue.trail(lane);
    const std::uint64_t kept = isa::mutant(isa::Mutant::RunKept) ? 1 : 0;
    while (records_[trail.first].end + kept <= number) {
      trains_.release(records_.drop_first(trail).train);
    }
    return standing_in(trail.first, number);
  }
  // Returns the wavelet of that number, for who only looks: drops nothing.
  [[gnu::always_inline]] Standing look(const PlaneQueue& queue, std::uint32_t lane,
                                       std::uint64_t number) const {
    std::uint32_t index = queue.trail(lane).first;
    while (records_[index].end <= number) index = records_[index].next;
    return standing_in(index, number);
  }
  // Begins a run with the next wavelet that comes into the queue, which is this one.
  void append(PlaneQueue& queue, std::uint32_t lane, const Standing& wavelet);
  // Removes the first run of the queue, whose last word has been seen.
  void drop(PlaneQueue& queue, std::uint32_t lane);

  bool is_last(const Standing& wavelet) const {
    return wavelet.is_control() || wavelet.word + 1 == trains_[wavelet.train].length;
  }
  // Returns whether the switch of the sender advances after the wavelet.
  bool advances(const Standing& wavelet) const {
    return wavelet.is_control() ? wavelet.advances
                                : is_last(wavelet) && trains_[wavelet.train].advances;
  }
  // Holds the message of the wavelet, so that it stays when its runs are dropped; lets it go.
  void hold(const Standing& wavelet) { trains_.hold(wavelet.train); }
  void release(const Standing& wavelet) { trains_.release(wavelet.train); }

  // ---- asks the host for memory, each when what leads to it is there
  // The first record of the queue, if there is one.
  [[gnu::always_inline]] void prefetch_record(const PlaneQueue& queue, std::uint32_t lane) const {
    const std::uint32_t first = queue.trail(lane).first;
    if (first != kNone) prefetch(&records_[first]);
  }
  // The train of the first record, and the second record.
  [[gnu::always_inline]] void prefetch_train(const PlaneQueue& queue, std::uint32_t lane) const {
    const std::uint32_t first = queue.trail(lane).first;
    if (first == kNone) return;
    const Record& record = records_[first];
    if (!record.is_control()) prefetch(&trains_[record.train]);
    if (record.next != kNone) prefetch(&records_[record.next]);
  }
  // The train of the second record, and the third record.
  [[gnu::always_inline]] void prefetch_next_train(const PlaneQueue& queue,
                                                  std::uint32_t lane) const {
    const std::uint32_t first = queue.trail(lane).first;
    if (first == kNone || records_[first].next == kNone) return;
    const Record& next = records_[records_[first].next];
    if (!next.is_control()) prefetch(&trains_[next.train]);
    if (next.next != kNone) prefetch(&records_[next.next]);
  }
  [[gnu::always_inline]] void prefetch_train(const Standing& wavelet) const {
    if (!wavelet.is_control()) prefetch(&trains_[wavelet.train]);
  }
  // The train that the thread sends, then its first word.
  [[gnu::always_inline]] void prefetch_train(const Thread& thread) const {
    if (thread.train != kNone) prefetch(&trains_[thread.train]);
  }
  [[gnu::always_inline]] void prefetch_first_word(const Thread& thread) const {
    if (thread.train != kNone) prefetch(trains_[thread.train].words.begin.get());
  }

 private:
  // Returns the wavelet of that number, which the record is about.
  [[gnu::always_inline]] Standing standing_in(std::uint32_t record, std::uint64_t number) const {
    isa::check_that(records_[record].number <= number, "a trail covers what is in its queue");
    return standing(records_[record], number);
  }

  Records records_;
  Trains& trains_;
};

}  // namespace wse::vm::wafer
