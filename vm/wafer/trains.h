// Trains: the words that one instruction sends, made in ranges when somebody needs them, or when it
// ends. Trails hold a train; who holds it last gives its place to another one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "vm/wafer/trails.h"

namespace wse::vm::wafer {

struct Train {
  std::uint64_t length = 0;      // words; kNoBound: nobody knows
  std::uint64_t made = 0;        // of them
  std::uint32_t sender = kNone;  // the thread that makes the rest; kNone: nobody
  std::uint32_t holders = 0;
  bool advances = false;   // the switch of its sender advances behind the last word
  std::uint64_t room = 0;  // for words
  std::unique_ptr<std::uint32_t[]> words;

  // Room for words up to, but not including, that one. Those that are not made are not touched.
  void reserve(std::uint64_t end) {
    if (end <= room) return;
    room = made == 0 ? end : 2 * end;
    auto larger = std::make_unique_for_overwrite<std::uint32_t[]>(room);
    std::copy_n(words.get(), made, larger.get());
    words = std::move(larger);
  }
};

class Trains {
 public:
  Train& operator[](std::uint32_t index) { return trains_[index]; }
  const Train& operator[](std::uint32_t index) const { return trains_[index]; }

  // One that the caller holds.
  std::uint32_t take(std::uint64_t length, std::uint32_t sender, bool advances) {
    std::uint32_t index = 0;
    if (free_.empty()) {
      index = static_cast<std::uint32_t>(trains_.size());
      trains_.emplace_back();
      free_.reserve(trains_.capacity());
    } else {
      index = free_.back();
      free_.pop_back();
    }
    Train& train = trains_[index];
    train.length = length;
    train.made = 0;
    train.sender = sender;
    train.holders = 1;
    train.advances = advances;
    return index;
  }
  // kNone: a control wavelet, which is no train.
  void hold(std::uint32_t index) {
    if (index != kNone) ++trains_[index].holders;
  }
  void release(std::uint32_t index) {
    if (index != kNone && --trains_[index].holders == 0) free_.push_back(index);
  }

 private:
  std::vector<Train> trains_;
  std::vector<std::uint32_t> free_;
};

}  // namespace wse::vm::wafer
