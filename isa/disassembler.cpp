// Instructions as text, operand letter by operand letter of formats.def. Whole images:
// image_text.cpp.
#include "isa/disassembler.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace wse::isa {
namespace {

std::vector<std::string> parameter_names(const Program& program) {
  std::vector<std::string> names;
  for (const Parameter& parameter : program.parameters) names.push_back(parameter.name);
  return names;
}

std::vector<std::string> global_names(const Image& image) {
  std::vector<std::string> names;
  for (const GlobalParameter& parameter : image.parameters) names.push_back(parameter.name);
  return names;
}

// The array or scalar with an element at the byte address, if there is one.
const Symbol* symbol_at(const Program& program, std::uint32_t address) {
  for (const Symbol& symbol : program.symbols) {
    if (address < symbol.address || address - symbol.address >= symbol.bytes()) continue;
    return (address - symbol.address) % info(symbol.type).bytes == 0 ? &symbol : nullptr;
  }
  return nullptr;
}

class InstructionPrinter {
 public:
  InstructionPrinter(const Image& image, const Program& program, const Instruction& instruction)
      : image_(image), program_(program), i_(instruction), row_(info(instruction.op)) {}

  std::string text() const {
    std::string out(row_.mnemonic);
    std::string_view separator = " ";
    const std::string_view letters = info(row_.format).operands;
    for (std::size_t k = 0; k < letters.size(); ++k) {
      const char letter = letters[k];
      if (letter == '?') {  // a comparison stands between its operands
        out += fmt::format(" {}", kConditionTexts[i_.condition]);
        separator = " ";
        continue;
      }
      out += separator;
      out += operand(letter, row_.type_of(k));
      separator = ", ";
    }
    if (compared_type() != Type::I32) out += fmt::format(" : {}", info(compared_type()).text);
    if (i_.asynchronous != 0) out += fmt::format(" async {}", i_.microthread);
    if (i_.completion != 0) {
      out += fmt::format(" {} {}", kCompletionTexts[i_.completion],
                         task_text({i_.completes_slot != 0, i_.completes}));
    }
    return out;
  }

 private:
  std::string operand(char letter, OperandType type) const {
    switch (letter) {
      case 'd':
        return fmt::format("{}{}", row_.format == Format::LoadDescriptor ? 'd' : 'r',
                           i_.destination);
      case 'a': return fmt::format("r{}", i_.source_a);
      case 'b': return fmt::format("r{}", i_.source_b);
      case 'D': return fmt::format("{}{}", i_.destination_kind != 0 ? 'd' : 'r', i_.destination);
      case 'A': return source(i_.source_a_operand(), i_.source_a, type);
      case 'B': return source(i_.source_b_operand(), i_.source_b, type);
      case 'S': return scalar(type);
      case '@': return address();
      case 'L': return label_text(i_.target);
      case 'U': return fmt::format("{}", i_.microthread);
      case 'X': return descriptor_text(image_, program_, program_.descriptors[i_.target]);
      case 'M': return image_.marks[i_.target];
      case 'P': return print_text();
      case 'T': return task_operand(type);
      default: return "?";
    }
  }
  std::string source(SourceKind kind, std::uint32_t number, OperandType type) const {
    switch (kind) {
      case SourceKind::Register: return fmt::format("r{}", number);
      case SourceKind::Descriptor: return fmt::format("d{}", number);
      case SourceKind::Scalar: return scalar(type);
    }
    return "?";
  }
  std::string scalar(OperandType type) const {
    switch (i_.scalar_operand()) {
      case ScalarKind::Register: return fmt::format("r{}", i_.scalar);
      case ScalarKind::Immediate: return constant(static_cast<std::uint32_t>(i_.immediate()), type);
      case ScalarKind::Literal: return constant(program_.literals[i_.scalar], type);
      case ScalarKind::Slot: return slot_text(i_.scalar);
    }
    return "?";
  }
  Type compared_type() const { return static_cast<Type>(i_.compared_type); }
  std::string constant(std::uint32_t bits, OperandType type) const {
    if (row_.format == Format::Assert) type = operand_type_of(compared_type());
    if (type == OperandType::F32) return float_text(std::bit_cast<float>(bits));
    if (type == OperandType::F16) return to_text(Number::of(shortest_half(bits)));
    if (info(type).bytes == 2) return fmt::format("{}", static_cast<std::int16_t>(bits));
    return fmt::format("{}", static_cast<std::int32_t>(bits));
  }
  std::string address() const {
    const bool indexed = row_.format == Format::LoadIndexed || row_.format == Format::StoreIndexed;
    const std::uint32_t index = row_.format == Format::LoadIndexed ? i_.source_a : i_.source_b;
    const ScalarKind kind = i_.scalar_operand();
    if (kind == ScalarKind::Slot) return fmt::format("mem({})", slot_text(i_.scalar));
    if (kind == ScalarKind::Register) return fmt::format("mem(r{})", i_.scalar);
    const std::uint32_t bytes = kind == ScalarKind::Literal
                                    ? program_.literals[i_.scalar]
                                    : static_cast<std::uint32_t>(i_.immediate());
    const Symbol* symbol = symbol_at(program_, bytes);
    const bool fits = symbol != nullptr && info(symbol->type).bytes == row_.result_bytes();
    if (!fits) symbol = nullptr;
    if (indexed) return fmt::format("{}[r{}]", symbol != nullptr ? symbol->name : "?", index);
    if (symbol == nullptr) return fmt::format("mem({})", bytes);
    if (!symbol->is_array) return symbol->name;
    return fmt::format("{}[{}]", symbol->name,
                       (bytes - symbol->address) / info(symbol->type).bytes);
  }

  std::string task_operand(OperandType type) const {
    const ScalarKind kind = i_.scalar_operand();
    if (kind == ScalarKind::Register || kind == ScalarKind::Literal) return scalar(type);
    const bool is_slot = kind == ScalarKind::Slot;
    return task_text({is_slot, is_slot ? i_.scalar : static_cast<std::uint32_t>(i_.immediate())});
  }
  // The task with that id, else the number or slot, which must not be read as a task's name.
  std::string task_text(const SlotValue& id) const {
    const auto named = std::ranges::find_if(program_.tasks, [&id](const Task& task) {
      return task.id == id && task.kind != TaskKind::Main && task.kind != TaskKind::Teardown;
    });
    if (named != program_.tasks.end()) return named->name;
    if (!id.is_slot) return fmt::format("{}", static_cast<std::int32_t>(id.value));
    return "(" + plain_slot_text(id.value) + ")";
  }

 public:
  // In parentheses where data of the program have the name: there it stays the coordinate.
  std::string slot_text(std::uint32_t slot) const {
    const std::string text = plain_slot_text(slot);
    return program_.find_symbol(text) == nullptr ? text : "(" + text + ")";
  }
  // As a colour in the header of a task: what may stand there without parentheses is a plain name.
  std::string grouped_slot_text(std::uint32_t slot) const {
    const bool plain =
        slot >= kBuiltinSlotCount && slot - kBuiltinSlotCount < program_.parameters.size();
    return plain ? plain_slot_text(slot) : "(" + plain_slot_text(slot) + ")";
  }

 private:
  std::string plain_slot_text(std::uint32_t slot) const {
    if (slot < kBuiltinSlotCount) return std::string(kBuiltinSlots[slot]);
    const std::size_t index = slot - kBuiltinSlotCount;
    if (index < program_.parameters.size()) return program_.parameters[index].name;
    const DerivedSlot& derived = program_.derived[index - program_.parameters.size()];
    return to_text(derived.formula, parameter_names(program_), global_names(image_));
  }

  std::string print_text() const {
    std::string out = "\"";
    for (const PrintPiece& piece : program_.prints[i_.target]) {
      out += escaped_text(piece.text);
      if (piece.kind != PrintPiece::Kind::None) {
        out += fmt::format("{{{}:{}}}", print_value(piece), info(piece.type).text);
      }
    }
    return out + "\"";
  }
  std::string print_value(const PrintPiece& piece) const {
    if (piece.kind == PrintPiece::Kind::Register) return fmt::format("r{}", piece.value);
    if (piece.kind == PrintPiece::Kind::Slot) return slot_text(piece.value);
    const Symbol* symbol = symbol_at(program_, piece.value);
    if (symbol == nullptr) return "?";
    const std::uint32_t index = (piece.value - symbol->address) / info(symbol->type).bytes;
    return symbol->is_array ? fmt::format("{}[{}]", symbol->name, index) : symbol->name;
  }

  const Image& image_;
  const Program& program_;
  const Instruction& i_;
  const InstructionInfo& row_;
};

// "v[0:7:2]" for a constant descriptor within one array; empty if it is none.
std::string slice_text(const Program& program, const DescriptorLiteral& d) {
  if (d.address.is_slot || d.length.is_slot || d.stride == 0) return {};
  const Symbol* symbol = symbol_at(program, d.address.value);
  if (symbol == nullptr || !symbol->is_array) return {};
  const std::int64_t first =
      (d.address.value - symbol->address) / std::int64_t{info(symbol->type).bytes};
  const std::int64_t length = d.length.value;
  const std::int64_t last = first + (length - 1) * d.stride;
  if (length > 0 && (last < 0 || last >= symbol->count)) return {};
  const std::int64_t end = length == 0 ? first : last + (d.stride > 0 ? 1 : -1);
  if (d.stride == 1 && first == 0 && end == symbol->count) return symbol->name;
  if (d.stride == 1) return fmt::format("{}[{}:{}]", symbol->name, first, end);
  return fmt::format("{}[{}:{}:{}]", symbol->name, first, end, d.stride);
}

}  // namespace

std::string label_text(std::uint32_t pc) { return fmt::format("L{}", pc); }

std::string escaped_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      case '"':
      case '\\':
      case '{':
      case '}':
        out += '\\';
        out += c;
        break;
      default: out += c;
    }
  }
  return out;
}

std::string instruction_text(const Image& image, const Program& program,
                             const Instruction& instruction) {
  return InstructionPrinter(image, program, instruction).text();
}

std::string task_header_text(const Image& image, const Program& program, const Task& task) {
  const Instruction none;
  const InstructionPrinter printer(image, program, none);
  const auto colour = [&] {
    return task.id.is_slot ? printer.grouped_slot_text(task.id.value)
                           : image.colour_name(task.id.value);
  };
  std::string out = "task " + task.name;
  switch (task.kind) {
    case TaskKind::Main: break;
    case TaskKind::Local: out += fmt::format(" = {}", task.id.value); break;
    case TaskKind::Data: out += " on " + colour(); break;
    case TaskKind::Control: out += fmt::format(" control {}", task.id.value); break;
    case TaskKind::Teardown: out += " teardown " + colour(); break;
  }
  for (std::size_t k = 0; k < task.arguments.size(); ++k) {
    out += fmt::format("{}r{}", k == 0 ? " (" : ", ", task.arguments[k]);
  }
  return out + (task.arguments.empty() ? "" : ")") + (task.high ? " high:" : ":");
}

std::string descriptor_text(const Image& image, const Program& program,
                            const DescriptorLiteral& d) {
  const Instruction none;
  const InstructionPrinter printer(image, program, none);
  const auto value = [&](const SlotValue& v) {
    return v.is_slot ? printer.slot_text(v.value) : fmt::format("{}", v.value);
  };
  if (d.kind == DescriptorKind::Memory) {
    const std::string slice = slice_text(program, d);
    if (!slice.empty()) return slice;
    return fmt::format("mem({}, length={}, stride={})", value(d.address), value(d.length),
                       d.stride);
  }
  const std::string colour = d.colour.is_slot ? value(d.colour) : image.colour_name(d.colour.value);
  const bool open = !d.length.is_slot && d.length.value == kNoLength;
  const std::string length = open ? "" : fmt::format(", length={}", value(d.length));
  const FabricOptions& options = d.options;
  const std::string index = options.indexed ? fmt::format(", index={}", value(d.index)) : "";
  return fmt::format("{}({}{}{}{}{}{})", d.kind == DescriptorKind::FabricIn ? "fabin" : "fabout",
                     colour, length, options.packed ? ", packed" : "",
                     options.control ? ", control" : "", options.advance ? ", advance" : "", index);
}

}  // namespace wse::isa
