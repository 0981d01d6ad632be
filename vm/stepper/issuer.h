// The issue slots of the PEs: which thread moves elements in which cycle.
//
// shared: one slot per cycle, main thread first, then microthreads 0..7.
// duplex: sends (memory and scalars in, fabric out) have a second slot; the up-ramp still takes one
//         wavelet per cycle, the compute slot first.
// A thread that cannot go on lets the next one have the slot.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "isa/profile.h"
#include "vm/activity.h"
#include "vm/boundary.h"
#include "vm/counters.h"
#include "vm/stepper/agendas.h"
#include "vm/stepper/fabric.h"
#include "vm/stepper/fifo_levels.h"
#include "vm/trace.h"

namespace wse::vm {

class Issuer {
 public:
  // All references must live longer than the issuer.
  Issuer(std::size_t pes, const isa::Profile& profile, Fabric& fabric, Agendas& agendas,
         ActivityLog& activity, Counters& counters, Tracer& tracer);

  void connect(TransportClient& client) { client_ = &client; }

  // The thread, which must be free, moves elements from cycle `earliest` on.
  void begin(ThreadId thread, const Flow& flow, Cycle earliest);

  // Scalar code of the main thread holds the (compute) slot in cycles from .. until - 1.
  void hold_slot(PeId pe, Cycle until) { pes_[pe].scalar_until = until; }

  // True if a bank conflict holds the (compute) slot in this cycle.
  bool slot_held(PeId pe, Cycle now) const { return now < pes_[pe].held_until[0]; }

  // Every PE that has something to issue in this cycle does.
  void step(Cycle now);

  // Where the machine stops, before cycle `end`: applies what has issued but was kept back, so that
  // memory and counters are exact.
  void flush(Cycle end);

  // Before the first cycle: the FIFOs of the PE, by number.
  void set_fifos(PeId pe, const std::vector<std::uint32_t>& capacities) {
    pes_[pe].fifos = FifoLevels(capacities);
  }

  // For explanations.
  std::vector<WaitingThread> waiting(PeId pe, Cycle now) const;
  const FifoLevels& fifos(PeId pe) const { return pes_[pe].fifos; }

 private:
  static constexpr std::uint32_t kBuffered = 64;  // elements kept before they are applied; even

  struct ActiveThread {
    std::uint32_t thread = 0;
    Flow flow;
    ChannelId in[kInputs] = {kNoChannel, kNoChannel, kNoChannel};
    ChannelId out = kNoChannel;
    std::uint64_t issued = 0;
    std::uint64_t applied = 0;   // sends: computed ahead
    Cycle next = 0;              // first cycle in which it may issue again
    Cycle unseen_from = kNever;  // issues of this cycle and later ones, before `next`, are not seen
    std::array<std::vector<std::uint32_t>, 2> words_in;  // wavelets with elements not applied
    std::uint32_t index_in = 0;                          // of the destination, of this element
    std::uint64_t first_out = 0;                         // sends: the element that begins words_out
    std::vector<std::uint32_t> words_out;                // sends: applied, not issued
    std::uint32_t word_out = 0;                          // applied at once: of this wavelet
    // The element behind those that issue next.
    std::uint64_t end() const {
      return issued + std::min<std::uint64_t>(flow.length - issued, flow.elements_per_issue);
    }
    // Computed a range ahead, for nothing can change what it will send.
    bool runs_ahead() const { return flow.is_send() && !flow.at_once; }
  };
  struct Pe {
    std::vector<ActiveThread> threads;         // ascending by number
    Cycle scalar_until = 0;                    // scalar code has the compute slot before this cycle
    std::array<Cycle, 2> held_until = {0, 0};  // bank conflicts hold the compute, the send slot
    FifoLevels fifos;
  };
  struct Slots {
    std::array<bool, 2> taken = {false, false};  // compute, send
    bool up_ramp = false;
    bool issued = false;
    bool wants_output = false;
    bool wants_input = false;
    Cycle wake = kNever;
  };

  void step_pe(PeId pe, Cycle now);
  // If all that can happen on the PE is that one thread, which has issued in this cycle, issues
  // again and again, nobody looks at it before its last issue. False if it is not so.
  bool leave_alone(PeId pe, Cycle now);
  static bool is_left_alone(const Pe& state, Cycle now) {
    if (state.threads.empty()) return false;
    const ActiveThread& thread = state.threads.front();
    return thread.unseen_from != kNever && now < thread.next;
  }
  // Counts the issues before cycle `end` that were not seen.
  void catch_up(ActiveThread& thread, Cycle end);
  // 0: the compute slot, which is the only one in shared mode; 1: the send slot of duplex.
  std::size_t slot_of(const ActiveThread& thread) const;
  void try_thread(PeId pe, ActiveThread& thread, Slots& slots, Cycle now);
  // Takes control wavelets that stand where the next element should come from; true if it did.
  bool take_controls(PeId pe, ActiveThread& thread, Cycle now);
  void refuse_rest(PeId pe, const ActiveThread& thread);
  void end_early(PeId pe, ActiveThread& thread, Cycle next);
  bool fifos_filled(PeId pe, const ActiveThread& thread, Cycle now) const;
  bool fifo_has_room(PeId pe, const ActiveThread& thread, Cycle now) const;
  bool inputs_ready(const ActiveThread& thread, Cycle now) const;
  bool output_ready(const ActiveThread& thread, const Slots& slots, Cycle now) const;
  void issue(PeId pe, ActiveThread& thread, Cycle now);
  void issue_words(PeId pe, ActiveThread& thread, std::uint64_t end, Cycle now);
  void move_fifos(PeId pe, const ActiveThread& thread, Cycle now);
  void apply_inputs(PeId pe, ActiveThread& thread, std::uint64_t end, std::uint32_t* word_out,
                    Cycle now);
  std::uint32_t next_word_out(PeId pe, ActiveThread& thread, std::uint64_t end, Cycle now);
  void inject(const ActiveThread& thread, std::uint32_t word, std::uint64_t end, Cycle now);
  void apply_rest(ThreadId id, ActiveThread& thread);
  void remove_finished(PeId pe);

  const isa::Profile& profile_;
  Fabric& fabric_;
  Agendas& agendas_;
  ActivityLog& activity_;
  Counters& counters_;
  Tracer& tracer_;
  TransportClient* client_ = nullptr;
  std::vector<Pe> pes_;
};

}  // namespace wse::vm
