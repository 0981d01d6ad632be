// The share of a process in a run: what the strips that it runs have counted and met. A machine
// whose strips are one process's has all of it, and a record says more; of several processes the
// shares are added up.
#pragma once

#include <vector>

#include "vm/contract/counters.h"
#include "vm/contract/transport.h"
#include "vm/contract/trap_report.h"
#include "vm/ledger/record.h"
#include "vm/run/machine.h"
#include "vm/support/pe_range.h"

namespace wse::vm {

class Share {
 public:
  // The machine, which must live longer, has stopped.
  explicit Share(const Machine& machine) : machine_(machine) {}

  // The end of the run so far, and its cycles.
  RunStatus status() const;
  Cycle cycles() const;
  // Returns the PEs of all strips that run here; none if there are none.
  PeRange all_pes() const;
  // The PEs of each strip that runs here, ascending.
  std::vector<PeRange> pes() const;
  Counters counters() const;
  TransportTotals totals() const;
  // The earliest trap of these strips; null if none of them trapped.
  const TrapReport* trap() const;
  // By mark of the image: how often PEs of these strips passed it.
  const std::vector<MarkRecord>& marks() const;

 private:
  template <class Visit>
  void for_each_strip(Visit visit) const;

  const Machine& machine_;
};

}  // namespace wse::vm
