// A machine in the hand: a host writes arrays, launches exported tasks, reads results, and launches
// again, while the time of the machine continues.
//
//     auto session = vm::Session::of(std::move(machine), {});
//     session->write("x", {}, bytes);              // before the first cycle, or where it stands
//     session->run();                              // main of every PE, to quiet
//     session->launch("step", std::array{isa::Number::of(3), isa::Number::of(0.5)});
//     session->read("y", {}, bytes);
//
//     New --run--> Quiet --launch--> Quiet --prepare--> Stopped --run--> Quiet ...
//                                                          |--run(until)--> Stopped
//                                                          `--------------> Broken
//
// Quiet: no task is ready, no wavelet is in a queue or on a link, and each unfinished instruction
// is one that lets a run halt. Memory can be read in every state. A call checks names, shapes,
// types and ranges before it acts: after an error of these the session is as it was. Exceptions of
// a callback, or std::bad_alloc, pass through. One thread at a time uses a session; several
// sessions may run at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/formula/formula.h"
#include "isa/support/result.h"
#include "vm/run/array_part.h"
#include "vm/run/launches.h"
#include "vm/run/machine.h"

namespace wse::vm {

// An exported task, as a host launches it.
struct LaunchInfo {
  std::string name;
  std::vector<isa::Type> arguments;  // never Colour; 16-bit ones are given as their numbers, too
};

class Session {
 public:
  enum class State : std::uint8_t {
    New,      // no cycle was done
    Quiet,    // launches may come
    Stopped,  // at a cycle, at the limit of cycles or by an interrupt: run() continues
    Broken,   // by a trap, a deadlock, wavelets that nobody takes: it is only looked at
  };

  // The machine must not have begun. Everything that `options` refers to must live as long as the
  // session. `options.max_cycles` bounds the cycles of all launches together.
  static std::unique_ptr<Session> of(std::unique_ptr<Machine> machine, const RunOptions& options);

  State state() const { return state_; }
  // Why the session is Broken or Stopped, in words; else "".
  const std::string& problem() const { return problem_; }
  Machine& machine() { return *machine_; }
  const Machine& machine() const { return *machine_; }

  // ---- time
  // Continues to quiet, or up to `until`: the cycles before it are done. The first call runs main
  // of every PE. A machine that is quiet before `until` waits up to it, if it is given. A cycle
  // that was done changes nothing. Errors: the session was Broken, or is now; the text is
  // problem(). It is no error to be Stopped.
  isa::Status run(Cycle until = kNever);
  // The first cycle that was not done.
  Cycle cycle() const { return Launches(*machine_).next_cycle(); }

  // ---- launches
  // The exported tasks of all programs on the grid, by name.
  const std::vector<LaunchInfo>& launches() const { return launches_; }
  // Runs to quiet first if nothing was run yet. Then activates the task at all PEs of `region`
  // (else of the grid) whose programs export it, as an `activate` would in cycle() plus
  // launch_cycles of the profile, and runs to quiet. The arguments come into their registers when
  // the task is picked; a task that the program blocks keeps them until it is. Errors: the session
  // is Stopped; no such task; a wrong number of arguments, a number that its type does not hold; a
  // region that leaves the grid or has no such task; a PE that executed `halt`; and those of run().
  isa::Status launch(std::string_view task, std::span<const isa::Number> arguments = {},
                     std::optional<PeRect> region = {});
  // Whether launches may come although the machine is Stopped: tasks were prepared, or elements
  // sent to a Quiet machine, and nothing has run since.
  bool is_prepared() const { return Launches(*machine_).are_prepared(); }
  // The same up to the activation: run() does the rest. Several tasks, or regions with arguments of
  // their own, can so be launched in one cycle.
  isa::Status prepare(std::string_view task, std::span<const isa::Number> arguments = {},
                      std::optional<PeRect> region = {});

  // ---- streams: in a session they have no length, and a receive from one may stay unfinished
  // Elements of each PE of the stream, in C order [height][width][n], in the low half of a word if
  // they have 16 bits. They enter in cycle() or when there is room, while run() or a launch goes
  // on. Runs to quiet first if nothing was run yet. Errors: the session is Broken; no such stream,
  // or one that leaves; words that are not as many for each PE; and those of run().
  isa::Status send(std::string_view stream, std::span<const std::uint32_t> words);
  // Takes the first n elements of each PE that have left, in that order. Errors: no such stream, or
  // one that enters; fewer have left: nothing is taken.
  isa::Result<std::vector<std::uint32_t>> receive(std::string_view stream, std::size_t n);
  // How many elements of each PE can be received. Errors: no such stream, or one that enters.
  isa::Result<std::size_t> arrived(std::string_view stream) const;

  // ---- records
  // Tells what was done since the last launch alone, or since the start if there was none: cycles,
  // counters, marks; machine().profile_array() and line_tables() do so, too. Its cycles count from
  // began(); texts of traps and prints have cycles of the machine. Valid until the next call that
  // runs or launches. Status Halted and an empty message: the session is Quiet.
  const Record& record();
  // The cycle in which that began.
  Cycle began() const { return Launches(*machine_).began(); }

  // ---- checkpoints: vm/checkpoint
  // The machine has taken up what another one has done: state() is what it was there. `problem`:
  // why it could not; then the session is Broken.
  void follow_machine(const std::string& problem = {});

  // ---- memory
  // Errors: no program exports such an array; a rectangle or elements that it does not have; a part
  // of a stream, which has none.
  isa::Result<PartShape> shape(std::string_view array, const ArrayPart& part = {}) const;
  // Copies a part from the machine, or to it: in C order [height][width][count], elements in the
  // type of the array, little-endian. PEs of the rectangle without the array give zeros, and skip
  // theirs. A stream has the elements of its declaration: what is written before the first cycle
  // enters first, and what has left first is read. Errors: those of shape(); a number of bytes that
  // is not that of the shape; a write to a stream after the first cycle, or to one that leaves.
  isa::Status read(std::string_view array, const ArrayPart& part, std::span<std::byte> to) const;
  isa::Status write(std::string_view array, const ArrayPart& part, std::span<const std::byte> from);
  // Any symbol of the program at one PE, exported or not. Errors: off the grid, no program there,
  // no such symbol.
  isa::Result<SymbolValue> symbol(std::uint32_t x, std::uint32_t y, std::string_view name) const;
  // Sets all elements of a symbol at one PE, a word each. Errors: the same; a wrong number of
  // words.
  isa::Status set_symbol(std::uint32_t x, std::uint32_t y, std::string_view name,
                         std::span<const std::uint32_t> words);

 private:
  explicit Session(std::unique_ptr<Machine> machine);

  isa::Status check_may_launch();
  isa::Status end_with(const Stop& stop, Cycle until);

  std::unique_ptr<Machine> machine_;
  std::vector<LaunchInfo> launches_;
  State state_ = State::New;
  std::string problem_;
};

}  // namespace wse::vm
