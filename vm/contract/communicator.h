// A communicator: links and reductions of the strips of one machine. vm/strips/shared_memory.h has
// one for strips that are threads of a process; one whose strips are processes, on one host or on
// several, implements the same.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "vm/contract/link.h"
#include "vm/contract/reduce.h"

namespace wse::vm {

class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual Link& link(std::uint32_t strip) = 0;
  virtual Reduce& reduce(std::uint32_t strip) = 0;
  // Whether this process runs the strip; the others are run elsewhere, and stay here as they were
  // when the machine was made.
  virtual bool runs(std::uint32_t strip) const = 0;

  // One thread works for all strips of this process, or no longer: where it waits for the mail of
  // one it serves for the others.
  virtual void work_alone(bool /*alone*/) {}
  // Joins the report of all strips of this process, whose thread works alone, with those of other
  // processes. Serves for these strips until the others are as far. Throws LostStrip as Reduce
  // does.
  virtual StripReport join_others(const StripReport& report) { return report; }

  // ---- for the first strip of each process, between two reductions
  // Gives bytes to the process that runs strip 0, with the next reduction.
  virtual void tell(MessageBytes /*bytes*/) {}
  // Returns what other processes have told this one with the last reduction, in their order.
  virtual std::vector<MessageBytes> take_told() { return {}; }
};

// Where strips meet: makes a communicator for each machine.
class Medium {
 public:
  virtual ~Medium() = default;

  virtual std::unique_ptr<Communicator> connect(std::uint32_t strips) const = 0;
  // Threads that a process needs to run its part of so many strips.
  virtual std::uint32_t threads(std::uint32_t strips) const = 0;
  // Returns how many processes run machines together.
  virtual std::uint32_t processes() const { return 1; }
  // Returns whether machines run; else they show what others have done: PEs get no initial data.
  virtual bool may_run() const { return true; }
};

}  // namespace wse::vm
