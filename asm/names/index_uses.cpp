// The uses of names: an operand is looked for as what the letters of its instruction say.
#include <algorithm>

#include "asm/names/index_walker.h"
#include "asm/names/names.h"
#include "isa/instruction/instruction.h"

namespace wse::assembler {
namespace {

// Returns the operands of a mnemonic, as the letters of formats.def; empty for any other word.
std::string_view letters_of(std::string_view mnemonic) {
  static const auto kLetters = [] {
    std::unordered_map<std::string_view, std::string_view> letters;
    for (const isa::InstructionInfo& row : isa::kInstructions) {
      letters.try_emplace(row.mnemonic, isa::info(row.format).operands);
    }
    return letters;
  }();
  const auto found = kLetters.find(mnemonic);
  return found == kLetters.end() ? std::string_view() : found->second;
}

std::optional<Space> space_of(char letter) {
  switch (letter) {
    case 'L': return Space::Labels;
    case 'U': return Space::Microthreads;
    case 'R': return Space::Routings;
    case 'W': return Space::Filters;
    case 'T': return Space::Tasks;
    case 'M': return Space::Marks;
    default: return std::nullopt;
  }
}

// Calls whose arguments are names of the program, never coordinates.
bool takes_names(std::string_view call) {
  constexpr std::string_view kCalls[] = {kViewFunction, kAddressFunction, "circular",
                                         "save",        "indexed",        "mem"};
  return std::ranges::find(kCalls, call) != std::end(kCalls);
}

}  // namespace

void IndexWalker::use_top() {
  const auto values = [this](const auto& list) {
    for (const auto& binding : list) use(binding.value, kTopScope, kNested);
  };
  values(unit_.constants);
  values(unit_.parameters);
  values(unit_.colours);
  values(unit_.entries);
  for (const GridSyntax& grid : unit_.grids) {
    use_all({grid.width, grid.height, grid.dimensions}, kTopScope, kNested);
  }
}

void IndexWalker::use_places() {
  for (const PlaceSyntax& place : unit_.placements) {
    const auto program = scopes_.find(kTopScope, Space::Programs, place.program.text);
    if (program) mention(place.program.text, place.program.where.file, *program, false);
    use_rect(place.rect, kTopScope);
    const auto named = std::ranges::find(unit_.programs, place.program.text,
                                         [](const ProgramSyntax& p) { return p.name.text; });
    for (const Binding& argument : place.arguments) {
      use(argument.value, kTopScope, kNested);
      if (named == unit_.programs.end()) continue;
      const auto index = static_cast<std::size_t>(named - unit_.programs.begin());
      const auto parameter =
          scopes_.find_in(program_scopes_[index], Space::Values, argument.name.text);
      if (parameter) mention(argument.name.text, argument.name.where.file, *parameter, false);
    }
  }
  for (const RouteSyntax& route : unit_.routes) {
    use_all({route.colour, route.routing.start}, kTopScope, kNested);
    use_rect(route.rect, kTopScope);
  }
  for (const FilterPlaceSyntax& filter : unit_.filters) {
    use(filter.colour, kTopScope, kNested);
    use_rect(filter.rect, kTopScope);
    for (const ExprId value : filter.filter.values) use(value, kTopScope, kNested);
  }
  for (const StreamSyntax& stream : unit_.streams) {
    use_all({stream.count, stream.colour}, kTopScope, kNested);
    use_rect(stream.rect, kTopScope);
  }
  for (const ExpectSyntax& expectation : unit_.expectations) use_expectation(expectation);
}

// Its subject is data of the programs that are placed there.
void IndexWalker::use_expectation(const ExpectSyntax& expectation) {
  use_rect(expectation.rect, kTopScope);
  use_all({expectation.value, expectation.within}, kTopScope, kNested);
  if (expectation.subject == kNoExpr) return;
  const Expr& subject = unit_[expectation.subject];
  use_name(subject.text, subject.where.file, expect_scope_, kValue);
  use_all({subject.child[0], subject.child[1], subject.child[2]}, kTopScope, kNested);
  for (std::uint32_t k = 0; has_arguments(subject.kind) && k < subject.count; ++k) {
    const Expr& part = unit_[unit_.arguments[subject.first + k].value];
    use_all({part.child[0], part.child[1], part.child[2]}, kTopScope, kNested);
  }
}

void IndexWalker::use_range(const RangeSyntax& range, ScopeId scope) {
  use_all({range.first, range.last, range.step}, scope, kNested);
}

void IndexWalker::use_rect(const RectSyntax& rect, ScopeId scope) {
  use_range(rect.x, scope);
  use_range(rect.y, scope);
}

void IndexWalker::use_program(const ProgramSyntax& program, ScopeId scope) {
  for (const ParameterSyntax& parameter : program.parameters) {
    use(parameter.value, kTopScope, kNested);
  }
  for (const DataSyntax& data : program.data) use_data(data, scope);
  for (const auto* list : {&program.registers, &program.descriptor_registers, &program.microthreads,
                           &program.queues, &program.descriptors}) {
    for (const Binding& binding : *list) use(binding.value, scope, kValue);
  }
  for (const FifoSyntax& fifo : program.fifos) {
    use(fifo.storage, scope, kValue);
    use_all({fifo.on_leaving_full, fifo.on_leaving_empty}, scope, {Space::Tasks});
  }
  for (const NamedRoutingSyntax& routing : program.routings) {
    use(routing.routing.start, scope, kNested);
  }
  for (const NamedFilterSyntax& filter : program.filters) {
    for (const ExprId value : filter.filter.values) use(value, scope, kNested);
  }
  for (const SeedSyntax& seed : program.seeds) use(seed.value, scope, kNested);
  for (const HeaderSyntax& header : program.headers) use_header(header, scope);
  use_body(program.body, program.blocks);
}

void IndexWalker::use_data(const DataSyntax& data, ScopeId scope) {
  for (const ExprId extent : data.extents) use(extent, scope, kNested);
  for (const ExprId value : data.list) use(value, scope, kNested);
  use_all({data.data.value, data.bank, data.address}, scope, kNested);
}

void IndexWalker::use_header(const HeaderSyntax& header, ScopeId scope) {
  use(header.id, scope, kNested);
  for (const ExprId argument : header.arguments) use(argument, scope, kValue);
  use_all({header.result, header.link}, scope, kValue);
}

void IndexWalker::use_body(const std::vector<BodySyntax>& body,
                           const std::vector<BlockSyntax>& blocks) {
  const BodyScopes& scopes = bodies_[&body];
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    use(blocks[k].condition, scopes.blocks[k], kNested);
    use_range(blocks[k].range, scopes.blocks[k]);
  }
  for (std::size_t k = 0; k < body.size(); ++k) {
    if (body[k].kind == BodySyntax::Kind::Instruction) use_line(body[k], scopes.lines[k]);
  }
}

void IndexWalker::use_line(const BodySyntax& line, ScopeId scope) {
  use(line.microthread, scope, {Space::Microthreads});
  use(line.completes, scope, {Space::Tasks});
  use(line.index, scope, kValue);
  const bool is_instruction = line.name.text == kMapWord || !letters_of(line.name.text).empty();
  const auto macro = macros_.find(line.name.text);
  if (!is_instruction && macro != macros_.end()) return use_macro(line, macro->second, scope);
  use_operands(line, scope);
}

// An argument may be anything: every name that it can be is one of its meanings.
void IndexWalker::use_macro(const BodySyntax& line, std::uint32_t macro, ScopeId scope) {
  const auto symbol = scopes_.find(kTopScope, Space::Macros, unit_.macros[macro].name.text);
  if (symbol) mention(line.name.text, line.name.where.file, *symbol, false);
  for (std::uint32_t k = 0; k < line.operands; ++k) {
    const ExprId id = unit_.operands[line.first_operand + k];
    const Expr& expr = unit_[id];
    const bool is_plain = expr.kind == ExprKind::Name && !expr.grouped;
    if (!is_plain || is_reserved(expr.text, NameKind::Data)) {
      use(id, scope, kValue);
      continue;
    }
    bool is_known = false;
    for (std::size_t space = 0; space <= static_cast<std::size_t>(Space::Filters); ++space) {
      const auto found = scopes_.find(scope, static_cast<Space>(space), expr.text);
      if (!found) continue;
      mention(expr.text, expr.where.file, *found, false);
      is_known = true;
    }
    if (!is_known && is_in_open_scope(scope)) use(id, scope, kValue);
    if (!is_known && !is_in_open_scope(scope)) use_mark(expr, scope);
  }
}

void IndexWalker::use_operands(const BodySyntax& line, ScopeId scope) {
  const std::string_view word = line.name.text;
  const std::string_view letters = letters_of(word);
  const bool calls = word == isa::info(isa::Op::Call).mnemonic;
  const bool maps = word == kMapWord;
  for (std::uint32_t k = 0; k < line.operands; ++k) {
    const ExprId id = unit_.operands[line.first_operand + k];
    const Expr& expr = unit_[id];
    std::optional<Space> space;
    if (letters.size() == line.operands) space = space_of(letters[k]);
    if (calls || maps) {
      const std::uint32_t callee = calls && line.operands == 1 ? 0 : 1;
      space = k == callee ? std::optional(Space::Labels) : std::nullopt;
    }
    if (maps && k == 1 && !letters_of(expr.text).empty()) continue;  // an instruction
    if (space == Space::Marks && expr.kind == ExprKind::Name) {
      use_mark(expr, scope);
    } else {
      use(id, scope, {.space = space.value_or(Space::Values)});
    }
  }
}

// A mark is there where it is used first.
void IndexWalker::use_mark(const Expr& expr, ScopeId scope) {
  auto symbol = scopes_.find(scope, Space::Values, expr.text);
  const bool is_argument = symbol && (scopes_.symbols()[*symbol].kind == SymbolKind::Argument ||
                                      scopes_.symbols()[*symbol].kind == SymbolKind::Variable);
  if (!is_argument) symbol = scopes_.define(kTopScope, Space::Marks, SymbolKind::Mark, expr.text);
  mention(expr.text, expr.where.file, *symbol, !is_argument);
}

void IndexWalker::use_all(std::initializer_list<ExprId> ids, ScopeId scope, Role role) {
  for (const ExprId id : ids) use(id, scope, role);
}

void IndexWalker::use(ExprId id, ScopeId scope, Role role) {
  if (id == kNoExpr) return;
  const Expr& expr = unit_[id];
  const Role inner{Space::Values, Whole::Register};
  switch (expr.kind) {
    case ExprKind::Number: return;
    case ExprKind::Name:
      if (expr.grouped) role.whole = Whole::No;
      return use_name(expr.text, expr.where.file, scope, role);
    case ExprKind::Text:
      for (std::uint32_t k = 0; k < expr.count; ++k) {
        use(unit_.pieces[expr.first + k].value, scope, kValue);
      }
      return;
    case ExprKind::Operator:
      for (std::uint32_t k = 0; k < expr.count; ++k) use(expr.child[k], scope, kNested);
      return;
    case ExprKind::Call: return use_call(expr, scope);
    case ExprKind::Index:
    case ExprKind::Slice:
      use_name(expr.text, expr.where.file, scope, kValue);
      return use_all({expr.child[0], expr.child[1], expr.child[2]}, scope, inner);
    case ExprKind::Subscripts:
    case ExprKind::List:
      for (std::uint32_t k = 0; k < expr.count; ++k) {
        use(unit_.arguments[expr.first + k].value, scope, inner);
      }
      return;
  }
}

// The words after the first argument of control(...) are commands.
void IndexWalker::use_call(const Expr& call, ScopeId scope) {
  const bool is_control = call.text == "control";
  const bool is_task = call.text == "activate" || call.text == "unblock";
  for (std::uint32_t k = 0; k < call.count; ++k) {
    const Argument& argument = unit_.arguments[call.first + k];
    const bool has_name = !argument.name.text.empty();
    if (is_control && k > 0 && !has_name) continue;
    Role role{Space::Values, takes_names(call.text) ? Whole::Any : Whole::Register};
    if (is_task) role.space = Space::Tasks;
    if (argument.name.text == "queue") role.space = Space::Queues;
    use(argument.value, scope, role);
  }
}

// Returns whether the name is a word of the language where it is used so.
bool IndexWalker::is_hidden(std::string_view name, Role role, ScopeId scope) const {
  if (role.space != Space::Values) return false;
  if (is_reserved(name, NameKind::Data)) return true;
  if (role.whole == Whole::Any || !is_reserved(name, NameKind::Other)) return false;
  if (role.whole == Whole::No) return true;
  const auto found = scopes_.find(scope, Space::Values, name);
  return !found || scopes_.symbols()[*found].kind != SymbolKind::Register;
}

// Looks in the space of the role first: what is not there may be an argument, a value, or in the
// end anything of that name.
std::optional<std::uint32_t> IndexWalker::look_up(std::string_view name, ScopeId scope,
                                                  Role role) const {
  if (const auto found = scopes_.find(scope, role.space, name)) return found;
  for (const Space space : {Space::Values, Space::Labels, Space::Tasks, Space::Microthreads,
                            Space::Queues, Space::Routings, Space::Filters}) {
    if (const auto found = scopes_.find(scope, space, name)) return found;
  }
  return std::nullopt;
}

bool IndexWalker::is_in_open_scope(ScopeId scope) const { return open_scope_of(scope) != kNoScope; }

ScopeId IndexWalker::open_scope_of(ScopeId scope) const {
  while (scope != kNoScope && !open_.contains(scope)) scope = scopes_.parent(scope);
  return scope;
}

void IndexWalker::use_name(std::string_view name, std::uint32_t file, ScopeId scope, Role role) {
  if (name.empty() || is_hidden(name, role, scope)) return;
  if (const auto found = look_up(name, scope, role)) return mention(name, file, *found, false);
  const ScopeId open = open_scope_of(scope);
  if (open == kNoScope) return;
  const std::uint32_t symbol = scopes_.define(open, role.space, SymbolKind::Free, name);
  free_.push_back({open, role, name, symbol});
  mention(name, file, symbol, false);
}

}  // namespace wse::assembler
