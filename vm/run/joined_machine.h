// A machine that several processes ran, as one: the state of each share, after a stop, goes to one
// process, where a machine takes up all of them. It shows what a machine of one process shows:
// record, texts, arrays, profile.
#pragma once

#include <memory>
#include <span>

#include "vm/contract/link.h"
#include "vm/run/machine.h"

namespace wse::vm {

class JoinedMachine {
 public:
  // Returns the share of this process in a machine that has stopped. All processes call it at once,
  // since words that they lack come from each other.
  static MessageBytes share_of(Machine& machine);

  // Takes the shares of all processes, in their order, each of which is forgotten when it has been
  // read, and this process's part of the machine, which ends. Returns a machine that cannot go on.
  // Errors: out of memory; a share that cannot be read.
  static isa::Attempt<std::unique_ptr<Machine>> join(std::unique_ptr<Machine> own,
                                                     std::span<MessageBytes> shares);
};

}  // namespace wse::vm
