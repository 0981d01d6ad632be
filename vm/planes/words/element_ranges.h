// Elements of threads, applied in ranges: words that lie side by side in the messages from which a
// thread takes become words of the message that it sends, or go to its core.
//
//     down-ramp, run list   {message A, words 2..5}  {message B, words 0..}
//     the thread            takes words 2..5 as one range; then those of B that are made
//     its own message       | made ........ | the next range |
//
// Must never be asked for elements that have not issued, and computes no word of another thread: it
// returns what must come first as a demand.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "vm/contract/boundary.h"
#include "vm/planes/bits/router_table.h"
#include "vm/planes/bits/threads.h"
#include "vm/planes/words/fifos.h"
#include "vm/planes/words/run_lists.h"

namespace wse::vm::wafer {

// Words of a message that must be made first, or elements that a thread must have applied.
struct Demand {
  std::uint32_t message = kNone;  // kNone: elements
  std::uint32_t row = 0;          // of it
  std::uint64_t end = 0;          // up to, but not including, that one
  std::uint32_t thread = kNone;   // whose elements they are
};

// The element of the destination that a wavelet names, and when.
struct ElementName {
  std::uint32_t element = 0;
  Cycle cycle = kNever;
};

class ElementRanges {
 public:
  struct Parts {  // all must live longer
    RouterTable& table;
    Threads& threads;
    const Fifos& fifos;
    Messages& messages;
    RunLists& run_lists;
    TransportClient& client;
  };
  explicit ElementRanges(const Parts& parts) : parts_(parts) {}

  // Applies the next range of elements of the thread, none of them from `end` on. Returns what must
  // be made before, if that is why none was applied.
  std::optional<Demand> apply(std::uint32_t thread, std::uint64_t end, const ElementName& name);
  // Returns how many words the thread can take from source k before its run ends; 0 if they are
  // not made.
  std::uint64_t left_of_run(const Thread& thread, std::size_t k);
  // Returns the packed wavelet of source k of which the thread has applied one element.
  std::uint32_t half_taken(std::uint32_t thread, std::size_t k) const;
  // Takes that wavelet of the state of another machine.
  void take_half(std::uint32_t thread, std::size_t k, std::uint32_t word);
  // Returns how many elements the thread must have moved to have made so many words.
  std::uint64_t elements_for(std::uint32_t thread, std::uint64_t words) const;

 private:
  // Finds the words from the next wavelet of source k on; cuts `count` to those that lie side by
  // side.
  std::optional<Demand> find_words(Thread& thread, std::size_t k, std::uint64_t& count,
                                   const std::uint32_t*& words);
  // Passes the wavelets of source k whose `words` the thread has just applied.
  void take_words(Thread& thread, std::size_t k, std::uint64_t count, const std::uint32_t* words);
  // Counts the words that the thread has made of its message.
  void count_made(const Thread& thread);
  // Returns where the next `count` elements make the words that the thread sends. A whole
  // message that it forwards, and nobody else can see, changes in its place.
  std::uint32_t* room_for(const Thread& thread, std::uint64_t count);

  Parts parts_;
  // First elements are applied, second ones are not, of these packed wavelets: by thread and
  // source.
  std::unordered_map<std::uint64_t, std::uint32_t> half_taken_;
};

}  // namespace wse::vm::wafer
