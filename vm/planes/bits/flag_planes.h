// Flags of the wavelets in a queue of each of 512 PEs: a plane for each flag and each place,
// counted from the head.
//
//     lane (a PE)       0 1 2 3 ...
//     Marked, place 0   1 0 0 0        the head is marked
//     Marked, place 1   0 0 1 0        the wavelet after it is
//     armed             0 1 0 0        the next wavelet that comes will be
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "vm/planes/bits/lanes.h"

namespace wse::vm::wafer {

// Flags of wavelets on links and up-ramps.
enum class LinkFlag : std::uint8_t {
  Marked,   // its move is more than a count
  Hidden,   // its router keeps it away from the PE
  Command,  // it is a control wavelet
};

// Flags of wavelets on down-ramps.
enum class RampFlag : std::uint8_t {
  Control,   // it is a control wavelet
  Unwanted,  // nobody asks for it
};

inline constexpr std::uint32_t kFlags = 3;

// A flag of either kind of queue, by its planes.
struct FlagNumber {
  constexpr FlagNumber(LinkFlag flag) : number(static_cast<std::uint32_t>(flag)) {}
  constexpr FlagNumber(RampFlag flag) : number(static_cast<std::uint32_t>(flag)) {}
  explicit constexpr FlagNumber(std::uint32_t of) : number(of) {}
  std::uint32_t number;
};

// Moves planes of places, the head's first: those of a lane that takes move on to the head, a lane
// that puts has one more. Returns the lanes that have some then.
[[gnu::always_inline]] inline Lanes move_places(Lanes* plane, std::uint32_t depth, const Lanes& pop,
                                                const Lanes& push) {
  const Lanes fewer = without(pop, push);
  const Lanes more = without(push, pop);
  Lanes here = plane[0];
  Lanes added = more;
  Lanes some;
  for (std::uint32_t k = 0; k < depth; ++k) {
    const Lanes above = k + 1 < depth ? plane[k + 1] : Lanes{};
    plane[k] = without(here, fewer) | (above & fewer) | added;
    some |= plane[k];
    added = here & more;
    here = above;
  }
  return some;
}

// Takes the head of one lane.
inline void pop_place(Lanes* plane, std::uint32_t depth, std::uint32_t lane) {
  for (std::uint32_t k = 0; k < depth; ++k) {
    plane[k].put(lane, k + 1 < depth && plane[k + 1].has(lane));
  }
}

class FlagPlanes {
 public:
  // `planes` are as many as planes_of(depth), all 0, and stay.
  FlagPlanes(std::uint32_t depth, Lanes* planes) : depth_(depth), planes_(planes) {}
  static std::size_t planes_of(std::uint32_t depth) { return std::size_t{kFlags} * depth; }

  // Whether some wavelet of the queues may have one.
  bool any() const { return flagged_ != 0; }
  // Lanes whose head has the flag. Only where any().
  const Lanes& heads_with(FlagNumber flag) const { return place(flag)[0]; }
  // Whether the wavelet at place k has the flag.
  bool has(FlagNumber flag, std::uint32_t k, std::uint32_t lane) const {
    return place(flag)[k].has(lane);
  }
  bool head_has(FlagNumber flag, std::uint32_t lane) const { return has(flag, 0, lane); }

  // Gives the wavelet at place k the flag.
  void set(FlagNumber flag, std::uint32_t k, std::uint32_t lane) {
    place(flag)[k].set(lane);
    flagged_ |= bit(flag);
  }
  // Gives it to the next wavelet that comes.
  void arm(FlagNumber flag, std::uint32_t lane) {
    armed_[flag.number].set(lane);
    arming_ |= bit(flag);
  }
  void arm(FlagNumber flag, const Lanes& lanes) {
    armed_[flag.number] |= lanes;
    arming_ |= bit(flag);
  }
  // Gives it to the wavelets that came last in these lanes. `total`: planes that count each queue.
  void set_last(FlagNumber flag, const Lanes& lanes, const Lanes* total) {
    for (std::uint32_t k = 0; k < depth_; ++k) {
      Lanes here = lanes & total[k];
      if (k + 1 < depth_) here.remove(total[k + 1]);
      place(flag)[k] |= here;
    }
    flagged_ |= bit(flag);
  }

  // The wavelets that came last in these lanes get what is armed. `total`: planes that count each
  // queue, with them.
  void come(const Lanes& lanes, const Lanes* total) {
    if (arming_ != 0) flag_armed(lanes, total);
  }
  // Takes the head of one lane.
  void pop_now(std::uint32_t lane) {
    for (std::uint32_t k = 0; k < kFlags; ++k) pop_place(place(FlagNumber(k)), depth_, lane);
  }
  // Follows queues of which these take and put; `total` is what they hold after it.
  [[gnu::always_inline]] void update(const Lanes& pop, const Lanes& push, const Lanes* total) {
    if (flagged_ != 0) take(pop);
    if (arming_ != 0) flag_armed(push, total);
  }
  // Lanes in which update() of these leaves other flags.
  [[gnu::always_inline]] Lanes differs_after(const Lanes& pop, const Lanes& push) const {
    Lanes differs;
    for_each(arming_, [&](FlagNumber flag) __attribute__((always_inline)) {
      differs |= armed_[flag.number] & push;
    });
    for_each(flagged_, [&](FlagNumber flag) __attribute__((always_inline)) {
      for (std::uint32_t k = 0; k < depth_; ++k) differs |= place(flag)[k] & pop;
    });
    return differs;
  }

 private:
  static std::uint32_t bit(FlagNumber flag) { return 1u << flag.number; }
  // Calls visit(flag) for those of the bits.
  template <class Visit>
  [[gnu::always_inline]] static void for_each(std::uint32_t flags, Visit visit) {
    for (; flags != 0; flags &= flags - 1) {
      visit(FlagNumber(static_cast<std::uint32_t>(std::countr_zero(flags))));
    }
  }
  // The planes of the flag, from the head's on.
  Lanes* place(FlagNumber flag) const { return planes_ + flag.number * depth_; }
  void take(const Lanes& pop) {
    for_each(flagged_, [&](FlagNumber flag) __attribute__((always_inline)) {
      if (!move_places(place(flag), depth_, pop, {}).any()) flagged_ &= ~bit(flag);
    });
  }
  void flag_armed(const Lanes& push, const Lanes* total) {
    for_each(arming_, [&](FlagNumber flag) __attribute__((always_inline)) {
      Lanes& armed = armed_[flag.number];
      const Lanes now = armed & push;
      if (!now.any()) return;
      set_last(flag, now, total);
      armed.remove(now);
      if (!armed.any()) arming_ &= ~bit(flag);
    });
  }

  std::uint32_t depth_;
  // As bits: flags that some wavelet here has, and that some next one will have.
  std::uint32_t flagged_ = 0;
  std::uint32_t arming_ = 0;
  Lanes* planes_;
  std::array<Lanes, kFlags> armed_;
};

}  // namespace wse::vm::wafer
