// What an operand of an instruction is, seen without its instruction: register, memory, descriptor
// or value.
//
// Reading an operand emits nothing; the emitter decides what has to be loaded first.
#pragma once

#include <optional>

#include "asm/program/program_context.h"
#include "asm/syntax/operand_options.h"

namespace wse::assembler {

enum class OperandKind : std::uint8_t { Register, DescriptorRegister, Descriptor, Memory, Value };

struct Operand {
  OperandKind kind = OperandKind::Value;
  isa::SourceRange where{};
  std::uint32_t number = 0;                    // of the register
  std::optional<DescriptorPlan> descriptor{};  // iff it is a Descriptor
  isa::Formula formula{};                      // Value; Memory: its byte address
  std::optional<std::uint32_t> index{};        // Memory: register with the number of the element
  std::optional<std::uint32_t> base{};         // Memory: register with its address, in place of it
  std::vector<RegisterTerm> terms{};           // Memory: the number of the element, if not `index`
  std::optional<isa::Type> element{};          // Memory, if known

  bool is_vector() const {
    return kind == OperandKind::Descriptor || kind == OperandKind::DescriptorRegister;
  }
  // Memory: no register says where it is.
  bool is_fixed() const { return !index && !base && terms.empty(); }
  // Whether the register says which element it is.
  bool lies_by(std::uint32_t number_of_register) const;
};

inline isa::Formula formula_of(std::int64_t value) {
  return isa::Formula::of(isa::Number::of(value));
}

// `length` elements, `stride` elements of the array apart.
struct Walk {
  isa::Formula length{};
  std::int64_t stride = 1;
};

class OperandReader {
 public:
  explicit OperandReader(ProgramContext& context) : c_(context) {}

  // Nothing if there was an error, which is reported.
  std::optional<Operand> read(ExprId id);

  // The same where the name of a task may be, which is the value of its id (task_operands.cpp).
  std::optional<Operand> read_task(ExprId id);

  // Reports an id, known before the run, that no task of the kind has.
  bool check_task(const Operand& operand, ExprId id, bool activates);

  // What the .dsd of that index stands for.
  std::optional<Operand> read_declared(std::uint32_t index);

 private:
  std::optional<Operand> read_name(const Expr& expr, ExprId id);
  std::optional<Operand> read_local(const Expr& expr, ExprId id, const Meaning& meaning);
  std::optional<Operand> read_register(const Expr& expr, OperandKind kind, std::uint32_t number,
                                       std::uint32_t limit);
  std::optional<Operand> read_value(ExprId id);
  // Elements and slices (subscripts.cpp).
  struct Span {
    isa::Formula first{};
    isa::Formula length{};
    std::int64_t step = 1;
    std::optional<std::uint32_t> first_register{};  // added to `first`
    std::optional<std::uint32_t> length_register{};
    std::optional<std::uint32_t> step_register{};
  };
  std::optional<Operand> read_subscripts(ExprId id);
  std::vector<ExprId> subscripts_of(ExprId id) const;
  std::optional<Operand> walked(const Operand& start, const std::vector<Walk>& walks,
                                RunTimePart part, const Expr& expr);
  std::optional<isa::Formula> read_index(const Expr& subscript, const isa::Symbol& array,
                                         std::size_t k);
  std::optional<Span> read_span(const Expr& slice, const isa::Symbol& array, std::size_t k);
  std::optional<Span> read_counted(const Expr& slice, const isa::Symbol& array, std::size_t k);
  std::optional<std::int64_t> read_step(const Expr& slice);
  bool check_counted(const Expr& slice, const isa::Symbol& array, std::size_t k, const Span& span);
  // Calls (descriptor_calls.cpp).
  std::optional<Operand> read_fabric(const Expr& expr, isa::DescriptorKind kind);
  std::optional<Operand> read_memory(const Expr& expr);
  std::optional<Operand> element_at(const Expr& expr, const GivenOptions& given,
                                    std::optional<std::uint32_t> base, isa::Formula address);
  bool memory_dimensions(const GivenOptions& given, DescriptorPlan& plan);
  std::vector<ExprId> list_of(ExprId id) const;
  std::optional<Operand> read_circular(const Expr& expr);
  std::optional<Operand> read_saved(const Expr& expr);
  std::optional<Operand> read_indexed(const Expr& expr);
  std::optional<Operand> indexed(const Operand& array, ExprId index, const isa::SourceRange& where);
  bool is_fabric_call(ExprId id) const;
  bool on_control(const GivenOptions& given, DescriptorPlan& plan);
  std::optional<Operand> task_operand(const Expr& expr, const HeaderPlan& plan);
  bool unknown_task(const Expr& expr);
  std::optional<ExprId> first_argument(const Expr& call, std::string_view wanted);
  std::optional<isa::Formula> colour(ExprId id);
  bool fabric_options(const GivenOptions& given, DescriptorPlan& plan);
  bool pin_queue(const GivenOptions& given, const DescriptorPlan& plan, std::string_view name);
  std::optional<std::uint32_t> queue(ExprId id, std::uint32_t limit);
  Operand whole_array(const isa::Symbol& symbol, const isa::SourceRange& where) const;

  const isa::Symbol* array_of(const Expr& expr);
  bool check_bounds(const Expr& slice, const isa::Symbol& array, std::size_t k,
                    const std::optional<isa::Formula> (&bounds)[2], std::int64_t step);
  std::optional<std::uint32_t> index_register(ExprId id) const;
  std::optional<isa::Formula> integer(ExprId id);
  // The same; a constant one must lie in least .. most.
  std::optional<isa::Formula> integer(ExprId id, std::string_view what, std::int64_t least,
                                      std::int64_t most);
  std::optional<isa::Formula> computed(isa::Result<isa::Formula> formula, const Expr& expr);

  ProgramContext& c_;
};

// "a register", "a vector operand" ... for messages.
std::string_view describe(OperandKind kind);

// The parts of a slice of an array of `count` elements, as formulas in elements (slices.cpp).
struct SliceFormulas {
  isa::Formula first{};
  isa::Formula length{};
};
isa::Result<SliceFormulas> slice_formulas(std::optional<isa::Formula> from,
                                          std::optional<isa::Formula> to, std::int64_t step,
                                          std::int64_t count);

}  // namespace wse::assembler
