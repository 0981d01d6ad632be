// Queues of wavelets, and the rule of room: the occupancy at the start of the cycle decides.
//
// A queue has one producer and one consumer, each acting at most once per cycle. So the occupancy
// at the start of a cycle is what is there now plus what was taken in this cycle; what was put in
// this cycle has no effect, because its producer has already decided.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "isa/profile.h"
#include "vm/time.h"

namespace wse::vm {

struct Wavelet {
  std::uint32_t data = 0;
  std::uint32_t hops : 30 = 0;     // links since its injection
  std::uint32_t control : 1 = 0;   // its data are commands, see isa/control_word.h
  std::uint32_t advances : 1 = 0;  // the switch of its sender's router advances behind it
  Cycle visible = 0;               // first cycle in which it can be taken
};

using QueueId = std::uint32_t;

// Places of every queue: those of the deepest kind, and one for a planted error to fill.
constexpr std::uint32_t queue_places(const isa::Profile& profile) {
  return std::max({profile.router_depth, profile.up_ramp_depth, profile.down_ramp_depth}) + 1;
}

class Queues {
 public:
  void resize(std::size_t count, std::uint32_t depth) {
    depth_ = depth;
    states_.resize(count);
    wavelets_.resize(count * depth);
  }

  bool empty(QueueId q) const { return states_[q].size == 0; }
  std::uint32_t size(QueueId q) const { return states_[q].size; }
  // The k-th wavelet from the head, k < size.
  const Wavelet& at(QueueId q, std::uint32_t k) const {
    return wavelets_[place(q, states_[q].head + k)];
  }
  const Wavelet& head(QueueId q) const { return at(q, 0); }
  bool visible(QueueId q, Cycle now) const { return states_[q].visible <= now; }
  // Whether the head is a control wavelet; the queue is not empty.
  bool is_control(QueueId q) const { return states_[q].control; }
  // Visible, and nothing was taken in this cycle yet.
  bool can_take(QueueId q, Cycle now) const {
    return states_[q].visible <= now && states_[q].popped != now;
  }

  std::uint32_t occupancy_at_start(QueueId q, Cycle now) const {
    return states_[q].size + (states_[q].popped == now ? 1u : 0u);
  }

  void push(QueueId q, const Wavelet& wavelet) {
    State& state = states_[q];
    wavelets_[place(q, std::uint32_t{state.head} + state.size)] = wavelet;
    if (++state.size == 1) show(state, wavelet);
  }
  Wavelet pop(QueueId q, Cycle now) {
    State& state = states_[q];
    const Wavelet wavelet = head(q);
    state.head = static_cast<Count>(state.head + 1u == depth_ ? 0 : state.head + 1u);
    --state.size;
    state.popped = now;
    state.visible = kNever;
    if (state.size > 0) show(state, head(q));
    return wavelet;
  }

 private:
  using Count = std::uint16_t;  // of places in a queue: there are many queues
  static_assert(isa::fits<Count>(&isa::Profile::router_depth));
  static_assert(isa::fits<Count>(&isa::Profile::up_ramp_depth));
  static_assert(isa::fits<Count>(&isa::Profile::down_ramp_depth));
  struct State {
    Count head = 0;
    Count size = 0;
    bool control = false;  // of the head, as is what follows: most questions end here
    Cycle visible = kNever;
    Cycle popped = kNever;  // the last cycle in which something was taken
  };
  static void show(State& state, const Wavelet& head) {
    state.visible = head.visible;
    state.control = head.control != 0;
  }
  // Where position `index` of the ring lies; index < 2 * depth.
  std::size_t place(QueueId q, std::uint32_t index) const {
    return std::size_t{q} * depth_ + (index < depth_ ? index : index - depth_);
  }

  std::uint32_t depth_ = 0;
  std::vector<State> states_;
  std::vector<Wavelet> wavelets_;
};

}  // namespace wse::vm
