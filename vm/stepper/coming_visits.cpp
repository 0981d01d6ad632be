// The lines that only runs need of which causes are kept.
#include "vm/stepper/coming_visits.h"

namespace wse::vm {

void ComingVisits::prefetch_rest(Parts parts, std::span<const PeId> due, std::size_t at) {
  using Fetch = TransportClient::Fetch;
  const ThreadTable& threads = parts.threads;
  const Causes& causes = *parts.ledger.causes;
  const auto fetch_of_core = [&](PeId pe, Fetch what) {
    if (const auto first = threads.first_moving(pe)) {
      parts.relay.fetch({pe, *first}, what, threads.thread_of(threads.at(pe), *first).applied);
    }
  };
  if (at + 5 * kNear < due.size()) causes.prefetch(due[at + 5 * kNear]);
  if (at + 4 * kNear < due.size()) fetch_of_core(due[at + 4 * kNear], Fetch::Core);
  if (at + 3 * kNear < due.size()) {
    const PeId pe = due[at + 3 * kNear];
    threads.prefetch_operands(pe);
    parts.state.for_each_near_queue(
        pe, [&](QueueId queue) { causes.prefetch_queue(number_of(queue)); });
    fetch_of_core(pe, Fetch::Instruction);
  }
  if (at + 2 * kNear < due.size()) fetch_of_core(due[at + 2 * kNear], Fetch::Operands);
}

}  // namespace wse::vm
