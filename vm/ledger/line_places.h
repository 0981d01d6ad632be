// The places of a main thread: at which row it is from which cycle on, and with what work. Their
// cycles ascend; the first place has begun, the others may lie in the future.
//
// A wafer has a million of these, and each visit of a PE looks at one. So an entry of six bytes
// holds all places of a vector instruction, which mostly follow each other within a few cycles:
//
//     cycle  106      107      109            111
//            scalar   set-up   vector         the next entry
//
// and those of a stretch of scalar code, with the vectors that it passes, find room.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
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
  std::uint32_t tag = 0;  // the row and the stalls of the place: see TagBits
  LinePhase phase = LinePhase::TaskStart;
};

// The bits of a tag: a row of the program of the PE, then cycles of the place that are stalls
// although they are charged as busy. The longer the programs, the fewer bits have the stalls.
class TagBits {
 public:
  static constexpr unsigned kBits = 22;
  static constexpr std::uint32_t kMostRows = 1u << (kBits - 1);

  // For rows below `rows`, at most kMostRows.
  explicit TagBits(std::uint32_t rows)
      : row_bits_(static_cast<unsigned>(std::bit_width(rows > 0 ? rows - 1 : 0u))) {}

  std::uint32_t row_mask() const { return (1u << row_bits_) - 1; }
  std::uint32_t row(std::uint32_t tag) const { return tag & row_mask(); }
  std::uint32_t stalls(std::uint32_t tag) const { return tag >> row_bits_; }
  // Stands for so many stalls or more, which are kept elsewhere.
  std::uint32_t many() const { return (1u << (kBits - row_bits_)) - 1; }
  std::uint32_t tag(std::uint32_t row, std::uint32_t stalls) const {
    return stalls << row_bits_ | row;
  }

 private:
  unsigned row_bits_;
};

// There is always one place. `row_mask` is that of the TagBits: places that came in one entry with
// a later one have no stalls.
class LinePlaces {
 public:
  LinePlace first(std::uint32_t row_mask) const {
    const Entry entry = at(first_);
    if (entry.is_whole()) return last_of(entry);
    const LinePhase phase = entry.scalar() > 0 ? LinePhase::Scalar : LinePhase::SetUp;
    return {base_ + entry.from, entry.tag() & row_mask, phase};
  }
  // When the next place begins; kNever if there is none.
  Cycle first_ends() const {
    const Entry entry = at(first_);
    if (entry.scalar() > 0) return base_ + entry.from + entry.scalar();
    if (entry.set_up() > 0) return base_ + entry.from + entry.set_up();
    return is_alone() ? kNever : base_ + from_[first_ + 1u];
  }
  LinePlace last() const { return last_of(at(end_ - 1u)); }
  bool has_one() const { return is_alone() && at(first_).is_whole(); }

  // Forgets what there is.
  void begin_with(const LinePlace& place) {
    base_ = place.from;
    first_ = 0;
    end_ = 1;
    put(0, {0, Entry::what_of(place)});
  }
  // False if there is no room for another place, or it is too far away.
  bool add(const LinePlace& place) {
    if (place.from - base_ > kFar) return false;
    const auto from = static_cast<std::uint32_t>(place.from - base_);
    Entry last = at(end_ - 1u);
    if (last.join(from, place)) {
      what_[end_ - 1u] = last.what;
      return true;
    }
    if (end_ == kEntries && !make_room()) return false;
    put(end_++, {from, Entry::what_of(place)});
    return true;
  }
  // Changes the stalls of the last place, or those of the first one, which has some.
  void set_last_tag(std::uint32_t tag) { set_tag(end_ - 1u, tag); }
  void set_first_tag(std::uint32_t tag) { set_tag(first_, tag); }
  // Drops the last or the first place; there are others.
  void drop_last(std::uint32_t row_mask) {
    Entry last = at(end_ - 1u);
    if (last.is_whole()) {
      --end_;
    } else {
      last.drop_last(row_mask);
      what_[end_ - 1u] = last.what;
    }
  }
  void drop_first() {
    Entry first = at(first_);
    if (first.is_whole()) {
      ++first_;
    } else {
      first.drop_first();
      put(first_, first);
    }
    if (is_alone()) come_back();
  }
  // One entry is left.
  bool is_alone() const { return first_ + 1u == end_; }
  // All cycles before `cycle` are charged. So a place that has lasted long may as well begin late:
  // the next one is not too far away then.
  void is_charged_up_to(Cycle cycle, std::uint32_t row_mask) {
    if (cycle - base_ <= kFar / 4 || !has_one()) return;
    if ((at(first_).tag() & ~row_mask) == 0) base_ = cycle - 1;
  }

 private:
  // Its last place, behind cycles of scalar code and of set-up at the same row, if it has any.
  struct Entry {
    static constexpr std::uint32_t kMostScalar = 7;
    static constexpr std::uint32_t kMostSetUp = 15;
    static constexpr unsigned kTagFrom = 10;
    static constexpr std::uint32_t kBelowTag = (1u << kTagFrom) - 1;

    std::uint32_t from = 0;  // cycles since the base
    std::uint32_t what = 0;  // tag, set-up, scalar, phase; no bit fields: a store is one word

    static std::uint32_t what_of(const LinePlace& place) {
      return place.tag << kTagFrom | static_cast<std::uint32_t>(place.phase);
    }
    std::uint32_t tag() const { return what >> kTagFrom; }
    std::uint32_t set_up() const { return what >> 6 & kMostSetUp; }
    std::uint32_t scalar() const { return what >> 3 & kMostScalar; }
    LinePhase phase() const { return static_cast<LinePhase>(what & 7); }
    bool is_whole() const { return (what >> 3 & 0x7f) == 0; }

    // False if the place is none of this entry, as one after stalls: they are in the tag.
    bool join(std::uint32_t place_from, const LinePlace& place) {
      if (place.tag != tag() || set_up() > 0) return false;
      const std::uint32_t cycles = place_from - from - scalar();
      const bool sets_up = phase() == LinePhase::Scalar && place.phase == LinePhase::SetUp;
      const bool begins = phase() == LinePhase::SetUp && place.phase == LinePhase::Vector;
      if (!(sets_up && cycles <= kMostScalar) && !(begins && cycles <= kMostSetUp)) return false;
      const std::uint32_t kept = what & ~7u;
      what = kept | cycles << (sets_up ? 3 : 6) | static_cast<std::uint32_t>(place.phase);
      return true;
    }
    void drop_last(std::uint32_t row_mask) {
      const bool had_set_up = set_up() > 0;
      what &= ~(had_set_up ? kMostSetUp << 6 | 7u : kMostScalar << 3 | 7u);
      what &= row_mask << kTagFrom | kBelowTag;
      what |= static_cast<std::uint32_t>(had_set_up ? LinePhase::SetUp : LinePhase::Scalar);
    }
    void drop_first() {
      const bool had_scalar = scalar() > 0;
      from += had_scalar ? scalar() : set_up();
      what &= ~(had_scalar ? kMostScalar << 3 : kMostSetUp << 6);
    }
  };
  static_assert(Entry::kTagFrom + TagBits::kBits == 32);
  static constexpr std::size_t kEntries = 11;
  static constexpr Cycle kFar = UINT16_MAX;

  Entry at(std::size_t k) const { return {from_[k], what_[k]}; }
  void put(std::size_t k, const Entry& entry) {
    from_[k] = static_cast<std::uint16_t>(entry.from);
    what_[k] = entry.what;
  }
  void set_tag(std::size_t k, std::uint32_t tag) {
    what_[k] = tag << Entry::kTagFrom | (what_[k] & Entry::kBelowTag);
  }
  LinePlace last_of(const Entry& entry) const {
    return {base_ + entry.from + entry.scalar() + entry.set_up(), entry.tag(), entry.phase()};
  }
  // So a PE uses the same lines of the host's cache again.
  void come_back() {
    base_ += from_[first_];
    put(0, {0, what_[first_]});
    first_ = 0;
    end_ = 1;
  }
  // Moves the entries to the front; false if they are there.
  bool make_room() {
    if (first_ == 0) return false;
    std::copy(from_.begin() + first_, from_.begin() + end_, from_.begin());
    std::copy(what_.begin() + first_, what_.begin() + end_, what_.begin());
    end_ = static_cast<std::uint8_t>(end_ - first_);
    first_ = 0;
    return true;
  }

  Cycle base_ = 0;
  std::uint8_t first_ = 0;  // entry
  std::uint8_t end_ = 1;
  std::array<std::uint16_t, kEntries> from_{};  // of each entry
  std::array<std::uint32_t, kEntries> what_{};
};
static_assert(static_cast<std::uint8_t>(LinePhase::Halted) <= 7);

}  // namespace wse::vm
