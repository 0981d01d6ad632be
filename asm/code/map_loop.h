// The loop that `map D, f, A` becomes: it calls f for every element.
//
//     mov32 k, first          k: a register for every way in which operands are walked
//   loop:
//     mov32 index, k          if the line asks for the number of the element
//     ld32  argument, A[k]    or a scalar, or one word from the fabric: a vector move
//     call  link, f
//     st32  result, D[k]      or a register, or one word to the fabric
//     add32 k, k, stride
//     bne   k, end, loop
//
// The function may change any register that its program names: what the loop needs lies in others.
#pragma once

#include <optional>
#include <vector>

#include "asm/code/code_writer.h"

namespace wse::assembler {

// How the elements of an operand follow each other; equal ways share a register.
struct MapWalk {
  std::int64_t first = 0;
  std::int64_t stride = 1;
  std::vector<RegisterTerm> terms{};              // added to `first`
  std::optional<RegisterTerm> run_time_stride{};  // in place of `stride`
  std::uint32_t index = 0;                        // the register
  std::uint32_t stride_register = 0;              // of the loop, if the stride is known to the run

  bool same_way(const MapWalk& other) const {
    return first == other.first && stride == other.stride && terms == other.terms &&
           run_time_stride == other.run_time_stride;
  }
  // It surely comes to another element.
  bool moves() const { return stride != 0 && !run_time_stride; }
};

// One operand of the loop.
struct MapOperand {
  OperandPlan operand;
  isa::OperandType type = isa::OperandType::Any32;
  const isa::Symbol* array = nullptr;  // of memory
  std::size_t walk = 0;                // its way, of memory

  bool is_memory() const {
    return operand.descriptor && operand.descriptor->kind == isa::DescriptorKind::Memory;
  }
};

class MapLoop {
 public:
  MapLoop(ProgramContext& context, CodeWriter& code, const HeaderPlan& function)
      : c_(context), code_(code), function_(function) {}

  // The destination first. A vector operand; false after an error.
  bool add_vector(OperandPlan operand, std::optional<isa::Type> declared);
  // The same in every turn.
  void add_scalar(OperandPlan operand, isa::OperandType type);
  // A register that gets the number of the element.
  void count_in(OperandPlan index) { index_ = std::move(index); }

  void emit(const Named& name);

 private:
  bool refuse(const OperandPlan& operand);
  bool add_walk(MapOperand& made);
  bool check_type(const MapOperand& made, std::optional<isa::Type> declared);
  bool check_registers();
  bool check_lengths();
  std::optional<std::int64_t> most_elements() const;
  bool find_length(const Named& name);
  std::size_t walk_number(const MapWalk& walk);
  bool keep_registers();
  void set_indices();
  void check_run_time(std::uint32_t done);
  void set_end();
  void turn();
  void take(const MapOperand& operand, std::uint32_t argument);
  void give(const MapOperand& operand);
  void advance(const MapWalk& walk);
  void go_round(std::uint32_t loop);

  void constant(isa::Op op, std::uint32_t to, std::uint32_t from, std::int64_t value);
  void registers(isa::Op op, std::uint32_t to, std::uint32_t from, std::uint32_t with);
  void move(std::uint32_t to, std::uint32_t from, isa::OperandType type);
  void expect(std::uint32_t number, isa::Condition condition, std::int64_t value);
  OperandPlan element(const MapOperand& operand) const;
  std::uint32_t word(const MapOperand& operand);

  ProgramContext& c_;
  CodeWriter& code_;
  const HeaderPlan& function_;
  std::vector<MapOperand> operands_;
  std::vector<MapWalk> walks_;
  std::optional<OperandPlan> index_;              // a register of the program
  std::optional<std::size_t> index_walk_;         // counts 0, 1, 2 ...
  std::int64_t length_ = 0;                       // of the loop, unless
  std::optional<std::uint32_t> run_time_length_;  // a register of the program has it
  std::size_t counting_ = 0;                      // the walk that says when the last one is done
  std::optional<std::uint32_t> end_;              // its last index, if no constant
};

}  // namespace wse::assembler
