// Instructions: the enumeration, what the table says of each, and the decoded form.
//
// Everything here is derived from instructions.def; nothing may list instructions a second time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "isa/instruction/format.h"
#include "isa/instruction/types.h"

namespace wse::isa {

enum class Op : std::uint8_t {
#define INSTRUCTION(name, ...) name,
#include "isa/instruction/instructions.def"
#undef INSTRUCTION
};

enum class CostClass : std::uint8_t {
#define COST(name, ...) name,
#include "isa/instruction/costs.def"
#undef COST
};

inline constexpr std::size_t kCostClassCount = 0
#define COST(name, ...) +1
#include "isa/instruction/costs.def"
#undef COST
    ;

enum class OperandType : std::uint8_t {
#define OPERAND_TYPE(name, ...) name,
#include "isa/instruction/operand_types.def"
#undef OPERAND_TYPE
};

struct OperandTypeInfo {
  std::uint32_t bytes;
  std::string_view text;
};

inline constexpr OperandTypeInfo kOperandTypes[] = {
#define OPERAND_TYPE(name, bytes, text) {bytes, text},
#include "isa/instruction/operand_types.def"
#undef OPERAND_TYPE
};

constexpr const OperandTypeInfo& info(OperandType type) {
  return kOperandTypes[static_cast<int>(type)];
}

constexpr bool is_float(OperandType type) {
  return type == OperandType::F32 || type == OperandType::F16;
}

// How instructions see values of a data type.
constexpr OperandType operand_type_of(Type type) {
  const bool half = info(type).bytes == 2;
  if (is_float(type)) return half ? OperandType::F16 : OperandType::F32;
  return half ? OperandType::I16 : OperandType::I32;
}

// The operand types of an instruction: a row of signatures.def.
struct Signature {
  OperandType result;
  OperandType source[3];
};

namespace signatures {
#define SIGNATURE(name, result, first, second, third)  \
  inline constexpr Signature name{OperandType::result, \
                                  {OperandType::first, OperandType::second, OperandType::third}};
#include "isa/instruction/signatures.def"
#undef SIGNATURE
}  // namespace signatures

struct InstructionInfo {
  Op op;
  std::string_view name;
  std::string_view mnemonic;
  Format format;
  std::uint8_t opcode;
  CostClass cost;
  Signature types;
  std::uint8_t flops;  // per element
  std::string_view meaning;

  constexpr bool is_vector() const {
    return format == Format::Vector1 || format == Format::Vector2 || format == Format::Vector3;
  }
  constexpr std::uint32_t words() const { return isa::info(format).words; }
  // Returns, of a vector instruction, the source in whose place a mapped one has its elements.
  constexpr std::size_t last_source() const { return isa::info(format).operands.size() - 2; }

  // The type of the operand that is at letter k of the format.
  constexpr OperandType type_of(std::size_t k) const {
    const std::string_view letters = isa::info(format).operands;
    const bool has_result = letters.starts_with('d') || letters.starts_with('D');
    if (has_result && k == 0) return types.result;
    const std::size_t source = has_result ? k - 1 : k;
    return types.source[source < 2 ? source : 2];
  }
  constexpr std::uint32_t result_bytes() const { return isa::info(types.result).bytes; }
  constexpr std::uint32_t source_bytes(std::size_t k) const {
    return isa::info(types.source[k]).bytes;
  }
};

inline constexpr InstructionInfo kInstructions[] = {
#define INSTRUCTION(name, mnemonic, format, opcode, cost, types, flops, function, meaning) \
  {Op::name,          #name, mnemonic, Format::format, opcode, CostClass::cost,            \
   signatures::types, flops, meaning},
#include "isa/instruction/instructions.def"
#undef INSTRUCTION
};
inline constexpr std::size_t kInstructionCount = std::size(kInstructions);

constexpr const InstructionInfo& info(Op op) { return kInstructions[static_cast<int>(op)]; }

enum class ScalarKind : std::uint8_t { Register, Immediate, Literal, Slot };
enum class SourceKind : std::uint8_t { Register, Descriptor, Scalar };

// The act of an asynchronous vector instruction on a task or colour when it has finished.
enum class Completion : std::uint8_t { None, Activate, Unblock };
inline constexpr std::string_view kCompletionTexts[] = {"", "activate", "unblock"};

inline constexpr std::uint32_t kRegisters = 16;            // general registers r0..r15
inline constexpr std::uint32_t kDescriptorRegisters = 16;  // d0..d15
inline constexpr std::uint32_t kMicrothreads = 8;
inline constexpr std::uint32_t kTaskIds = 64;  // data 0..23: the colour; local 0..30; control 0..63
inline constexpr std::uint32_t kLocalIds = 31;
inline constexpr std::uint32_t kScalarBits = 14;  // width of the scalar operand's value
inline constexpr std::int32_t kImmediateMin = -(1 << (kScalarBits - 1));
inline constexpr std::int32_t kImmediateMax = (1 << (kScalarBits - 1)) - 1;

// A decoded instruction. Which members have a meaning depends on the format; the others are zero.
struct Instruction {
  Op op = Op::Halt;
  bool is_awaited = false;  // the next instruction reads its result (awaited.h)
#define FIELD(letter, member, meaning) std::uint32_t member = 0;
#include "isa/instruction/fields.def"
#undef FIELD

  bool operator==(const Instruction&) const = default;

  ScalarKind scalar_operand() const { return static_cast<ScalarKind>(scalar_kind); }
  SourceKind source_a_operand() const { return static_cast<SourceKind>(source_a_kind); }
  SourceKind source_b_operand() const { return static_cast<SourceKind>(source_b_kind); }
  Completion completion_action() const { return static_cast<Completion>(completion); }
  std::int32_t immediate() const {
    const std::uint32_t sign = 1u << (kScalarBits - 1);
    return static_cast<std::int32_t>((scalar ^ sign) - sign);
  }
};

enum class Condition : std::uint8_t {
#define CONDITION(name, text, comparison) name,
#include "isa/instruction/conditions.def"
#undef CONDITION
};

inline constexpr std::string_view kConditionTexts[] = {
#define CONDITION(name, text, comparison) text,
#include "isa/instruction/conditions.def"
#undef CONDITION
};
inline constexpr std::uint32_t kConditionCount = std::size(kConditionTexts);

}  // namespace wse::isa
