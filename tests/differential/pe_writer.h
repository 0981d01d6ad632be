// Writes the program of one PE: data, then instructions chosen at random from the table.
//
// What is in flight on microthreads is kept in mind, so that a program waits before it touches
// arrays or colours that are still in use; only a mistake that was asked for is one. Every choice
// comes from the Random that is given, so a seed makes the same text everywhere.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "isa/instruction/instruction.h"
#include "isa/machine/profile.h"
#include "tests/support/random.h"

namespace wse::differential {

// Elements of the array `stamps`, into which a program notes the cycle counter in turn.
inline constexpr std::uint32_t kStamps = 12;

// A colour at one end of an instruction, and how many wavelets it moves.
struct End {
  std::string colour;
  std::uint32_t wavelets = 0;
  bool advance = false;
};

class PeWriter {
 public:
  // `everywhere`: a route that leads off a mesh. `may_lack`: nothing needs the FIFO of
  // mistakes.
  PeWriter(test_support::Random& random, const isa::Profile& machine, std::string name,
           const std::string& everywhere, bool may_lack);

  const std::string& name() const { return name_; }
  void line(const std::string& text) { code_ += "    " + text + "\n"; }
  void header(const std::string& text) { code_ += "  " + text + "\n"; }
  void directive(const std::string& text) { data_ += "  " + text + "\n"; }

  // What the program calls a colour: its name, or a parameter that is given its number.
  std::string colour(const std::string& name);
  std::string placement() const;  // what is after its place

  // One instruction from or to the fabric; each may become asynchronous.
  void send(const End& to, bool must_be_asynchronous = false);
  void receive(const End& from);
  void relay(const End& from, const End& to);
  void compute();  // vectors in memory
  void map();      // one instruction over the elements of a vector
  void loop_back(const std::string& completion);
  void scalars();      // a few scalar instructions
  void delay();        // a loop that only takes time
  void descriptors();  // registers that are changed, copied, stored and loaded
  void stamp();        // the cycle counter, into memory
  void control(const std::string& to, const std::string& word, bool advance);
  // pe_queues.cpp
  void queues();
  void gather();
  void receive_by_queue(const End& from, const std::string& ending);
  void relay_by_queue(const End& from, const End& to);
  std::uint32_t send_by_queue(const End& to);  // how many wavelets, at most that many
  void receive_until_control(const End& from);
  void receive_and_tell(const End& from);
  void relay_until_control(const End& from, const End& to);
  void end();  // of the code: `halt`, and the tasks that are told
  void wait_all();
  void branch();
  void call();
  // Forms of the language that become other code (pe_forms.cpp).
  void forms();
  void keep_registers();  // into memory, where they are compared
  void mistake();         // something that traps
  void split();           // continues in another task
  void server_task(const std::string& from, std::uint32_t halt_after, bool may_end);

  // In a task: nothing is known of what is in flight, and nothing may be left there.
  void in_task(bool yes) { in_task_ = yes; }

  std::string text() const;  // the whole .program

 private:
  struct Use {
    std::set<std::string> read;
    std::set<std::string> written;
    std::set<std::string> from;  // colours
    std::set<std::string> to;
  };
  template <class Wanted>
  const isa::InstructionInfo& some_row(Wanted wanted) {
    for (;;) {
      const isa::InstructionInfo& row = isa::kInstructions[random_.below(isa::kInstructionCount)];
      if (wanted(row)) return row;
    }
  }
  struct Queue {
    std::string name;
    isa::OperandType type = isa::OperandType::I32;
    std::uint32_t capacity = 0;  // none yet
    std::uint32_t inside = 0;    // when all that is in flight has ended
  };
  struct Array {
    std::size_t type = 0;
    std::uint32_t number = 0;
    std::string name;
  };
  void jump_through_table();
  void work_through_view();
  void take_address();
  void take_element();
  void take_role();
  void call_library();
  const isa::InstructionInfo& vector_row();
  static std::size_t sources_of(const isa::InstructionInfo& row);
  Array some_array(isa::OperandType type, std::uint32_t first);  // with a number from `first` on
  Queue& queue(bool half);
  Use push(Queue& queue, std::uint32_t count, bool asynchronously);
  void pop(Queue& queue, std::uint32_t count, bool asynchronously, const Use& beside = {});
  void settle_queue(const Queue& queue);
  std::string named(isa::OperandType type, std::uint32_t count, bool written, Use& use);
  std::string told_task();
  struct MapShape {
    std::uint32_t count = 0;  // elements for each scalar
    std::uint32_t scalars = 0;
  };
  std::string mapped_memory(isa::OperandType type, const MapShape& shape, std::uint32_t d,
                            bool written, Use& use);
  std::string memory(isa::OperandType type, std::uint32_t count, bool written, Use& use);
  std::string elements(const Array& array, std::uint32_t count);
  std::string counted(const Array& array, std::uint32_t first, std::uint32_t count,
                      std::uint32_t stride);
  std::string holding(std::uint32_t value);
  std::optional<std::string> box(const std::string& array, std::uint32_t count);
  std::string source(const isa::InstructionInfo& row, std::size_t k, std::uint32_t count, Use& use);
  std::string scalar(isa::OperandType type);
  std::string options(isa::OperandType type, bool out, std::uint32_t& count);
  void settle(const Use& use);
  std::string asynchronous(const Use& use, bool must, const std::string& completion = "");
  // For what may come when other code runs.
  std::string landing() { return "r" + std::to_string(4 + random_.below(4)); }
  std::string reg() { return "r" + std::to_string(random_.below(8)); }

  test_support::Random& random_;
  const isa::Profile& machine_;
  std::string name_;
  std::string data_;
  std::string code_;
  std::array<std::optional<Use>, isa::kMicrothreads> in_flight_;
  std::map<std::string, std::string> colours_;
  std::array<Queue, 2> queues_;  // of 32-bit and of 16-bit elements
  std::vector<std::string> told_;
  std::uint32_t labels_ = 0;
  std::uint32_t places_ = 0;  // values that registers were given for slices
  std::uint32_t stamps_ = 0;
  std::uint32_t tasks_ = 0;
  bool has_forbidden_;     // a FIFO that only mistakes use
  bool has_role_ = false;  // a constant parameter
  bool has_views_ = false;
  bool in_task_ = false;
};

}  // namespace wse::differential
