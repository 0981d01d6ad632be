// Asks the host for what the next visits of a cycle look at: a visit takes as long as memory does.
//
//     visit now    +12          +18      +24                +30
//                  operands     queues   threads, channels  its line
//
// Each of these leads to those before it. Operands, and what the core holds of instructions, are
// asked for only where causes of events are kept.
#pragma once

#include <cstddef>
#include <span>

#include "vm/contract/relay.h"
#include "vm/ledger/ledger.h"
#include "vm/stepper/router_state.h"
#include "vm/stepper/stepped_pe.h"
#include "vm/stepper/thread_table.h"

namespace wse::vm {

class ComingVisits {
 public:
  struct Parts {  // all must live longer
    const SteppedPes& pes;
    const ThreadTable& threads;
    const RouterState& state;
    const ChannelMap& channels;
    const Ledger& ledger;
    Relay& relay;
  };
  explicit ComingVisits(const Parts& parts)
      : parts_(parts), are_many_(parts.pes.range().size() >= kMany) {}

  // Asks for what visits behind that of due[at], which is next, look at; for nothing where PEs are
  // so few that caches hold them.
  [[gnu::always_inline]] void prefetch(std::span<const PeId> due, std::size_t at) const {
    if (!are_many_) return;
    prefetch_lines(due, at);
    if (parts_.ledger.causes != nullptr) prefetch_rest(parts_, due, at);
  }

 private:
  static constexpr std::size_t kMany = 1024;
  static constexpr std::size_t kNear = 6;

  [[gnu::always_inline]] void prefetch_lines(std::span<const PeId> due, std::size_t at) const {
    if (at + 5 * kNear < due.size()) vm::prefetch(&parts_.pes[due[at + 5 * kNear]]);
    if (at + 4 * kNear < due.size()) {
      const PeId pe = due[at + 4 * kNear];
      const SteppedPe& stepped = parts_.pes[pe];
      parts_.threads.prefetch_threads(stepped.issuing);
      parts_.state.prefetch_channels(pe, stepped.standing);
    }
    if (at + 3 * kNear < due.size()) {
      const PeId pe = due[at + 3 * kNear];
      const SteppedPe& stepped = parts_.pes[pe];
      parts_.state.prefetch_queues(pe, stepped.standing);
      if (parts_.threads.prefetch_ramp(stepped.issuing)) {
        parts_.ledger.history.prefetch_words(parts_.channels.first(pe));
      }
    }
  }
  // Asks for the rest, for beside causes of events nothing stays in the caches of a host's core.
  // Gets a copy, so that compilers keep the others in registers.
  static void prefetch_rest(Parts parts, std::span<const PeId> due, std::size_t at);

  Parts parts_;
  bool are_many_;
};

}  // namespace wse::vm
