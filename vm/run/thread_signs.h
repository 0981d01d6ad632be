// Signs that a waiting thread has done something between two stops of its machine, on any
// transport and without an observer.
//
// A thread that waits for the fabric does nothing before a word leaves one of its down-ramps or
// enters its up-ramp; a main thread that waits for others, nothing before one of them has; one
// between two tasks, nothing before a pick. All of these are counted, and no count ever goes back.
#pragma once

#include <cstdint>
#include <vector>

#include "vm/pe/in_flight.h"
#include "vm/run/machine.h"

namespace wse::vm {

class ThreadSigns {
 public:
  // The machine has stopped, and the thread waits.
  ThreadSigns(const Machine& machine, ThreadId thread);

  // False: the thread may do something and leave no sign.
  bool are_sure() const { return are_sure_; }
  // At a later stop, or after Advance::pass(): false if the thread has certainly done nothing since
  // the last call, or since the first stop. The machine is the same, or one that does what it did.
  bool have_changed(const Machine& machine);

 private:
  void look_at(const InFlight& instruction);
  std::vector<std::uint64_t> read(const Machine& machine) const;

  ThreadId thread_;
  bool are_sure_ = true;
  bool is_picker_ = false;     // it waits for a task
  std::uint32_t threads_ = 0;  // whose instructions it waits for, as bits
  std::vector<std::uint64_t> last_;
};

}  // namespace wse::vm
