// Sums over the strips of a process.
#include "vm/run/share.h"

#include <tuple>

#include "vm/run/parts.h"
#include "vm/strips/loads.h"

namespace wse::vm {

template <class Visit>
void Share::for_each_strip(Visit visit) const {
  for (const auto& strip : machine_.parts_->strips) visit(*strip);
}

std::vector<PeRange> Share::pes() const {
  std::vector<PeRange> ranges;
  for_each_strip([&](const Strip& strip) { ranges.push_back(strip.pes); });
  return ranges;
}

RunStatus Share::status() const { return machine_.parts_->status; }

Cycle Share::cycles() const { return machine_.parts_->since.from_there(machine_.parts_->cycles); }

PeRange Share::all_pes() const { return machine_.parts_->strips.pes(); }

Counters Share::counters() const {
  Counters sum;
  for_each_strip([&](const Strip& strip) { sum.add(strip.ledger.counters); });
  return sum;
}

TransportTotals Share::totals() const {
  const Machine::Parts& p = *machine_.parts_;
  TransportTotals sum;
  for_each_strip([&](const Strip& strip) {
    sum.add(totals_of(p.mesh, *strip.transport, strip.pes, p.since.arrived));
  });
  return sum;
}

const TrapReport* Share::trap() const {
  const TrapReport* first = nullptr;
  for_each_strip([&](const Strip& strip) {
    if (!strip.trap.first()) return;
    const TrapReport& trap = *strip.trap.first();
    if (first == nullptr || std::tie(trap.cycle, trap.pe) < std::tie(first->cycle, first->pe)) {
      first = &trap;
    }
  });
  return first;
}

const std::vector<MarkRecord>& Share::marks() const { return machine_.parts_->marks; }

}  // namespace wse::vm
