// The words of the fabric: which train and which of its words a wavelet is, and the ranges of
// elements that make and take them.
//
// Planes decide when an element issues; its value follows later, in ranges, when the instruction
// ends or somebody asks for a word that has been sent. Nobody may ask for one that has not.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "isa/support/mutant.h"
#include "vm/contract/boundary.h"
#include "vm/planes/bits/plane_queue.h"
#include "vm/planes/bits/threads.h"
#include "vm/planes/borders/border.h"
#include "vm/planes/messages/trails.h"
#include "vm/planes/messages/trains.h"
#include "vm/planes/words/fifos.h"
#include "vm/support/prefetch.h"

namespace wse::vm::wafer {

class RouterTable;

// A wavelet in a queue.
struct Standing {
  std::uint32_t train = kNone;  // kNone: a control wavelet
  std::uint64_t word = 0;       // of the train, or the commands
  std::uint64_t number = 0;     // where its run begins in the queue
  std::uint32_t hops = 0;
  bool advances = false;

  bool is_control() const { return train == kNone; }
};

// Filled where it is wanted: in a copy its members are moved by two, and the host would wait for
// each half.
[[gnu::always_inline]] inline Standing standing(const Record& record, std::uint64_t number) {
  return {.train = record.train,
          .word = record.is_control() ? record.word : record.word + (number - record.number),
          .number = record.number,
          .hops = record.hops,
          .advances = record.advances != 0};
}

class Words final : public Exchange::Server {
 public:
  Words(RouterTable& routers, Threads& threads, const Fifos& fifos, Border& border)
      : routers_(routers), threads_(threads), fifos_(fifos), border_(border) {
    border.exchange().connect(border.strip(), *this);
  }
  // When all threads are known.
  void connect(TransportClient& client) {
    client_ = &client;
    wait_for_more();
  }

  // ---- trails
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
  // Returns the same, for who only looks: drops nothing.
  [[gnu::always_inline]] Standing look(const PlaneQueue& queue, std::uint32_t lane,
                                       std::uint64_t number) const {
    std::uint32_t index = queue.trail(lane).first;
    while (records_[index].end <= number) index = records_[index].next;
    return standing_in(index, number);
  }
  // The next wavelet that comes into the queue is this one.
  void append(PlaneQueue& queue, std::uint32_t lane, const Standing& wavelet);
  // Whoever holds the run has seen its last word.
  void drop(PlaneQueue& queue, std::uint32_t lane);
  bool is_last(const Standing& wavelet) const {
    return wavelet.is_control() || wavelet.word + 1 == trains_[wavelet.train].length;
  }
  // A data wavelet after which the switch of its sender advances.
  bool advances(const Standing& wavelet) const {
    return wavelet.is_control() ? wavelet.advances
                                : is_last(wavelet) && trains_[wavelet.train].advances;
  }

  // The first record of the queue, if there is one; then, when it is there, its train and the
  // record after it.
  [[gnu::always_inline]] void prefetch_record(const PlaneQueue& queue, std::uint32_t lane) const {
    const std::uint32_t first = queue.trail(lane).first;
    if (first != kNone) prefetch(&records_[first]);
  }
  [[gnu::always_inline]] void prefetch_train(const PlaneQueue& queue, std::uint32_t lane) const {
    const std::uint32_t first = queue.trail(lane).first;
    if (first == kNone) return;
    const Record& record = records_[first];
    if (!record.is_control()) prefetch(&trains_[record.train]);
    if (record.next != kNone) prefetch(&records_[record.next]);
  }
  // The train of that, and the record after it.
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
  [[gnu::always_inline]] void prefetch_train(const Thread& thread) const {
    if (thread.train != kNone) prefetch(&trains_[thread.train]);
  }

  [[gnu::always_inline]] void prefetch_first_word(const Thread& thread) const {
    if (thread.train != kNone) prefetch(trains_[thread.train].words.begin.get());
  }

  // ---- trains
  void hold(const Standing& wavelet) { trains_.hold(wavelet.train); }
  void release(const Standing& wavelet) { trains_.release(wavelet.train); }
  // The thread begins to send; it ends, all that it has sent is made.
  void open_train(std::uint32_t thread);
  void close_train(Thread& thread);
  // The value of a wavelet that was sent.
  std::uint32_t value(const Standing& wavelet);
  // The word of an element that the thread has issued, or issues now.
  std::uint32_t word_of(const Thread& thread, std::uint64_t element) {
    return value({.train = thread.train, .word = element});
  }

  // ---- trains that cross borders
  // Somebody in that strip will need its words.
  Freight lend(std::uint32_t train, std::uint32_t strip);
  // A train of another strip, as a copy that the caller holds.
  std::uint32_t borrow(const Freight& freight);
  // When all have read what was lent in the cycle before.
  void end_loans();
  // Copies that nobody needs any more are given back.
  void give_back_copies();
  void read(const Letters& letters);
  bool serve() override;

  // ---- elements
  // Applies the elements of the thread up to, but not including, `end`. They have issued.
  void apply(std::uint32_t thread, std::uint64_t end);
  // The same of a thread of whose elements wavelets name some; the last ones issue in cycle `now`.
  void apply_named(std::uint32_t thread, std::uint64_t end, Cycle now);

  // ---- room
  // Trains take more than twice the room that they took after the last look: those which have
  // passed their receivers should go.
  bool needs_room() const { return trains_.words() > most_words_; }
  // Applies what the thread, which has issued so many elements, received of trains of which no more
  // will come. Only takes: what is forwarded stays in one piece.
  void apply_passed(std::uint32_t thread, std::uint64_t issued);
  // When all threads have done so.
  void wait_for_more();

 private:
  friend class Invariants;
  // Returns the wavelet of that number, which the record is about.
  [[gnu::always_inline]] Standing standing_in(std::uint32_t record, std::uint64_t number) const {
    isa::check_that(records_[record].number <= number, "a trail covers what is in its queue");
    return standing(records_[record], number);
  }
  // Words of a train that must be there first, or elements that a thread must have applied.
  struct Demand {
    std::uint32_t train;  // kNone: elements
    std::uint64_t end;
    Request* asked = nullptr;      // of another strip, for these words
    Request* answers = nullptr;    // of another strip, which waits for them
    std::uint32_t thread = kNone;  // of elements
  };
  bool is_met(const Demand& demand) const {
    return demand.train != kNone ? trains_[demand.train].made >= demand.end
                                 : threads_[demand.thread].applied >= demand.end;
  }
  void make(Demand demand);
  // Does something for the last demand. False if it waits for another strip.
  bool work();
  bool ask(Demand& demand);
  void answer(Request& request);
  void take_requests();
  void complete(std::uint32_t copy, std::uint64_t length, const std::uint32_t* words);
  void tell_users(std::uint32_t train);
  // Elements that the thread must have moved to have made so many words.
  std::uint64_t elements_for(std::uint32_t thread, std::uint64_t words) const;
  // The element of the destination that a wavelet names, and when.
  struct Name {
    std::uint32_t element = 0;
    Cycle cycle = kNever;
  };
  // One range of them; nothing, or what must be made before.
  std::optional<Demand> apply_range(std::uint32_t thread, std::uint64_t end, const Name& name);
  std::optional<Demand> apply_range(std::uint32_t thread, std::uint64_t end) {
    return apply_range(thread, end, Name{});
  }
  // The words from the next wavelet of source k on; `count` is cut to those that lie side by side.
  std::optional<Demand> find_words(Thread& thread, std::size_t k, std::uint64_t& count,
                                   const std::uint32_t*& words);
  std::uint32_t* room_for(const Thread& thread, std::uint64_t count);
  void take_words(Thread& thread, std::size_t k, std::uint64_t count, const std::uint32_t* words);
  void prefetch_next(ChannelId channel) const;
  // From the next wavelet of source k on, the words up to the end of its run; 0: they are not made.
  std::uint64_t words_of_run(Thread& thread, std::size_t k);

  RouterTable& routers_;
  Threads& threads_;
  const Fifos& fifos_;
  Border& border_;
  TransportClient* client_ = nullptr;
  Records records_;
  Trains trains_;
  std::vector<Demand> demands_;
  // ---- across borders
  std::vector<std::uint32_t> lent_;                           // trains, in this cycle
  std::unordered_map<std::uint32_t, Export*> sources_;        // of copies
  std::unordered_multimap<std::uint32_t, Export*> exported_;  // by train
  std::deque<Export> exports_;
  std::vector<Export*> free_exports_;
  std::deque<Request> requests_;
  std::vector<Request*> free_requests_;
  std::vector<Request*> incoming_;
  std::uint64_t most_words_ = 0;
  // Packed wavelets of which the first element is applied and the second is not: by thread and
  // source.
  std::unordered_map<std::uint64_t, std::uint32_t> half_taken_;
};

}  // namespace wse::vm::wafer
