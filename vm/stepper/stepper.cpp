// The loop over cycles.
#include "vm/stepper/stepper.h"

#include <algorithm>

#include "vm/stepper/coming_visits.h"

namespace wse::vm {

Stepper::Stepper(const Parts& parts)
    : trap_(parts.trap),
      agenda_(parts.pes),
      pes_(parts.pes),
      parts_{parts.image, parts.mesh, parts.profile, parts.channels, parts.pes,  pes_,  parts.link,
             parts.ends,  agenda_,    parts.streams, parts.ledger,   parts.trap, relay_},
      state_(parts_),
      ramps_(parts_, state_),
      switching_(parts_, state_),
      border_(parts_, state_),
      fabric_(parts_, {state_, ramps_, switching_, border_}),
      issuer_(parts.profile, {pes_, ramps_, agenda_, parts.ledger, relay_}),
      view_({state_, ramps_, fabric_, issuer_.threads()}),
      counts_(parts.mesh, parts.pes, state_),
      whole_(parts.pes,
             {parts.mesh, parts.channels, state_, issuer_.threads(), fabric_.links(), agenda_}) {}

void Stepper::connect(TransportClient& client) {
  relay_.client = &client;
  issuer_.threads().open_places();
}

Cycle Stepper::run(Cycle from, Cycle until, const std::atomic<bool>* stop) {
  relay_.told = false;
  const auto is_over = [&] {
    return relay_.told || trap_.first() ||
           (stop != nullptr && stop->load(std::memory_order_relaxed));
  };
  if (agenda_.next() >= until && !switching_.has_writes()) return is_over() ? from + 1 : until;
  for (Cycle now = from; now < until; now = std::max(now + 1, next())) {
    step(agenda_.take(now), now);
    switching_.apply_writes(now);
    if (is_over()) return now + 1;
  }
  return until;
}

void Stepper::step(std::span<const PeId> due, Cycle now) {
  fabric_.begin_cycle(now);
  const Agenda::Due next = agenda_.due(now + 1);
  const ComingVisits coming(
      {pes_, issuer_.threads(), state_, parts_.channels, parts_.ledger, relay_});
  for (std::size_t k = 0; k < due.size(); ++k) {
    coming.prefetch(due, k);
    SteppedPe& pe = pes_[due[k]];
    const std::uint32_t standing = pe.standing;
    const bool issued = issuer_.step(due[k], pe.issuing, now);
    const bool moved = fabric_.step(due[k], standing, now);
    // A PE is woken by all that comes to it, which is true of what it has sent now. A wavelet that
    // stood there may have waited for the place of a word that it has taken.
    const bool has_threads = pe.issuing.moving != 0;
    const bool issues_more = has_threads || !pe.issuing.has_all_slots(now + 1);
    const bool goes_on =
        (issued && (issues_more || standing != 0)) || (moved && (has_threads || pe.standing != 0));
    if (goes_on) next.add(due[k]);
  }
  state_.peaks().look_at(state_.queues());
}

}  // namespace wse::vm
