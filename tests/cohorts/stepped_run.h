// A machine of one thread from one visit of its cores to the next, so that somebody can look at
// them between. It does what RunLoop does with one strip, and nothing is shown or put back: the
// cores are as they are, with all that ran ahead of the clock.
//
//     vm::SteppedRun run(machine);
//     while (!run.is_over()) { look(run.due()); run.visit(); look(run.core(0)); run.move(); }
#pragma once

#include <cstdint>
#include <vector>

#include "vm/planes/bits/grid.h"
#include "vm/run/machine.h"
#include "vm/strips/strip.h"

namespace wse::vm {

class SteppedRun {
 public:
  // Begins the run. The machine was created with one thread, has done nothing, and must live
  // longer.
  explicit SteppedRun(Machine& machine);

  bool is_over() const { return next() == kNever; }
  // The next cycle in which something happens by itself; kNever if there is none.
  Cycle next() const;
  // The PEs whose cores are visited in that cycle, ascending.
  std::vector<PeId> due() const;
  // Visits them.
  void visit();
  // The cycle of the last visits.
  Cycle last() const { return now_; }
  // Then moves what moves up to the next visit.
  void move();
  // The trap that has ended the run, in words; empty: there was none.
  std::string trap() const;

  const Core& core(PeId pe) const { return strip_.cores->core(pe); }
  // Returns the drains that its vector instructions leave to those after them.
  const isa::Succession& after(const Core& core) const { return strip_.cores->state().after(core); }
  const Loaded& loaded() const;
  // The blocks of 512 PEs that bit planes would have, whichever transport the machine has.
  wafer::Grid grid() const;
  bool is_on_planes() const;
  // Wavelets that were sent, and links that they passed, when the run is over.
  const Counters& counters() const { return strip_.ledger.counters; }

  // Seconds of the processor: of the cores' visits, and of the transport, which tells the cores of
  // elements that moved.
  double seconds_in_cores() const { return seconds_in_cores_; }
  double seconds_in_transport() const { return seconds_in_transport_; }

 private:
  Machine::Parts& parts_;
  Strip& strip_;
  Cycle now_ = 0;  // of the last visits
  double seconds_in_cores_ = 0;
  double seconds_in_transport_ = 0;
};

}  // namespace wse::vm
