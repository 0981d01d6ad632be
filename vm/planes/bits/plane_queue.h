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

#include <cstdint>
#include <span>

#include "isa/support/mutant.h"
#include "vm/planes/bits/flag_planes.h"
#include "vm/planes/bits/lane_counters.h"
#include "vm/planes/bits/lanes.h"
#include "vm/planes/messages/runs.h"
#include "vm/support/prefetch.h"
#include "vm/support/time.h"

namespace wse::vm::wafer {

struct QueueShape {
  std::uint32_t depth = 1;
  std::uint32_t latency = 1;  // at least 1
};

// The run lists of the lanes of a queue.
class LaneLists {
 public:
  explicit LaneLists(RunList* lists) : lists_(lists) {}

  RunList& operator[](std::uint32_t lane) { return lists_[lane]; }
  const RunList& operator[](std::uint32_t lane) const { return lists_[lane]; }

  // Lanes that may share runs with others; the rest share none.
  const Lanes& joined() const { return joined_; }
  void join(const Lanes& lanes) { joined_ |= lanes; }
  // The lane, or each of some, has no run any more.
  template <class Which>
  void leave(const Which& lanes) {
    joined_.put(lanes, false);
  }

 private:
  RunList* lists_;
  Lanes joined_;
};

class PlaneQueue {
 public:
  // `planes` are as many as planes_of(shape), all 0, and `run_lists` kLanes; both stay.
  PlaneQueue(const QueueShape& shape, Lanes* planes, RunList* run_lists)
      : depth_(shape.depth),
        stages_(shape.latency - 1),
        visible_at_(stages_ > 0 ? depth_ : 0),
        stage_at_(2 * depth_),
        planes_(planes),
        lists_(run_lists),
        flags_(depth_, planes + (stages_ > 0 ? stage_at_ + stages_ : depth_)) {}
  static std::size_t planes_of(const QueueShape& shape) {
    const std::size_t stages = shape.latency - 1;
    const std::size_t counts = stages > 0 ? 2 * shape.depth + stages : shape.depth;
    return counts + FlagPlanes::planes_of(shape.depth);
  }

  // There is a wavelet that can be taken.
  [[gnu::always_inline]] const Lanes& heads() const { return planes_[visible_at_]; }
  // Flags of the wavelets here.
  [[gnu::always_inline]] const FlagPlanes& flags() const { return flags_; }
  FlagPlanes& flags() { return flags_; }
  // No room at the start of the cycle.
  [[gnu::always_inline]] const Lanes& full() const { return full_; }
  // Wavelets on their way, by the cycles since they were pushed.
  [[gnu::always_inline]] std::span<const Lanes> stages() const {
    return {planes_ + stage_at_, stages_};
  }

  // ---- a lane
  std::uint32_t size(std::uint32_t lane) const {
    std::uint32_t size = 0;
    while (size < depth_ && planes_[size].has(lane)) ++size;
    return size;
  }
  // The wavelets that ever came, by lane.
  const UpCounter& pushed() const { return pushed_; }
  UpCounter& pushed() { return pushed_; }
  // The lanes that hold one wavelet or more, two or more ... up to the depth.
  [[gnu::always_inline]] std::span<const Lanes> totals() const { return {planes_, depth_}; }
  // The number of the head, of all that ever came.
  std::uint64_t popped(std::uint32_t lane) const { return pushed_.value(lane) - size(lane); }
  // Its run list and its count.
  [[gnu::always_inline]] void prefetch_lane(std::uint32_t lane) const {
    prefetch(&lists_[lane]);
    pushed_.prefetch_lane(lane);
  }
  // Returns the lanes, of these, whose head has the number of that of the lane, and which hold as
  // many wavelets.
  Lanes same_head(std::uint32_t lane, const Lanes& among) const {
    Lanes same = pushed_.same_as(lane, among);
    for (const Lanes& total : totals()) keep_same(same, total, lane);
    return same;
  }
  LaneLists& lists() { return lists_; }
  const LaneLists& lists() const { return lists_; }

  // Takes the head before the cycle is done; room stays as it was at its start.
  void pop_now(std::uint32_t lane) {
    has_popped_ = true;
    if (isa::mutant(isa::Mutant::RoomEarly)) full_.clear(lane);
    pop_place(planes_, depth_, lane);
    if (stages_ > 0) pop_place(planes_ + visible_at_, depth_, lane);
    flags_.pop_now(lane);
  }
  // The head, or the one after it if the head leaves in this cycle, is marked, or if there is none
  // the next wavelet that comes; nobody expects it.
  void force(std::uint32_t lane, bool head_leaves) {
    forced_.set(lane);
    const std::uint32_t k = head_leaves && !isa::mutant(isa::Mutant::MarkHead) ? 1 : 0;
    if (k < depth_ && planes_[k].has(lane)) {
      flags_.set(LinkFlag::Marked, k, lane);
    } else {
      flags_.arm(LinkFlag::Marked, lane);
    }
  }
  // Lanes in which force() has marked a wavelet that take_forced() has not seen yet.
  const Lanes& forced() const { return forced_; }
  bool take_forced(std::uint32_t lane) {
    const bool was = forced_.has(lane);
    forced_.clear(lane);
    return was;
  }

  // ---- the state of another machine, before the first cycle
  // A wavelet comes behind what is in the queue of the lane, with the flags that are armed, and can
  // be taken after so many cycles. Returns whether a queue can be like that.
  bool stand(std::uint32_t lane, Cycle later) {
    const std::uint32_t place = size(lane);
    const auto stage = static_cast<std::uint32_t>(stages_ - later);
    if (place == depth_ || later > stages_) return false;
    for (std::uint32_t k = 0; k < stages_ && k <= stage; ++k) {  // as late, or later
      if (planes_[stage_at_ + k].has(lane)) return false;
    }
    planes_[place].set(lane);
    if (stage < stages_) {
      planes_[stage_at_ + stage].set(lane);
    } else if (stages_ > 0) {
      planes_[visible_at_ + place].set(lane);
    }
    full_.put(lane, place + 1 == depth_);
    Lanes one;
    one.set(lane);
    flags_.come(one, planes_);
    pushed_.add(lane, 1);
    return true;
  }

  // ---- the end of a cycle
  // Takes and puts, at most one wavelet of each lane. True if there may be another room. Planes
  // of what takes as much as it gives stay as they are: they are not touched.
  [[gnu::always_inline]] bool update(const Lanes& pop, const Lanes& push) {
    const bool fills = has_popped_ || (pop ^ push).any();
    if (fills) {
      move_places(planes_, depth_, pop, push);
      full_ = planes_[depth_ - 1];
      has_popped_ = false;
    }
    if (stages_ > 0) shift(pop, push);
    flags_.update(pop, push, planes_);
    pushed_.add(push);
    return fills;
  }
  // Lanes in which update() of these will leave the queue otherwise than it is.
  [[gnu::always_inline]] Lanes differs_after(const Lanes& pop, const Lanes& push) const {
    Lanes differs = (pop ^ push) | flags_.differs_after(pop, push);
    for (std::uint32_t k = 0; k < stages_; ++k) differs |= planes_[stage_at_ + k] ^ push;
    return differs;
  }
  // Gives the wavelets that came last in these lanes the flag.
  void flag_last(FlagNumber flag, const Lanes& lanes) { flags_.set_last(flag, lanes, planes_); }

 private:
  // The latest stage becomes visible, and the others move on.
  [[gnu::always_inline]] void shift(const Lanes& pop, const Lanes& push) {
    Lanes* const stage = planes_ + stage_at_;
    const Lanes arriving = stage[stages_ - 1];
    const Lanes& coming = isa::mutant(isa::Mutant::ArrivalUnseen) ? push : arriving;
    if ((pop ^ coming).any()) move_places(planes_ + visible_at_, depth_, pop, arriving);
    for (std::uint32_t k = stages_ - 1; k > 0; --k) stage[k] = stage[k - 1];
    stage[0] = push;
  }

  std::uint32_t depth_;
  std::uint32_t stages_;
  std::uint32_t visible_at_;
  std::uint32_t stage_at_;
  bool has_popped_ = false;  // before the cycle is done
  Lanes full_;
  Lanes forced_;
  Lanes* planes_;
  LaneLists lists_;
  UpCounter pushed_;
  FlagPlanes flags_;
};

}  // namespace wse::vm::wafer
