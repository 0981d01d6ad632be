// One queue of each of 512 PEs: how many wavelets it holds, never what they say.
//
//     lane (a PE)       0 1 2 3 ...
//     total[0]          1 1 0 1        it holds one or more
//     total[1]          1 0 0 0        two or more ... up to the depth
//     visible[0..]                     the same of those that have arrived
//     stage[0..]                       on their way: pushed 1, 2, ... cycles ago
//     flags[0..] of a place            what is said of the wavelet there, counted from the head
//
// A push is visible `latency` cycles later. Room is what was free at the start of the cycle, on its
// way counted as there.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "isa/support/mutant.h"
#include "vm/planes/bits/lane_counters.h"
#include "vm/planes/bits/lanes.h"
#include "vm/planes/messages/trails.h"
#include "vm/support/prefetch.h"

namespace wse::vm::wafer {

struct QueueShape {
  std::uint32_t depth = 1;
  std::uint32_t latency = 1;  // at least 1
};

// Flags of a wavelet in a queue. Links and up-ramps: its move is more than a
// count (Marked), its router keeps it away from the PE (Hidden), it is a control wavelet (Command).
// Down-ramps: it is a control wavelet (Control), for which nobody asks (Unwanted).
enum class Flag : std::uint8_t { Marked, Hidden, Command, Control = Marked, Unwanted = Hidden };
inline constexpr std::uint32_t kFlags = 3;

class PlaneQueue {
 public:
  // `planes` are as many as planes_of(shape), all 0, and `trails` kLanes; both stay.
  PlaneQueue(const QueueShape& shape, Lanes* planes, Trail* trails)
      : depth_(shape.depth),
        stages_(shape.latency - 1),
        visible_at_(stages_ > 0 ? depth_ : 0),
        stage_at_(2 * depth_),
        flags_at_(stages_ > 0 ? stage_at_ + stages_ : depth_),
        planes_(planes),
        trails_(trails) {}
  static std::size_t planes_of(const QueueShape& shape) {
    const std::size_t stages = shape.latency - 1;
    return stages > 0 ? (2 + kFlags) * shape.depth + stages : (1 + kFlags) * shape.depth;
  }

  // There is a wavelet that can be taken.
  [[gnu::always_inline]] const Lanes& heads() const { return planes_[visible_at_]; }
  // The head has the flag. Only where has_flags().
  const Lanes& heads_with(Flag flag) const { return planes_[place(flag, 0)]; }
  bool has_flags() const { return flagged_ != 0; }
  [[gnu::always_inline]] const Lanes& occupied() const { return planes_[0]; }
  // No room at the start of the cycle.
  [[gnu::always_inline]] const Lanes& full() const { return full_; }
  // Something is on its way.
  [[gnu::always_inline]] Lanes in_flight() const {
    Lanes all;
    for (std::uint32_t k = 0; k < stages_; ++k) all |= planes_[stage_at_ + k];
    return all;
  }

  // ---- a lane
  std::uint32_t size(std::uint32_t lane) const {
    std::uint32_t size = 0;
    while (size < depth_ && planes_[size].has(lane)) ++size;
    return size;
  }
  bool is_full(std::uint32_t lane) const { return planes_[depth_ - 1].has(lane); }
  std::uint64_t pushed(std::uint32_t lane) const { return pushed_.value(lane); }
  // The number of the head, of all that ever came.
  std::uint64_t popped(std::uint32_t lane) const { return pushed(lane) - size(lane); }
  bool head_has(Flag flag, std::uint32_t lane) const { return has(flag, 0, lane); }
  // Returns whether the wavelet at place k, counted from the head, has the flag.
  bool has(Flag flag, std::uint32_t k, std::uint32_t lane) const {
    return planes_[place(flag, k)].has(lane);
  }
  // Returns whether force() has marked a wavelet that take_forced() has not seen yet.
  bool is_forced(std::uint32_t lane) const { return forced_.has(lane); }
  // Its trail and its count.
  [[gnu::always_inline]] void prefetch_lane(std::uint32_t lane) const {
    prefetch(&trails_[lane]);
    pushed_.prefetch_lane(lane);
  }
  Trail& trail(std::uint32_t lane) { return trails_[lane]; }
  const Trail& trail(std::uint32_t lane) const { return trails_[lane]; }

  // Takes the head before the cycle is done; room stays as it was at its start.
  void pop_now(std::uint32_t lane) {
    const auto pop = [&](std::uint32_t from) {
      for (std::uint32_t k = 0; k < depth_; ++k) {
        planes_[from + k].put(lane, k + 1 < depth_ && planes_[from + k + 1].has(lane));
      }
    };
    has_popped_ = true;
    if (isa::mutant(isa::Mutant::RoomEarly)) full_.clear(lane);
    pop(0);
    if (stages_ > 0) pop(visible_at_);
    for (std::uint32_t k = 0; k < kFlags; ++k) pop(flags_at_ + k * depth_);
  }
  // The head, or the one after it if the head leaves in this cycle, is marked, or if there is none
  // the next wavelet that comes; nobody expects it.
  void force(std::uint32_t lane, bool head_leaves) {
    forced_.set(lane);
    const std::uint32_t k = head_leaves && !isa::mutant(isa::Mutant::MarkHead) ? 1 : 0;
    if (k < depth_ && planes_[k].has(lane)) {
      flag(Flag::Marked, k, lane);
    } else {
      arm(Flag::Marked, lane);
    }
  }
  bool take_forced(std::uint32_t lane) {
    const bool was = forced_.has(lane);
    forced_.clear(lane);
    return was;
  }
  // The next wavelet that comes has the flag.
  void arm(Flag which, std::uint32_t lane) {
    armed_[static_cast<std::uint32_t>(which)].set(lane);
    arming_ |= bit(which);
  }

  // ---- the end of a cycle
  // Takes and puts, at most one wavelet of each lane. True if there may be another room. What takes
  // as much as it gives stays as it is: those planes are not touched.
  [[gnu::always_inline]] bool update(const Lanes& pop, const Lanes& push) {
    const bool fills = has_popped_ || (pop ^ push).any();
    if (fills) {
      move(0, pop, push);
      full_ = planes_[depth_ - 1];
      has_popped_ = false;
    }
    if (stages_ > 0) shift(pop, push);
    if (flagged_ != 0) take_flags(pop);
    if (arming_ != 0) flag_armed(push);
    pushed_.add(push);
    return fills;
  }
  // Lanes in which update() of these will leave the queue otherwise than it is.
  [[gnu::always_inline]] Lanes differs_after(const Lanes& pop, const Lanes& push) const {
    Lanes differs = pop ^ push;
    for (std::uint32_t k = 0; k < stages_; ++k) differs |= planes_[stage_at_ + k] ^ push;
    for_each(arming_, [&](Flag flag) __attribute__((always_inline)) {
      differs |= armed_[static_cast<std::uint32_t>(flag)] & push;
    });
    for_each(flagged_, [&](Flag flag) __attribute__((always_inline)) {
      for (std::uint32_t k = 0; k < depth_; ++k) differs |= planes_[place(flag, k)] & pop;
    });
    return differs;
  }
  // Repeats so many cycles that each took and put these, and changed nothing else.
  void repeat(const Lanes& lanes, std::uint64_t cycles) { pushed_.add(lanes, cycles); }
  // The wavelets that came last in these lanes have the flag.
  void flag_last(Flag which, const Lanes& lanes) {
    for (std::uint32_t k = 0; k < depth_; ++k) {
      Lanes here = lanes & planes_[k];
      if (k + 1 < depth_) here.remove(planes_[k + 1]);
      planes_[place(which, k)] |= here;
    }
    flagged_ |= bit(which);
  }

 private:
  static std::uint32_t bit(Flag flag) { return 1u << static_cast<std::uint32_t>(flag); }
  // Calls visit(flag) for those of the bits.
  template <class Visit>
  [[gnu::always_inline]] static void for_each(std::uint32_t flags, Visit visit) {
    for (; flags != 0; flags &= flags - 1) visit(static_cast<Flag>(std::countr_zero(flags)));
  }
  std::uint32_t place(Flag flag, std::uint32_t k) const {
    return flags_at_ + static_cast<std::uint32_t>(flag) * depth_ + k;
  }
  void flag(Flag which, std::uint32_t k, std::uint32_t lane) {
    planes_[place(which, k)].set(lane);
    flagged_ |= bit(which);
  }
  // The planes of all places, from plane `from` on: those of a lane that takes move on to the head,
  // a lane that puts has one more. The lanes that have some then.
  [[gnu::always_inline]] Lanes move(std::uint32_t from, const Lanes& pop, const Lanes& push) {
    Lanes* const plane = planes_ + from;
    const Lanes fewer = without(pop, push);
    const Lanes more = without(push, pop);
    Lanes here = plane[0];
    Lanes added = more;
    Lanes some;
    for (std::uint32_t k = 0; k < depth_; ++k) {
      const Lanes above = k + 1 < depth_ ? plane[k + 1] : Lanes{};
      plane[k] = without(here, fewer) | (above & fewer) | added;
      some |= plane[k];
      added = here & more;
      here = above;
    }
    return some;
  }
  // The latest stage becomes visible, and the others move on.
  [[gnu::always_inline]] void shift(const Lanes& pop, const Lanes& push) {
    Lanes* const stage = planes_ + stage_at_;
    const Lanes arriving = stage[stages_ - 1];
    const Lanes& coming = isa::mutant(isa::Mutant::ArrivalUnseen) ? push : arriving;
    if ((pop ^ coming).any()) move(visible_at_, pop, arriving);
    for (std::uint32_t k = stages_ - 1; k > 0; --k) stage[k] = stage[k - 1];
    stage[0] = push;
  }
  void take_flags(const Lanes& pop) {
    for_each(flagged_, [&](Flag flag) __attribute__((always_inline)) {
      if (!move(place(flag, 0), pop, {}).any()) flagged_ &= ~bit(flag);
    });
  }
  void flag_armed(const Lanes& push) {
    for_each(arming_, [&](Flag flag) __attribute__((always_inline)) {
      Lanes& armed = armed_[static_cast<std::uint32_t>(flag)];
      const Lanes now = armed & push;
      if (!now.any()) return;
      flag_last(flag, now);
      armed.remove(now);
      if (!armed.any()) arming_ &= ~bit(flag);
    });
  }

  std::uint32_t depth_;
  std::uint32_t stages_;
  std::uint32_t visible_at_;
  std::uint32_t stage_at_;
  std::uint32_t flags_at_;
  // As bits: flags that some wavelet here has, and that some next one will have.
  std::uint32_t flagged_ = 0;
  std::uint32_t arming_ = 0;
  bool has_popped_ = false;  // before the cycle is done
  Lanes full_;
  std::array<Lanes, kFlags> armed_;
  Lanes forced_;
  Lanes* planes_;
  Trail* trails_;
  UpCounter pushed_;
};

}  // namespace wse::vm::wafer
