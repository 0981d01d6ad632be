// The filter of one PE that counts words: counter and sparse (isa/machine/filter.h).
//
// A transport may count one word after the other, or ask how many come until the filter does
// something else, and count those at once. Both end alike.
#pragma once

#include <cstdint>

#include "isa/support/mutant.h"
#include "vm/load/configuration.h"

namespace wse::vm {

class CountingFilter {
 public:
  void open(const FilterSetting& setting) {
    is_sparse_ = setting.shape.kind == isa::FilterKind::Sparse;
    passing_ = setting.values[kMax] + (isa::mutant(isa::Mutant::FilterOffByOne) ? 0 : 1);
    limit_ = setting.values[kLimit];
    counter_ = setting.values[kStart];
    then_ = setting.values[kThen];
  }

  template <class Archive>
  void pass(Archive& archive) {
    archive.number(is_sparse_);
    for (std::uint32_t* const word : {&passing_, &limit_, &then_, &counter_}) archive.number(*word);
  }

  // Whether the next word is kept from the PE.
  bool drops() const { return counter_ >= passing_; }

  // A word has come, whether it passed or not.
  void count() {
    if (counter_ < limit_) {
      ++counter_;
    } else {
      wrap();
    }
  }

  // Returns how many words come until it drops or passes others than now, or its counter is 0.
  std::uint64_t words_to_turn() const {
    const bool may_wrap_first = drops() || limit_ < passing_;
    return may_wrap_first ? words_to_wrap() : std::uint64_t{passing_} - counter_;
  }

  bool is_sparse() const { return is_sparse_; }
  // Counts so many words at once, fewer than words_to_turn().
  void count_before_turn(std::uint64_t words) { counter_ += static_cast<std::uint32_t>(words); }

  // Counts words_to_turn() words at once.
  void turn() {
    const std::uint64_t words = words_to_turn();
    if (words < words_to_wrap()) {
      counter_ += static_cast<std::uint32_t>(words);
    } else {
      wrap();
    }
  }

 private:
  // Places of the values of both kinds.
  static constexpr std::size_t kMax = 0, kLimit = 1, kStart = 2, kThen = 3;

  std::uint64_t words_to_wrap() const {
    return counter_ < limit_ ? std::uint64_t{limit_} - counter_ + 1 : 1;
  }
  void wrap() {
    counter_ = 0;
    if (is_sparse_ && !isa::mutant(isa::Mutant::SparseStays)) limit_ = then_;
  }

  bool is_sparse_ = false;
  std::uint32_t passing_ = 0;  // it drops from that count on
  std::uint32_t limit_ = 0;    // the counter goes to 0 after it
  std::uint32_t then_ = 0;     // the limit after the first
  std::uint32_t counter_ = 0;
};

}  // namespace wse::vm
