// Instructions as text, operand letter by operand letter of formats.def. image_text.cpp writes
// whole images.
#include "isa/image/disassembler.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace wse::isa {
namespace {

class InstructionPrinter {
 public:
  InstructionPrinter(const Image& image, const Program& program, const Instruction& instruction)
      : image_(image), program_(program), i_(instruction), row_(info(instruction.op)) {}

  std::string text() const {
    const bool mapped = i_.mapped != 0;
    std::string out(mapped ? "map" : row_.mnemonic);
    std::string_view separator = " ";
    const std::string_view letters = info(row_.format).operands;
    for (std::size_t k = 0; k < letters.size(); ++k) {
      const char letter = letters[k];
      if (mapped && k == 1) out += fmt::format(", {}", row_.mnemonic);
      if (letter == '?') {  // a comparison is between its operands
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
      case 'd': return fmt::format("r{}", i_.destination);
      case 'E': return fmt::format("d{}", i_.destination);
      case 'F': return fmt::format("d{}", i_.source_a);
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
      case 'C':
        return i_.colour_kind != 0 ? slot_text(image_, program_, i_.colour)
                                   : image_.colour_name(i_.colour);
      case 'R': return program_.routings[i_.target].name;
      case 'W': return program_.filters[i_.target].name;
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
    if (i_.mapped != 0) return fmt::format("d{}", i_.scalar);
    switch (i_.scalar_operand()) {
      case ScalarKind::Register: return fmt::format("r{}", i_.scalar);
      case ScalarKind::Immediate: return constant(static_cast<std::uint32_t>(i_.immediate()), type);
      case ScalarKind::Literal: return constant(program_.literals[i_.scalar], type);
      case ScalarKind::Slot: return slot_text(image_, program_, i_.scalar);
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
    const std::string by_index = indexed ? fmt::format(", index=r{}", index) : "";
    const ScalarKind kind = i_.scalar_operand();
    if (kind == ScalarKind::Slot)
      return fmt::format("mem({}{})", slot_text(image_, program_, i_.scalar), by_index);
    if (kind == ScalarKind::Register) return fmt::format("mem(r{}{})", i_.scalar, by_index);
    const std::uint32_t bytes = kind == ScalarKind::Literal
                                    ? program_.literals[i_.scalar]
                                    : static_cast<std::uint32_t>(i_.immediate());
    const Symbol* symbol = symbol_at(program_, bytes, row_.result_bytes());
    if (symbol == nullptr) return fmt::format("mem({}{})", bytes, by_index);
    const std::uint32_t element = (bytes - symbol->address) / info(symbol->type).bytes;
    const bool begins_row =
        symbol->is_array && element % symbol->extent(symbol->dimensions() - 1) == 0;
    if (indexed && !begins_row) return fmt::format("mem({}{})", bytes, by_index);
    std::string text = element_text(*symbol, element);
    if (indexed) {  // the register stands for the last subscript, which is 0 here
      text.replace(text.find_last_of(" [") + 1, std::string::npos, fmt::format("r{}]", index));
    }
    return text;
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
    return "(" + plain_slot_text(image_, program_, id.value) + ")";
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
    if (piece.kind == PrintPiece::Kind::Slot) return slot_text(image_, program_, piece.value);
    const Symbol* symbol = symbol_at(program_, piece.value, info(piece.type).bytes);
    if (symbol == nullptr) return "?";
    return element_text(*symbol, (piece.value - symbol->address) / info(symbol->type).bytes);
  }

  const Image& image_;
  const Program& program_;
  const Instruction& i_;
  const InstructionInfo& row_;
};

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

// As a colour in the header of a task: what may be there without parentheses is a plain name.
std::string header_colour_text(const Image& image, const Program& program, const SlotValue& id) {
  if (!id.is_slot) return image.colour_name(id.value);
  const bool plain =
      id.value >= kBuiltinSlotCount && id.value - kBuiltinSlotCount < program.parameters.size();
  const std::string text = plain_slot_text(image, program, id.value);
  return plain ? text : "(" + text + ")";
}

std::string task_header_text(const Image& image, const Program& program, const Task& task) {
  std::string out = "task " + task.name;
  switch (task.kind) {
    case TaskKind::Main: break;
    case TaskKind::Local: out += fmt::format(" = {}", task.id.value); break;
    case TaskKind::Data: out += " on " + header_colour_text(image, program, task.id); break;
    case TaskKind::Control: out += fmt::format(" control {}", task.id.value); break;
    case TaskKind::Teardown:
      out += " teardown " + header_colour_text(image, program, task.id);
      break;
  }
  if (task.exported) out += " exported";
  for (std::size_t k = 0; k < task.arguments.size(); ++k) {
    out += fmt::format("{}r{}", k == 0 ? " (" : ", ", task.arguments[k]);
    if (task.exported) out += fmt::format(": {}", info(task.argument_types[k]).text);
  }
  return out + (task.arguments.empty() ? "" : ")") + (task.high ? " high:" : ":");
}

std::string filter_text(const FilterShape& shape, std::span<const std::string> values) {
  const FilterKindInfo& kind = info(shape.kind);
  std::string out(kind.text);
  if (shape.kind == FilterKind::Range) return fmt::format("{} {}..{}", out, values[0], values[1]);
  for (std::size_t k = 0; k < values.size(); ++k) {
    out += fmt::format(" {}={}", kind.names[k], values[k]);
  }
  if (shape.counts != FilterCounts::Data) {
    out += fmt::format(" counts={}", kFilterCountsTexts[static_cast<int>(shape.counts)]);
  }
  if (shape.control_filtered) out += " control=filtered";
  return out;
}

std::string named_filter_text(const Image& image, const Program& program,
                              const NamedFilter& filter) {
  std::vector<std::string> values;
  for (const SlotValue& v : filter.values) {
    values.push_back(v.is_slot ? slot_text(image, program, v.value) : fmt::format("{}", v.value));
  }
  return filter_text(filter.shape, values);
}

}  // namespace wse::isa
