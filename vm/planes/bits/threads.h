// The threads that move elements, one by one: what planes do not know of them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "vm/contract/boundary.h"
#include "vm/load/channel_map.h"
#include "vm/planes/messages/runs.h"
#include "vm/support/pe_range.h"
#include "vm/support/untouched_table.h"

namespace wse::vm::wafer {

// A thread that has not begun yet is all zeros, see StartingThreads::begin().
struct Thread {
  enum class State : std::uint8_t { Free, Coming, Moving };

  const Flow* flow = nullptr;
  Cycle earliest = 0;
  std::uint64_t applied = 0;  // elements
  // By source: the down-ramp, and the number of the first wavelet there that is not applied.
  std::array<ChannelId, 2> in = {kNoChannel, kNoChannel};
  std::array<std::uint64_t, 2> next = {0, 0};
  ChannelId out = kNoChannel;
  std::uint32_t message = kNone;  // what it sends
  PeId pe = 0;
  std::uint8_t number = 0;
  State state = State::Free;

  ThreadId id() const { return {pe, number}; }
};

class Threads {
 public:
  explicit Threads(const PeRange& pes) : pes_(pes), rows_(pes.size() + 1) {}

  // Before the first cycle; then all PEs at once.
  void set(PeId pe, std::uint32_t threads) { rows_[pes_.index(pe)] = threads; }
  void open() {
    std::uint32_t place = 0;
    for (std::uint32_t& row : rows_) {
      const std::uint32_t threads = row;
      row = place;
      place += threads;
    }
    threads_ = UntouchedTable<Thread>(place, PageSize::Large);
  }

  std::uint32_t count(PeId pe) const { return rows_[pes_.index(pe) + 1] - rows_[pes_.index(pe)]; }
  std::uint32_t index(ThreadId id) const { return rows_[pes_.index(id.pe)] + id.thread; }
  Thread& operator[](std::uint32_t index) { return threads_[index]; }
  const Thread& operator[](std::uint32_t index) const { return threads_[index]; }
  Thread& operator[](ThreadId id) { return threads_[index(id)]; }
  const Thread& operator[](ThreadId id) const { return threads_[index(id)]; }
  std::size_t size() const { return threads_.size(); }

 private:
  PeRange pes_;
  std::vector<std::uint32_t> rows_;  // by PE: the place of its first thread
  UntouchedTable<Thread> threads_;
};

}  // namespace wse::vm::wafer
