// The places of a main thread: at which row it is from which cycle on, and with what work. Their
// cycles ascend; the first place has begun, the others may lie in the future.
//
// A wafer has a million of these, and each visit of a PE looks at one. So an entry of twelve bytes
// holds all places of a vector instruction, which mostly follow each other within a few cycles:
//
//     cycle  106      107      109            111
//            scalar   set-up   vector         the next entry
//
// and those of a stretch of scalar code, with the vectors that it passes, find room.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "vm/support/time.h"

namespace wse::vm {

// The work of a main thread at its line.
enum class LinePhase : std::uint8_t {
  TaskStart,
  Scalar,
  SetUp,
  Noops,
  Vector,
  Thread,
  NoTask,
  Halted
};

struct LinePlace {
  Cycle from = 0;
  std::uint32_t what = 0;    // row and phase
  std::uint32_t stalls = 0;  // of its cycles, although they are charged as busy

  static std::uint32_t what_of(std::uint32_t row, LinePhase phase) {
    return row << 8 | static_cast<std::uint32_t>(phase);
  }
  std::uint32_t row() const { return what >> 8; }
  LinePhase phase() const { return static_cast<LinePhase>(what & 0xff); }
};

// There is always one place.
class LinePlaces {
 public:
  static constexpr std::uint32_t kMostRows = 1u << 22;

  LinePlace first() const {
    const Entry& entry = entries_[first_];
    if (entry.is_whole()) return last_of(entry);
    const LinePhase phase = entry.scalar() > 0 ? LinePhase::Scalar : LinePhase::SetUp;
    return {base_ + entry.from, LinePlace::what_of(entry.row(), phase), 0};
  }
  // When the next place begins; kNever if there is none.
  Cycle first_ends() const {
    const Entry& entry = entries_[first_];
    if (entry.scalar() > 0) return base_ + entry.from + entry.scalar();
    if (entry.set_up() > 0) return base_ + entry.from + entry.set_up();
    return is_alone() ? kNever : base_ + entries_[first_ + 1u].from;
  }
  LinePlace last() const { return last_of(entries_[end_ - 1u]); }
  bool has_one() const { return is_alone() && entries_[first_].is_whole(); }

  // Forgets what there is.
  void begin_with(const LinePlace& place) {
    base_ = place.from;
    first_ = 0;
    end_ = 1;
    entries_[0] = {0, Entry::what_of(place.row(), place.phase()), place.stalls};
  }
  // False if there is no room for another place, or it is too far away.
  bool add(const LinePlace& place) {
    if (place.from - base_ > kFar) return false;
    const auto from = static_cast<std::uint32_t>(place.from - base_);
    if (entries_[end_ - 1u].join(from, place)) return true;
    if (end_ == kEntries) return false;
    entries_[end_++] = {from, Entry::what_of(place.row(), place.phase()), place.stalls};
    return true;
  }
  // The last place has so many stalls.
  void set_stalls(std::uint32_t stalls) { entries_[end_ - 1u].stalls = stalls; }
  // There are others.
  void drop_last() {
    Entry& entry = entries_[end_ - 1u];
    entry.is_whole() ? void(--end_) : entry.drop_last();
  }
  // The same.
  void drop_first() {
    Entry& entry = entries_[first_];
    entry.is_whole() ? void(++first_) : entry.drop_first();
    if (is_alone()) come_back();
  }
  // One entry is left.
  bool is_alone() const { return first_ + 1u == end_; }
  // All cycles before `cycle` are charged. So a place that has lasted long may as well begin late:
  // the next one is not too far away then.
  void is_charged_up_to(Cycle cycle) {
    if (cycle - base_ > kFar / 2 && has_one() && entries_[first_].stalls == 0) base_ = cycle - 1;
  }

 private:
  // Its last place, behind cycles of scalar code and of set-up at the same row, if it has any.
  struct Entry {
    static constexpr std::uint32_t kMostScalar = 7;
    static constexpr std::uint32_t kMostSetUp = 15;

    std::uint32_t from = 0;    // cycles since the base
    std::uint32_t what = 0;    // row, set-up, scalar, phase; no bit fields: a store is one word
    std::uint32_t stalls = 0;  // of the last place

    static std::uint32_t what_of(std::uint32_t row, LinePhase phase) {
      return row << 10 | static_cast<std::uint32_t>(phase);
    }
    std::uint32_t row() const { return what >> 10; }
    std::uint32_t set_up() const { return what >> 6 & kMostSetUp; }
    std::uint32_t scalar() const { return what >> 3 & kMostScalar; }
    LinePhase phase() const { return static_cast<LinePhase>(what & 7); }
    bool is_whole() const { return (what >> 3 & 0x7f) == 0; }

    // False if the place is none of this entry.
    bool join(std::uint32_t place_from, const LinePlace& place) {
      if (place.row() != row() || stalls > 0 || set_up() > 0) return false;
      const std::uint32_t cycles = place_from - from - scalar();
      const bool sets_up = phase() == LinePhase::Scalar && place.phase() == LinePhase::SetUp;
      const bool begins = phase() == LinePhase::SetUp && place.phase() == LinePhase::Vector;
      if (!(sets_up && cycles <= kMostScalar) && !(begins && cycles <= kMostSetUp)) return false;
      const std::uint32_t kept = what & ~7u;
      what = kept | cycles << (sets_up ? 3 : 6) | static_cast<std::uint32_t>(place.phase());
      stalls = place.stalls;
      return true;
    }
    void drop_last() {
      const bool had_set_up = set_up() > 0;
      what &= ~(had_set_up ? kMostSetUp << 6 | 7u : kMostScalar << 3 | 7u);
      what |= static_cast<std::uint32_t>(had_set_up ? LinePhase::SetUp : LinePhase::Scalar);
      stalls = 0;
    }
    void drop_first() {
      const bool had_scalar = scalar() > 0;
      from += had_scalar ? scalar() : set_up();
      what &= ~(had_scalar ? kMostScalar << 3 : kMostSetUp << 6);
    }
  };
  static_assert(sizeof(Entry) == 12);
  static constexpr std::size_t kEntries = 13;
  static constexpr Cycle kFar = ~std::uint32_t{0};

  LinePlace last_of(const Entry& entry) const {
    return {base_ + entry.from + entry.scalar() + entry.set_up(),
            LinePlace::what_of(entry.row(), entry.phase()), entry.stalls};
  }
  // So a PE uses the same lines of the host's cache again.
  void come_back() {
    entries_[0] = entries_[first_];
    base_ += entries_[0].from;
    entries_[0].from = 0;
    first_ = 0;
    end_ = 1;
  }

  Cycle base_ = 0;
  std::uint8_t first_ = 0;  // entry
  std::uint8_t end_ = 1;
  std::array<Entry, kEntries> entries_{};
};
static_assert(static_cast<std::uint8_t>(LinePhase::Halted) <= 7);

}  // namespace wse::vm
