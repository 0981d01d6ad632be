// The state of a machine that several processes run, written as one process writes it: the first
// one takes pieces of a few megabytes of the others, and nobody holds all of it.
//
//     all       StatePieces pieces(machine);     hides the machine: what is written is what it is
//     others    pieces.piece(request)            until the first has all
//     first     pieces.write(writer, ...)
//     all       pieces.end()                     the machine continues
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "vm/contract/link.h"
#include "vm/run/machine.h"
#include "vm/support/state_archive.h"

namespace wse::vm {

class StatePieces {
 public:
  // The parts of a state that go PE by PE; and the sums and lists of a process, as bytes.
  enum class Part : std::uint32_t { Cores, Transport, Activities, Lines, Sums };
  struct Request {
    Part part = Part::Cores;
    std::uint64_t from = 0;  // PE, or byte

    template <class Archive>
    void pass(Archive& archive) {
      archive.below(part, static_cast<std::uint64_t>(Part::Sums) + 1);
      archive.number(from);
    }
  };
  // Returns the piece of a process; none if it cannot be had.
  using Fetch = std::function<std::optional<MessageBytes>(std::uint32_t process, Request request)>;

  // The machine, which must live longer, has stopped; until end() it shows nothing. All processes
  // that have strips make it at once. Throws LostStrip, as end() does, where another one is lost.
  explicit StatePieces(Machine& machine);
  StatePieces(const StatePieces&) = delete;
  StatePieces& operator=(const StatePieces&) = delete;
  ~StatePieces();
  // Shows the machine as before; all processes call it at once.
  void end();

  // Returns whether a machine has PEs here, without which it has no state to give.
  static bool has_any(const Machine& machine);
  // Returns the piece of a process without strips.
  static MessageBytes none();

  // Returns the bytes from there on, some megabytes or all that are left, behind where the next
  // piece begins and whether there is one.
  MessageBytes piece(const Request& request);

  // For the first process: writes the state of all. Returns false if a piece cannot be had, or is
  // broken: `process` is its number then. What the writer's sink does not take ends it, too.
  bool write(StateWriter& writer, std::uint32_t processes, const Fetch& fetch);
  std::uint32_t broken_process() const { return broken_process_; }

 private:
  struct Hidden;
  struct Gathered;

  void write_sums(StateWriter& writer);
  bool write_part(StateWriter& writer, Part part);
  std::optional<MessageBytes> all_sums_of(std::uint32_t process);
  std::optional<MessageBytes> fetched(std::uint32_t process, const Request& request);
  bool gather(Gathered& gathered);

  std::unique_ptr<Hidden> hidden_;
  MessageBytes sums_;  // of this process
  std::uint32_t processes_ = 1;
  Fetch fetch_;
  std::uint32_t broken_process_ = 0;
};

}  // namespace wse::vm
