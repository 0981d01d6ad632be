// A machine that callers hold, with what was asked of it.
//
// One call at a time uses it (Use); the flag of interrupts alone is for everybody.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "vm/library/program.h"
#include "vm/profile/profile.h"
#include "vm/run/machine.h"
#include "vm/session/session.h"

namespace wse::library {

// A machine that has not begun, with the engine of its code.
struct MadeMachine {
  std::unique_ptr<vm::Engine> engine;
  std::unique_ptr<vm::Machine> machine;
};

// Errors: no such engine or machine, the program does not fit.
Fallible<MadeMachine> make_machine(const Program& program, const Choices& choices);

// Returns the options of a run as chosen. The flag ends it, and must live longer.
vm::RunOptions run_options(const Choices& choices, const std::atomic<bool>& interrupt);

class Machine {
 public:
  // The errors are those of make_machine().
  static Fallible<std::shared_ptr<Machine>> create(std::shared_ptr<const Program> program,
                                                   Choices choices);

  void hear_prints(wsevm_print print, void* user);
  Done hear_progress(wsevm_progress progress, void* user);

  // Returns an exported array or a stream. Errors: there is none of that name.
  Fallible<vm::ArrayInfo> array(const std::string& name);
  Done write(const std::string& name, const wsevm_rectangle* place, const wsevm_elements* elements,
             std::span<const std::byte> from);
  Done read(const std::string& name, const wsevm_rectangle* place, const wsevm_elements* elements,
            std::span<std::byte> to);
  Done write_symbol(std::uint32_t x, std::uint32_t y, const std::string& name,
                    std::span<const std::byte> from);
  Done read_symbol(std::uint32_t x, std::uint32_t y, const std::string& name,
                   std::span<std::byte> to);

  // Returns the state of the machine; verdict() says whether that is an error. Errors: something
  // that cannot be launched.
  Fallible<wsevm_status> run_until(std::uint64_t cycle);
  Fallible<wsevm_status> launch(const std::string& task, std::span<const double> arguments,
                                const wsevm_rectangle* place);
  Done prepare(const std::string& task, std::span<const double> arguments,
               const wsevm_rectangle* place);
  // Elements of an open stream, [height][width][n], n what the bytes are enough for. Errors: no
  // such stream, or one that goes the other way; bytes that are not as many for each PE; fewer
  // elements that have left; a machine that has ended badly.
  Done send(const std::string& stream, std::span<const std::byte> from);
  Done receive(const std::string& stream, std::span<std::byte> to);
  // Returns how many elements of each PE can be received.
  Fallible<std::size_t> arrived(const std::string& stream) const;
  // Returns the error of this state after a run up to `cycle`.
  Done verdict(wsevm_status status, std::uint64_t cycle) const;
  std::string launches_json();
  void interrupt() { interrupt_ = true; }
  std::uint64_t cycles() const { return session_->cycle(); }

  // Errors: nothing has run.
  Fallible<const vm::Record*> record() const;
  Fallible<const vm::Profile*> profile();
  const Program& program() const { return *program_; }

 private:
  friend class MachineFile;
  friend class Use;

  // Begins the session that all calls use.
  void begin(std::unique_ptr<vm::Machine> machine);
  // The PEs of a stream.
  struct StreamPart {
    std::size_t element_bytes = 0;
    std::size_t pes = 0;
  };
  Fallible<StreamPart> stream_part(const std::string& name, std::size_t bytes);
  // Returns the error of a launch or of elements that were refused: with this code, unless main has
  // run for them and has ended badly.
  Done refused(const std::string& why, wsevm_code code);
  // Keeps the record of what the machine has done. Returns its state.
  wsevm_status take_record();

  std::shared_ptr<const Program> program_;
  Choices choices_;
  std::unique_ptr<vm::Engine> engine_;  // of the session
  std::unique_ptr<vm::Session> session_;
  std::map<std::string, vm::ArrayInfo> arrays_;  // that were asked for
  std::atomic<bool> in_use_ = false;
  std::atomic<bool> interrupt_ = false;
  wsevm_print print_ = nullptr;
  void* print_user_ = nullptr;
  wsevm_progress progress_ = nullptr;
  void* progress_user_ = nullptr;
  bool is_good_ = true;  // what has run
  std::optional<vm::Record> record_;
  std::optional<vm::Profile> profile_;  // of the cycles done so far
};

// The use of a machine by one call.
class Use {
 public:
  // Errors: the handle names no machine, another call uses it.
  static Fallible<Use> begin(wsevm_machine handle);
  Use(Use&& other) noexcept : machine_(std::move(other.machine_)) {}
  Use& operator=(Use&&) = delete;
  ~Use() {
    if (machine_) machine_->in_use_ = false;
  }
  Machine* operator->() const { return machine_.get(); }
  Machine& operator*() const { return *machine_; }

 private:
  explicit Use(std::shared_ptr<Machine> machine) : machine_(std::move(machine)) {}

  std::shared_ptr<Machine> machine_;
};

}  // namespace wse::library
