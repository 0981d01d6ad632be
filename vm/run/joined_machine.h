// A machine that several processes ran, as one: after a stop the state of each share goes to one
// process, where a machine takes up all of them, one after the other. It shows what a machine of
// one process shows: record, texts, profile, and the symbols that were asked for.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vm/contract/link.h"
#include "vm/run/machine.h"

namespace wse::vm {

class JoinedMachine {
 public:
  // Returns the share of this process in a machine that has stopped; of memory it has the symbols
  // of these names. All processes call it at once, since words that they lack come from each other.
  static MessageBytes share_of(Machine& machine, std::span<const std::string> symbols);

  // Makes a machine for the shares of so many processes with these symbols, instead of this
  // process's part of it, which ends. Errors: out of memory.
  static isa::Attempt<JoinedMachine> begin(std::unique_ptr<Machine> own, std::uint32_t processes,
                                           std::vector<std::string> symbols);
  // Takes the share of the next process. Errors: it cannot be read; out of memory.
  isa::Attempt<void> add(std::span<const std::byte> share);
  // After all shares: returns the machine, which cannot go on, and shows all of them.
  std::unique_ptr<Machine> finish();

 private:
  // The work of the executors of processes, as they report it.
  struct Told {
    NativeWork native;
    std::string engine_problem;

    template <class Archive>
    void pass(Archive& archive);
    void join(const Told& other);
  };

  JoinedMachine() = default;

  std::unique_ptr<Machine> machine_;
  std::vector<std::string> symbols_;
  std::uint32_t shares_ = 0;  // that were added
  Told told_;
  // Parts of the record that come from the machine of this process.
  std::string engine_name_;
  bool on_wafer_ = false;
  std::string transport_reason_;
  double wall_seconds_ = 0;
};

}  // namespace wse::vm
