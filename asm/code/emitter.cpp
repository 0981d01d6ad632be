// Body lines in order; which row of the table an instruction is.
#include "asm/code/emitter.h"

#include <algorithm>

#include "asm/code/mnemonics.h"

namespace wse::assembler {
namespace {

using isa::InstructionInfo;
using isa::Op;

// Returns whether instructions with a vector form have the letter: they have these only.
constexpr bool is_plain_letter(char letter) {
  return letter == 'd' || letter == 'a' || letter == 'b' || letter == 'S';
}

// Operands that are written for a format.
std::size_t written_operands(const InstructionInfo& row) {
  const std::size_t letters = isa::info(row.format).operands.size();
  return is_comparison(row) ? letters - 2 : letters;
}

}  // namespace

void Emitter::emit_body() {
  check_descriptors();
  for (const BodySyntax& body : c_.syntax.body) {
    switch (body.kind) {
      case BodySyntax::Kind::Label: sections_.label(body); break;
      case BodySyntax::Kind::Header: sections_.begin(body); break;
      case BodySyntax::Kind::Instruction: emit_instruction(body); break;
    }
    sections_.pass(body.line);
  }
  sections_.close();
  e_.code.resolve_jumps();
  e_.code.loop_costs().report(c_);
  sections_.check_end();
}

// Also those that no instruction uses.
void Emitter::check_descriptors() {
  for (std::uint32_t k = 0; k < c_.syntax.descriptors.size(); ++k) {
    if (!e_.operands.read_declared(k)) c_.broken_names.insert(c_.syntax.descriptors[k].name.text);
  }
}

void Emitter::emit_instruction(const BodySyntax& body) {
  sections_.instruction(body);
  line_operands_.clear();
  Line line{.syntax = &body, .operands = line_operands_};
  line.exprs = std::span(c_.unit.operands).subspan(body.first_operand, body.operands);
  e_.code.begin(body.name, body.line, line.exprs);
  if (body.name.text == kMapWord) return maps_.emit(line);
  if (tables_.emit(line) || calls_.emit(line) || !choose_row(line)) return;
  if (is_comparison(*line.row)) return asserts_.emit(line);
  if (body.type != kNoType) return e_.refuse_type(body);
  if (!e_.check_async(line)) return;
  if (scalars_.is_move(line)) return scalars_.emit_move(line);
  Work work{.instruction = {.op = line.row->op}};
  const bool filled =
      line.row->is_vector() ? vectors_.fill_row(line, work) : scalars_.fill_row(line, work);
  if (filled) e_.finish(line, work);
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
  if (!e_.read_operands(line)) return false;
  const auto vector = std::ranges::find_if(line.operands, &OperandPlan::is_vector);
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

}  // namespace wse::assembler
