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
  // Makes one beside this process's part, which stays: symbols come later.
  static isa::Attempt<JoinedMachine> begin_beside(const Machine& own, std::uint32_t processes);
  // Takes the share of the next process. Errors: it cannot be read; out of memory.
  isa::Attempt<void> add(std::span<const std::byte> share);
  // After all shares: returns the machine, which cannot go on, and shows all of them.
  std::unique_ptr<Machine> finish();

  // Returns what a symbol holds at the PEs of this process, whose machine has stopped.
  static MessageBytes symbol_of(Machine& own, const std::string& symbol);
  // Puts that of another process into a machine that finish() has returned. False: it is broken.
  static bool take_symbol(Machine& joined, const std::string& symbol,
                          std::span<const std::byte> bytes);

 private:
  // The work of the executors of processes, as they report it.
  struct Told {
    NativeWork native;
    std::string engine_problem;

    template <class Archive>
    void pass(Archive& archive);
    void join(const Told& other);
  };

  // Remembers what the record takes from the machine of this process.
  JoinedMachine(const Machine& own, std::vector<std::string> symbols);
  // Makes the machine of so many processes, like `own`, of which the image may be gone.
  struct Likeness;
  isa::Attempt<void> make(Likeness likeness);

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
