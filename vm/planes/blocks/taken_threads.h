// The instructions of another machine that issue, or will: they continue here.
#pragma once

#include <cstdint>

#include "vm/contract/transport_state.h"
#include "vm/planes/blocks/ending_threads.h"
#include "vm/planes/blocks/held_slots.h"
#include "vm/planes/blocks/starting_threads.h"

namespace wse::vm::wafer {

class TakenThreads {
 public:
  struct Parts {  // all must live longer
    const Grid& grid;
    const Threads& threads;
    IssueTable& issue;
    Fifos& fifos;
    HeldSlots& held;
    StartingThreads& starting;
    EndingThreads& ending;
    MarkedSet& moving;  // blocks in which a thread moves, or a slot is held
  };
  explicit TakenThreads(const Parts& parts) : parts_(parts) {}

  // Takes the threads, slots and FIFOs of the PE, whose queues are taken. False if no machine of
  // the program has them like that.
  bool take(PeId pe, const TransportState& state, const TransportStates::BegunBy& begun_by,
            Cycle now);

 private:
  bool take_thread(ThreadId id, const TransportState::Thread& given,
                   const TransportStates::Begun& begun, Cycle now);
  // Whether the flow has a next issue after so many elements.
  static bool can_go_on(const Flow& flow, std::uint64_t issued);
  // A main thread that rests between two scalars may issue in cycle `next`.
  bool rest(ThreadId id, const Flow& flow, Cycle next, Cycle now);
  bool take_slots(PeId pe, const TransportState& state, Cycle now);
  bool take_fifos(PeId pe, const TransportState& state);

  Parts parts_;
};

}  // namespace wse::vm::wafer
