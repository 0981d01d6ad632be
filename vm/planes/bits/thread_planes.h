// The threads of a block of PEs, as planes: who moves elements, what for, and who has the slots.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "vm/planes/bits/fifo_planes.h"
#include "vm/planes/bits/lane_counters.h"
#include "vm/planes/bits/lanes.h"
#include "vm/planes/bits/router_planes.h"

namespace wse::vm::wafer {

// The lanes of a thread that take from, or send to, one colour.
struct RampUse {
  RouterPlanes* router = nullptr;
  std::uint32_t number = 0;  // of it
  Lanes lanes;
  Lanes halved;          // of these, packed: one of two issues takes, or sends, a wavelet
  Lanes controls;        // of these, who takes control wavelets too
  bool is_busy = false;  // some of them issued in this cycle
};

// The threads of one number in a block.
struct ThreadPlanes {
  Lanes moving;
  Lanes in_send_slot;
  Lanes slow;     // a bank conflict holds the slot for a second cycle
  Lanes sending;  // to whatever colour
  Lanes control;  // what is sent are control wavelets
  // Packed wavelets whose two elements issue one after the other: taken with the first, sent with
  // the second or the last of all.
  Lanes halved;
  Lanes sends_halved;
  Lanes second;             // the next element is a second one
  bool has_halved = false;  // ever
  DownCounter left;
  std::vector<RampUse> inputs;
  std::vector<RampUse> outputs;
  std::unique_ptr<FifoWaits> fifos;  // nullptr: nothing has used any yet
  bool has_controls = false;         // an input that takes control wavelets, ever
  bool has_named = false;            // wavelets that name elements, ever
  Lanes named;
  // The events of this cycle; `issued` stays while the block rests.
  Lanes issued;
  bool has_issued = false;
  Lanes ended;
  Lanes cut;               // ended before their last element
  Lanes controlled;        // took control wavelets
  bool has_ended = false;  // some have, either way
};

// Main threads that rest between two scalars of a mapped instruction, where the machine has such
// gaps.
struct MapPlanes {
  Lanes moving;              // what they move is mapped
  RoundCounter round;        // issues for one scalar
  std::vector<Lanes> rests;  // [k]: k more cycles after this one; the last one is that of a stall
  bool gap_begins = false;   // of a lane, in this cycle
  bool has_rests = false;    // in this cycle

  explicit MapPlanes(std::uint32_t gap_cycles) : rests(gap_cycles + 1) {}
};

// Activities of the PEs of a block in a cycle; none of these: idle.
struct ActivityPlanes {
  Lanes busy;
  Lanes stalled;
  Lanes wait_output;
  Lanes wait_input;
  Lanes by_fifo;  // of those that wait: a FIFO is empty or full
};

inline constexpr std::uint32_t kSlots = 2;  // compute, send

struct IssuePlanes {
  std::vector<std::unique_ptr<ThreadPlanes>> threads;  // by number; nullptr: no PE has it
  std::unique_ptr<MapPlanes> maps;                     // nullptr: nothing has rested yet
  std::vector<std::unique_ptr<FifoPlanes>> fifos;      // by number, as many as a PE has at most
  Lanes scalar;                                        // code holds the compute slot
  std::array<Lanes, kSlots> held;                      // by bank conflicts, in this cycle
  ActivityPlanes activity;
  Lanes otherwise;  // who does something else than in the cycle before
  bool is_otherwise = false;
  // The events of this cycle that routers must know, as bits of the colours of the block.
  bool has_ended = false;
  bool has_control = false;
  bool has_controlled = false;  // control wavelets were taken
  bool has_named = false;       // wavelets named elements
  bool has_left = false;        // FIFOs have been full or empty, and are not
  bool repeats = true;          // with the same queues the next cycle is as this one
};

}  // namespace wse::vm::wafer
