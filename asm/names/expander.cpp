// Line by line, macros inside macros depth first.
#include "asm/names/expander.h"

#include <algorithm>

#include "isa/instruction/instruction.h"

namespace wse::assembler {
namespace {

constexpr std::size_t kMaxOperands = 8;  // of an instruction: more than any format has

bool is_mnemonic(std::string_view word) {
  return word == kMapWord || std::ranges::any_of(isa::kInstructions, [word](const auto& row) {
           return row.mnemonic == word;
         });
}

// How the macro is used: "halo buffer, colour".
std::string usage(const MacroSyntax& macro) {
  std::string text(macro.name.text);
  for (std::size_t k = 0; k < macro.parameters.size(); ++k) {
    text += fmt::format("{}{}", k == 0 ? " " : ", ", macro.parameters[k].text);
  }
  return text;
}

}  // namespace

void Expander::run() {
  define_macros();
  define_libraries();
  std::vector<ProgramSyntax> programs;
  programs.reserve(unit_.programs.size());
  for (std::size_t k = 0; k < unit_.programs.size() && !unit_.incomplete; ++k) {
    if (has_roles(unit_.programs[k])) {
      make_instances(k, programs);
      continue;
    }
    ProgramSyntax& program = unit_.programs[k];
    // The blocks that hold are unknown.
    unit_.incomplete |= program.broken && !program.blocks.empty();
    program.first_expanded = static_cast<ExprId>(unit_.exprs.size());
    std::vector<BodySyntax> body;
    body.reserve(program.body.size());
    for (const BodySyntax& line : program.body) {
      outermost_ = line.name.where;
      add(line, body);
    }
    take_from_libraries(program, body);
    program.body = std::move(body);
    program.last_expanded = static_cast<ExprId>(unit_.exprs.size());
    programs.push_back(std::move(program));
  }
  unit_.programs = std::move(programs);
  replace_placements();
}

void Expander::define_macros() {
  parameters_.resize(unit_.macros.size());
  for (std::uint32_t k = 0; k < unit_.macros.size(); ++k) {
    const MacroSyntax& macro = unit_.macros[k];
    if (is_mnemonic(macro.name.text)) {
      reporter_.report(Problem::MacroMnemonic, macro.name.where, macro.name.text);
    } else if (!macro.name.text.empty() && may_define(macro.name, NameKind::Other, reporter_)) {
      macros_.define(macro.name, NameKind::Other, k, reporter_);
    }
    NameTable names;
    for (std::uint32_t p = 0; p < macro.parameters.size(); ++p) {
      const Named& name = macro.parameters[p];
      if (!may_define(name, NameKind::Register, reporter_)) continue;
      if (names.define(name, NameKind::Other, p, reporter_)) parameters_[k][name.text] = p;
    }
  }
}

// A use of something whose definition has an error: reported there.
bool Expander::is_broken(const BodySyntax& line) const {
  return line.kind == BodySyntax::Kind::Instruction &&
         unit_.broken_names.contains(line.name.text) && !is_mnemonic(line.name.text);
}

void Expander::add(const BodySyntax& line, std::vector<BodySyntax>& out) {
  const Meaning* meaning =
      line.kind == BodySyntax::Kind::Instruction ? macros_.find(line.name.text) : nullptr;
  if (meaning != nullptr) return expand(line, meaning->index, out);
  if (is_broken(line)) return;
  if (line.operands > kMaxOperands) {
    const ExprId first_too_many = unit_.operands[line.first_operand + kMaxOperands];
    reporter_.report(Problem::ManyOperands, unit_[first_too_many].where, kMaxOperands);
    return;
  }
  out.push_back(line);
}

bool Expander::spend(std::size_t count) {
  if (spent_ > kMaxExpansion) return false;  // said already
  spent_ += count;
  if (spent_ <= kMaxExpansion) return true;
  reporter_.report(Problem::MacroSize, outermost_, kMaxExpansion);
  unit_.incomplete = true;
  return false;
}

bool Expander::may_expand(const BodySyntax& use, const MacroSyntax& macro) {
  if (macro.broken || spent_ > kMaxExpansion) return false;
  if (use.operands != macro.parameters.size()) {
    const auto count = static_cast<std::int64_t>(macro.parameters.size());
    reporter_.report(Problem::OperandCount, use.name.where, macro.name.text,
                     counted(count, "argument"), use.operands, usage(macro));
    reporter_.note(Remark::DefinedHere, macro.name.where, macro.name.text);
  } else if (use.microthread != kNoExpr) {
    reporter_.report(Problem::MacroAsync, unit_[use.microthread].where, macro.name.text);
  } else if (use.type != kNoType) {
    const Named& type = unit_.types[use.type];
    reporter_.report(Problem::Expected, type.where, "the end of the line",
                     fmt::format("': {}'", type.text));
  } else if (std::ranges::find(open_, &macro) != open_.end()) {
    reporter_.report(Problem::MacroLoop, use.name.where, macro.name.text);
  } else if (open_.size() == kMaxMacroDepth) {
    reporter_.report(Problem::MacroDepth, use.name.where, kMaxMacroDepth);
  } else {
    return true;
  }
  return false;
}

void Expander::expand(const BodySyntax& use, std::uint32_t index, std::vector<BodySyntax>& out) {
  const MacroSyntax& macro = unit_.macros[index];
  if (!may_expand(use, macro)) return;
  const auto first = unit_.operands.begin() + use.first_operand;
  const std::uint32_t origin =
      reporter_.add_origin(Remark::ExpandedHere, use.name.where, macro.name.text);
  const Frame frame{.parameters = &parameters_[index],
                    .arguments = {first, first + use.operands},
                    .origin = origin,
                    .scope = origin,
                    .line = use.line};
  open_.push_back(&macro);
  copy_lines({.body = macro.body,
              .blocks = macro.blocks,
              .last = static_cast<std::uint32_t>(macro.body.size()),
              .last_block = static_cast<std::uint32_t>(macro.blocks.size())},
             frame, out);
  open_.pop_back();
}

std::optional<BodySyntax> Expander::copy_line(const BodySyntax& line, const Frame& frame) {
  if (!spend(1)) return std::nullopt;
  BodySyntax made = line;
  made.name.where.origin = frame.origin;
  if (line.type != kNoType) {
    made.type = static_cast<std::uint32_t>(unit_.types.size());
    unit_.types.push_back(unit_.types[line.type]);
    unit_.types.back().where.origin = frame.origin;
  }
  if (frame.line) made.line = *frame.line;
  made.scope = frame.scope;
  if (line.kind == BodySyntax::Kind::Header) {
    made.header = static_cast<std::uint32_t>(instance_->headers.size());
    instance_->headers.push_back(copy_header(source_->headers[line.header], frame));
    return made;
  }
  if (line.microthread != kNoExpr) {
    made.microthread = copy(line.microthread, frame);
    if (made.microthread == kNoExpr) return std::nullopt;
  }
  if (line.index != kNoExpr) {
    made.index = copy(line.index, frame);
    if (made.index == kNoExpr) return std::nullopt;
  }
  if (line.completes != kNoExpr) {
    made.completes = copy(line.completes, frame);
    if (made.completes == kNoExpr) return std::nullopt;
  }
  std::vector<ExprId> operands;
  for (std::uint32_t k = 0; k < line.operands; ++k) {
    operands.push_back(copy(unit_.operands[line.first_operand + k], frame));
    if (operands.back() == kNoExpr) return std::nullopt;
  }
  made.first_operand = static_cast<std::uint32_t>(unit_.operands.size());
  unit_.operands.insert(unit_.operands.end(), operands.begin(), operands.end());
  return made;
}

// Returns the value of a macro's argument, the variable of a loop, or a constant of the program.
std::optional<ExprId> Expander::value_of(std::string_view name, const Frame& frame) const {
  const auto parameter = frame.parameters->find(name);
  if (parameter != frame.parameters->end()) return frame.arguments[parameter->second];
  const auto constant = constants_.find(name);
  return constant == constants_.end() ? std::nullopt : std::optional(constant->second);
}

// `has(rx)` of an optional colour becomes a number. Anything else is told where names are resolved.
void Expander::answer(Expr& made) {
  if (made.count != 1) return;
  const Expr& asked = unit_[unit_.arguments[made.first].value];
  const auto found = optional_.find(asked.text);
  if (asked.kind != ExprKind::Name || found == optional_.end()) return;
  made = {.kind = ExprKind::Number,
          .scope = made.scope,
          .first = static_cast<std::uint32_t>(unit_.numbers.size()),
          .where = made.where};
  unit_.numbers.push_back(isa::Number::of(std::int64_t{found->second}));
}

// kNoExpr if there is an error, which is reported.
ExprId Expander::copy(ExprId id, const Frame& frame) {
  Expr made = unit_[id];
  made.where.origin = frame.origin;
  if (made.kind == ExprKind::Name) {
    if (const std::optional<ExprId> value = value_of(made.text, frame)) {
      return argument(*value, made);
    }
  }
  made.scope = frame.scope;
  if (!copy_parts(made, frame)) return kNoExpr;
  if (made.kind == ExprKind::Call && made.text == kHasFunction) answer(made);
  if (made.depth > isa::kFormulaDepth) {
    reporter_.report(Problem::TooDeep, made.where, isa::kFormulaDepth);
    return kNoExpr;
  }
  unit_.exprs.push_back(made);
  return static_cast<ExprId>(unit_.exprs.size() - 1);
}

// Its node is copied to say where it is now; what hangs on it is shared. A number that nobody
// wrote is taken to be where it is used.
ExprId Expander::argument(ExprId value, const Expr& parameter) {
  Expr made = unit_[value];
  if (!spend(made.size)) return kNoExpr;
  if (made.where.line == 0) {
    made.where = parameter.where;
  } else {
    made.where.origin =
        reporter_.add_origin(Remark::StandsForHere, parameter.where, parameter.text);
  }
  unit_.exprs.push_back(made);
  return static_cast<ExprId>(unit_.exprs.size() - 1);
}

bool Expander::copy_parts(Expr& made, const Frame& frame) {
  if (!spend(made.kind == ExprKind::Text ? 1 + made.text.size() / kCharactersOfNode : 1)) {
    return false;
  }
  const bool indexed = made.kind == ExprKind::Index || made.kind == ExprKind::Slice ||
                       made.kind == ExprKind::Subscripts;
  if (indexed && !rename_base(made, frame)) return false;
  made.depth = 1;
  made.size = 1;
  for (ExprId& child : made.child) {
    if (child != kNoExpr && !copy_child(child, made, frame)) return false;
  }
  if (made.kind == ExprKind::Text) copy_pieces(made, frame);
  return !has_arguments(made.kind) || copy_arguments(made, frame);
}

bool Expander::copy_child(ExprId& child, Expr& parent, const Frame& frame) {
  child = copy(child, frame);
  if (child == kNoExpr) return false;
  parent.depth = std::max<std::uint16_t>(parent.depth, unit_[child].depth + 1);
  parent.size += unit_[child].size;
  return true;
}

bool Expander::copy_arguments(Expr& call, const Frame& frame) {
  std::vector<Argument> arguments;
  for (std::uint32_t k = 0; k < call.count; ++k) {
    Argument argument = unit_.arguments[call.first + k];
    argument.name.where.origin = frame.origin;
    if (!copy_child(argument.value, call, frame)) return false;
    arguments.push_back(argument);
  }
  call.first = static_cast<std::uint32_t>(unit_.arguments.size());
  std::ranges::move(arguments, std::back_inserter(unit_.arguments));
  return true;
}

// A value that cannot be copied leaves a gap in the text; its error is reported.
void Expander::copy_pieces(Expr& text, const Frame& frame) {
  std::vector<TextPiece> pieces;
  text.size += static_cast<std::uint32_t>(text.text.size() / kCharactersOfNode);
  for (std::uint32_t k = 0; k < text.count; ++k) {
    TextPiece piece = unit_.pieces[text.first + k];
    piece.type.where.origin = frame.origin;
    if (piece.value != kNoExpr) piece.value = copy(piece.value, frame);
    if (piece.value != kNoExpr) text.size += unit_[piece.value].size;
    pieces.push_back(std::move(piece));
  }
  text.first = static_cast<std::uint32_t>(unit_.pieces.size());
  std::ranges::move(pieces, std::back_inserter(unit_.pieces));
}

// `buffer[0:n]`, where the argument for `buffer` must be a name.
bool Expander::rename_base(Expr& indexed, const Frame& frame) {
  const std::optional<ExprId> value = value_of(indexed.text, frame);
  if (!value) return true;
  const Expr& given = unit_[*value];
  if (given.kind != ExprKind::Name) {
    reporter_.report(Problem::MacroIndex, indexed.where, indexed.text);
    return false;
  }
  const auto origin = reporter_.add_origin(Remark::StandsForHere, indexed.where, indexed.text);
  indexed.text = given.text;
  indexed.where = given.where;
  indexed.whole = false;
  indexed.where.origin = origin;
  return true;
}

}  // namespace wse::assembler
