// Body lines in order; which row of the table an instruction is, and what all rows share.
#include "asm/code/emitter.h"

#include <algorithm>

#include "asm/code/mnemonics.h"
#include "isa/support/mutant.h"

namespace wse::assembler {
namespace {

using isa::InstructionInfo;
using isa::Op;

constexpr bool is_value_letter(char letter) {
  return std::string_view("dabSDABEFX@CT").find(letter) != std::string_view::npos;
}

// What has a vector form has these only.
constexpr bool is_plain_letter(char letter) {
  return letter == 'd' || letter == 'a' || letter == 'b' || letter == 'S';
}

// `a ? S` is one operand, a comparison.
bool is_comparison(const InstructionInfo& row) { return row.format == isa::Format::Assert; }

// Operands that are written for a format.
std::size_t written_operands(const InstructionInfo& row) {
  const std::size_t letters = isa::info(row.format).operands.size();
  return is_comparison(row) ? letters - 2 : letters;
}

}  // namespace

std::string usage(const InstructionInfo& row) {
  const std::string_view letters = isa::info(row.format).operands;
  // The meaning of these rows is told in the letters of their operands.
  const bool by_letter = letters.find_first_not_of("dabSDABL") == std::string_view::npos;
  const auto word = [](char letter) -> std::string_view {
    switch (letter) {
      case 'd':
      case 'D': return "destination";
      case 'E':
      case 'F': return "d0";
      case 'L': return "label";
      case 'X': return "descriptor";
      case 'U': return "microthread";
      case 'C': return "colour";
      case 'R': return "routing";
      case 'W': return "filter";
      case 'T': return "task";
      case 'M': return "name";
      case 'P': return "\"text\"";
      case '@': return "memory";
      case '?': return "==";
      default: return "source";
    }
  };
  std::string text(row.mnemonic);
  bool first = true;
  bool compared = false;
  for (const char& letter : letters) {
    const bool plain = first || compared || letter == '?';
    const std::string_view shown = by_letter ? std::string_view(&letter, 1) : word(letter);
    text += fmt::format("{}{}", plain ? " " : ", ", shown);
    first = false;
    compared = letter == '?';
  }
  if (by_letter && !letters.empty()) text += fmt::format("    ({})", row.meaning);
  return text;
}

// Also those that no instruction uses.
void Emitter::check_descriptors() {
  for (std::uint32_t k = 0; k < c_.syntax.descriptors.size(); ++k) {
    if (!operands_.read_declared(k)) c_.broken_data.insert(c_.syntax.descriptors[k].name.text);
  }
}

void Emitter::emit_body() {
  check_descriptors();
  for (const BodySyntax& body : c_.syntax.body) {
    switch (body.kind) {
      case BodySyntax::Kind::Label: emit_label(body); break;
      case BodySyntax::Kind::Header: emit_header(body); break;
      case BodySyntax::Kind::Instruction: emit_instruction(body); break;
    }
    last_line_ = body.line;
  }
  close_section();
  code_.resolve_jumps();
  code_.loop_costs().report(c_);
  check_end();
}

void Emitter::emit_label(const BodySyntax& body) {
  const Meaning* meaning = c_.find_label(body.name.text, body.scope);
  std::optional<std::uint32_t>& target = c_.label_targets[meaning->index];
  if (!target) target = code_.position();
  told_early_code_ = true;  // what is here can be called
  if (!isa::mutant(isa::Mutant::LabelKeeps)) code_.forget_descriptors();
  ends_ = false;
}

void Emitter::emit_instruction(const BodySyntax& body) {
  const bool early = section_ == nullptr && !c_.syntax.headers.empty();
  if (early && !told_early_code_ && !c_.syntax.incomplete) {
    c_.reporter.report(Problem::CodeBeforeTask, body.name.where, body.name.text);
  }
  told_early_code_ |= early;
  line_operands_.clear();
  Line line{.syntax = &body, .operands = line_operands_};
  line.exprs = std::span(c_.unit.operands).subspan(body.first_operand, body.operands);
  code_.begin(body.name, body.line);
  if (body.name.text == kMapWord) return emit_map(line);
  if (emit_table_jump(line) || emit_call(line) || !choose_row(line)) return;
  if (is_comparison(*line.row)) return emit_assert(line);
  if (body.type != kNoType) return refuse_type(body);
  if (!check_async(line)) return;
  if (is_move(line)) return emit_move(line);
  Work work{.instruction = {.op = line.row->op}};
  const bool filled =
      line.row->is_vector() ? fill_vector_row(line, work) : fill_scalar_row(line, work);
  if (filled) finish(line, work);
}

void Emitter::refuse_type(const BodySyntax& body) {
  const Named& type = c_.unit.types[body.type];
  c_.reporter.report(Problem::Expected, type.where, "the end of the line",
                     fmt::format("': {}'", type.text));
}

bool Emitter::choose_row(Line& line) {
  const Named& name = line.syntax->name;
  const MnemonicRows rows = rows_of(name.text);
  const VendorWord* vendor = vendor_word(name.text);
  if (vendor != nullptr && rows.scalar == nullptr) {
    c_.reporter.report(Problem::VendorMnemonic, name.where, name.text, vendor->reason,
                       vendor->instead);
    return false;
  }
  if (rows.scalar == nullptr && rows.vector == nullptr) {
    c_.reporter.report(Problem::UnknownMnemonic, name.where, name.text,
                       meant_by(name.text, c_.unit, c_.reporter));
    return false;
  }
  line.row = rows.scalar != nullptr ? rows.scalar : rows.vector;
  const std::size_t wanted = written_operands(*line.row);
  if (line.exprs.size() != wanted) {
    const auto count = static_cast<std::int64_t>(wanted);
    c_.reporter.report(Problem::OperandCount, name.where, name.text, counted(count, "operand"),
                       line.exprs.size(), usage(*line.row));
    return false;
  }
  if (!read_operands(line)) return false;
  const auto vector = std::ranges::find_if(line.operands, &Operand::is_vector);
  if (vector == line.operands.end() ||
      !std::ranges::all_of(isa::info(line.row->format).operands, is_plain_letter)) {
    return true;
  }
  if (rows.vector == nullptr) {
    c_.reporter.report(Problem::NoVectorForm, vector->where, name.text, "this");
    return false;
  }
  line.row = rows.vector;
  return true;
}

bool Emitter::read_operands(Line& line) {
  if (is_comparison(*line.row)) return true;
  const std::string_view letters = isa::info(line.row->format).operands;
  bool good = true;
  line.operands.reserve(line.exprs.size());
  for (std::size_t k = 0; k < line.exprs.size(); ++k) {
    const ExprId id = line.exprs[k];
    if (is_value_letter(letters[k])) {
      std::optional<Operand> operand =
          letters[k] == 'T' ? operands_.read_task(id) : operands_.read(id);
      if (operand) {
        line.operands.push_back(std::move(*operand));
        continue;
      }
      good = false;
    }
    line.operands.push_back({.where = c_.unit[id].where});
  }
  return good;
}

bool Emitter::check_async(const Line& line) {
  if (line.syntax->microthread == kNoExpr || line.row->is_vector()) return true;
  const Named& name = line.syntax->name;
  c_.reporter.report(Problem::AsyncScalar, name.where, name.text);
  return false;
}

// Loads before are written already; now the instruction itself, its values, and a store after it.
void Emitter::finish(const Line& line, Work& work) {
  isa::Instruction& instruction = work.instruction;
  if (work.address != nullptr && !code_.set_address(instruction, *work.address)) return;
  if (work.scalar != nullptr &&
      !code_.set_scalar(instruction, work.scalar->formula, work.scalar_type, work.scalar->where)) {
    return;
  }
  if (work.label != kNoLabel) {
    code_.append_jump(instruction, work.label);
  } else {
    code_.append(instruction);
  }
  if (work.loaded != nullptr) {
    code_.add_run_time(instruction.destination, *work.loaded->descriptor, work.loaded->where);
  }
  if (work.store != nullptr) {
    code_.store(*work.store, instruction.destination, line.row->types.result);
  }
  const isa::Format format = line.row->format;
  ends_ = instruction.op == Op::Halt || instruction.op == Op::EndTask ||
          format == isa::Format::Jump || format == isa::Format::Return;
  if (ends_ || format == isa::Format::Call) code_.forget_descriptors();
}

// Options that give a wavelet other data than one word want elements of 16 bits.
bool Emitter::check_wavelet(const Line& line, std::size_t k) {
  if (!line.operands[k].descriptor) return true;
  const isa::FabricOptions& options = line.operands[k].descriptor->options;
  const isa::OperandTypeInfo& type = isa::info(line.row->type_of(k));
  if (type.bytes == 2 || (!options.packed && !options.indexed)) return true;
  c_.reporter.report(Problem::WideElement, line.operands[k].where,
                     options.packed ? "packed" : "index", line.syntax->name.text, type.text);
  return false;
}

// What the elements of operand k are against what the row works on.
bool Emitter::check_element(const Line& line, std::size_t k) {
  const isa::OperandType type = line.row->type_of(k);
  const Operand& operand = line.operands[k];
  const std::optional<isa::Type> element =
      operand.descriptor ? operand.descriptor->element : operand.element;
  if (!element) return true;
  const bool any = type == isa::OperandType::Any32 || type == isa::OperandType::Any16;
  const bool same_size = isa::info(*element).bytes == isa::info(type).bytes;
  if (any ? same_size : isa::operand_type_of(*element) == type) return true;
  const std::string_view name = c_.unit[line.exprs[k]].text;
  c_.reporter.report(Problem::ElementType, operand.where, line.syntax->name.text,
                     isa::info(type).text, name.empty() ? "this" : fmt::format("'{}'", name),
                     isa::info(*element).text);
  return false;
}

bool Emitter::wrong_operand(const Line& line, std::size_t k, std::string_view wanted) {
  c_.reporter.report(Problem::WrongOperand, line.operands[k].where, describe(line.operands[k].kind),
                     line.syntax->name.text, wanted, usage(*line.row));
  return false;
}

}  // namespace wse::assembler
