// Border messages between strips of a wafer. Letters are written in one half of a cycle and read in
// the next one, with a barrier between; words that somebody needs at once are asked for, and who
// waits for others, there or at a barrier, answers.
//
//     first half            | second half             | first half of the next cycle
//     cores act, threads    | what was sent over      | ...
//     issue, routers        | borders comes in,       |
//     decide; queues that   | queues near borders     |
//     no other strip        | take and give; threads  |
//     touches take and give | end, writes act         |
//     letters: arrivals ----+--> read                 |
//                           | letters: stirred -------+--> read
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "vm/planes/bits/grid.h"
#include "vm/planes/messages/runs.h"

namespace wse::vm::wafer {

// A message of which another strip has a copy that is not complete yet.
struct Export {
  // ---- of its owner
  std::uint32_t owner = 0;        // the strip
  std::uint32_t user = 0;         // the other one
  std::uint32_t message = kNone;  // there
  // ---- of its user
  std::uint32_t copy = kNone;  // kNone: it wants no more words
};

// The part of a message that a strip gets from another one.
struct Freight {
  std::uint64_t length = 0;
  const std::uint32_t* words = nullptr;  // all of them, to be copied in the next half cycle, or
  Export* rest = nullptr;                // they come later
};

// A wavelet whose move is more than a count comes into a queue.
struct Arrival {
  std::uint32_t router = 0;  // of the queue
  std::uint32_t lane = 0;
  std::uint32_t link = 0;
  bool begins = false;  // a run
  bool control = false;
  std::uint32_t word = 0;  // of the message, or the commands
  std::uint32_t hops = 0;
  Freight freight;  // of a run of data
};

// Queues of a router get something over a link.
struct Sending {
  std::uint32_t router = 0;
  bool changed = false;  // not what they got in the cycle before
};

struct Completion {
  Export* of = nullptr;
  std::uint64_t length = 0;
  const std::uint32_t* words = nullptr;  // all, until its user has given it back
};

// From one strip to another.
struct Letters {
  std::vector<Sending> sendings;
  std::vector<Arrival> arrivals;
  std::vector<std::uint32_t> stirred;  // blocks whose next cycle is not as this one
  std::vector<Completion> completions;
  std::vector<Export*> returned;  // by the user

  void clear() {
    sendings.clear();
    arrivals.clear();
    stirred.clear();
    completions.clear();
    returned.clear();
  }
};

// Words of an export from `begin` up to, but not including, `end`, to be put at `to`.
struct Request {
  const Export* of = nullptr;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint32_t* to = nullptr;
  std::atomic<bool> is_answered = false;
};

class Exchange {
 public:
  // The side of a strip that answers requests.
  class Server {
   public:
    virtual ~Server() = default;
    // Does a part of what others have asked for; false if that is nothing. Never waits.
    virtual bool serve() = 0;
  };

  Exchange(const Grid& grid, const std::vector<PeRange>& strips) {
    for (const PeRange& strip : strips) {
      const bool first = ends_.empty();
      if (!first) ends_.back() = grid.block_of(strip.first);
      ends_.push_back(grid.blocks());
    }
    strips_ = std::vector<Place>(strips.size());
    for (Place& place : strips_) place.letters.resize(strips.size());
  }

  std::uint32_t strips() const { return static_cast<std::uint32_t>(strips_.size()); }
  std::uint32_t blocks_end(std::uint32_t strip) const { return ends_[strip]; }
  std::uint32_t strip_of(std::uint32_t block) const {
    std::uint32_t strip = 0;
    while (block >= ends_[strip]) ++strip;
    return strip;
  }
  // Written by `from` in that half of a cycle, read and cleared by `to` in the next one.
  Letters& letters(std::uint32_t from, std::uint32_t to, std::uint32_t half) {
    return strips_[from].letters[to][half];
  }

  // ---- requests
  void ask(std::uint32_t strip, Request& request) {
    Place& place = strips_[strip];
    const std::lock_guard lock(place.mutex);
    place.requests.push_back(&request);
    place.waiting.store(true, std::memory_order_release);
  }
  // Adds to `requests` those that wait for an answer of the strip.
  void take_requests(std::uint32_t strip, std::vector<Request*>& requests) {
    Place& place = strips_[strip];
    if (!place.waiting.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(place.mutex);
    requests.insert(requests.end(), place.requests.begin(), place.requests.end());
    place.requests.clear();
    place.waiting.store(false, std::memory_order_relaxed);
  }
  void connect(std::uint32_t strip, Server& server) { strips_[strip].server = &server; }
  // One thread works for all strips, or no longer: who waits serves for the others.
  void work_alone(bool alone) { is_alone_ = alone; }
  // A strip has failed and may answer no more.
  void fail() { has_failed_.store(true, std::memory_order_relaxed); }
  // While the strip waits for an answer. Throws if another one has failed.
  void wait(std::uint32_t strip);

 private:
  struct alignas(64) Place {
    std::vector<std::array<Letters, 2>> letters;  // by who reads them
    std::mutex mutex;
    std::vector<Request*> requests;
    std::atomic<bool> waiting = false;
    Server* server = nullptr;
  };

  std::vector<std::uint32_t> ends_;  // by strip: after its last block
  std::vector<Place> strips_;
  bool is_alone_ = false;
  std::atomic<bool> has_failed_ = false;
};

}  // namespace wse::vm::wafer
