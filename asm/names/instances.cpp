// Code by role: a program with constants, optional colours or blocks becomes one program for each
// set of constants, of which only the lines remain that are meant.
//
// Constants are put in as arguments of macros are, as numbers. Each instance has expressions of its
// own, so that it mentions what it uses and nothing else.
#include <algorithm>
#include <limits>

#include "asm/names/expander.h"
#include "asm/names/formulas.h"

namespace wse::assembler {
namespace {

constexpr std::int64_t kWidest = std::numeric_limits<std::int64_t>::max() / 4;

template <class List>
void keep(const List& from, const std::vector<bool>& left_out, std::uint32_t& position, List& to) {
  for (const auto& item : from) {
    if (!left_out[position++]) to.push_back(item);
  }
}

}  // namespace

void Expander::make_instances(std::size_t index, std::vector<ProgramSyntax>& made) {
  const ProgramSyntax program = std::move(unit_.programs[index]);
  unit_.programs[index].name = program.name;
  for (std::size_t k = 0; k < unit_.placements.size(); ++k) {
    if (unit_.placements[k].program.text == program.name.text) replaced_.insert(k);
  }
  NameTable names;
  bool good = true;
  for (const ParameterSyntax& parameter : program.parameters) {
    good &= names.define(parameter.name, NameKind::Other, 0, reporter_);
  }
  if (!good) return;
  const std::vector<Role> roles = roles_of(program, unit_, globals_, reporter_);
  if (roles.empty() && !reporter_.has_errors() && program.name.where.file == 0) {
    reporter_.report(Problem::NeverPlaced, program.name.where, program.name.text);
  }
  if (roles.size() > 1) reporter_.say_once();
  for (const Role& role : roles) {
    if (unit_.incomplete) return;
    make_instance(program, role, instance_name(program, roles.size()), made);
    made.back().role = roles.size() > 1 ? role_text(program, roles, role) : program.role;
  }
}

// Its own name if there is one code only, else with a number that nobody has.
std::string_view Expander::instance_name(const ProgramSyntax& program, std::size_t roles) {
  if (roles <= 1) return program.name.text;
  for (std::size_t k = 1;; ++k) {
    std::string name = fmt::format("{}_{}", program.name.text, k);
    const auto is_name = [&name](const ProgramSyntax& other) { return other.name.text == name; };
    if (std::ranges::any_of(unit_.programs, is_name)) continue;
    if (std::ranges::find(unit_.made_names, name) != unit_.made_names.end()) continue;
    return unit_.made_names.emplace_back(std::move(name));
  }
}

void Expander::make_instance(const ProgramSyntax& program, const Role& role, std::string_view name,
                             std::vector<ProgramSyntax>& made) {
  ProgramSyntax instance{.name = {name, program.name.where}, .incomplete = program.incomplete};
  for (const RolePlacement& placement : role.placements) {
    placements_.push_back(placement);
    placements_.back().syntax.program.text = name;
  }
  instance.first_expanded = static_cast<ExprId>(unit_.exprs.size());
  const Frame frame = frame_of(program, role, instance);
  instance_ = &instance;
  source_ = &program;
  outermost_ = role.where;
  copy_declarations(program, instance, frame);
  std::vector<BodySyntax> body;
  copy_lines({.body = program.body,
              .blocks = program.blocks,
              .last = static_cast<std::uint32_t>(program.body.size()),
              .last_block = static_cast<std::uint32_t>(program.blocks.size())},
             frame, body);
  take_from_libraries(instance, body);
  instance.body = std::move(body);
  instance.last_expanded = static_cast<ExprId>(unit_.exprs.size());
  constants_.clear();
  optional_.clear();
  instance_ = nullptr;
  made.push_back(std::move(instance));
}

// Divides the parameters into constants, absent colours and those that remain.
Expander::Frame Expander::frame_of(const ProgramSyntax& program, const Role& role,
                                   ProgramSyntax& made) {
  std::size_t constant = 0;
  std::size_t optional = 0;
  for (const ParameterSyntax& parameter : program.parameters) {
    const Named& name = parameter.name;
    if (parameter.is_constant) {
      const isa::Number& value = role.constants[constant++];
      made.constants.push_back({name, isa::to_text(value)});
      constants_[name.text] = number(value);
      continue;
    }
    const bool given = !parameter.is_optional || role.given[optional++];
    if (parameter.is_optional) optional_[name.text] = given;
    if (given) {
      made.parameters.push_back(parameter);
    } else {
      made.absent.push_back(name);
    }
  }
  Frame frame;
  if (!role.constants.empty() || !role.given.empty()) {
    frame.origin = reporter_.add_origin(Remark::PlacedWith, role.where, program.name.text);
  }
  return frame;
}

ExprId Expander::number(const isa::Number& value) {
  unit_.numbers.push_back(value);
  const auto index = static_cast<std::uint32_t>(unit_.numbers.size() - 1);
  unit_.exprs.push_back({.kind = ExprKind::Number, .first = index});
  return static_cast<ExprId>(unit_.exprs.size() - 1);
}

void Expander::copy_if_any(ExprId& id, const Frame& frame) {
  if (id != kNoExpr) id = copy(id, frame);
}

HeaderSyntax Expander::copy_header(const HeaderSyntax& header, const Frame& frame) {
  HeaderSyntax made = header;
  copy_if_any(made.id, frame);
  for (ExprId& argument : made.arguments) copy_if_any(argument, frame);
  copy_if_any(made.result, frame);
  copy_if_any(made.link, frame);
  return made;
}

// For each declaration, list after list, whether a block leaves it out.
std::vector<bool> Expander::left_out(const ProgramSyntax& program, const Frame& frame) {
  const DeclarationCounts counts = program.declarations();
  DeclarationCounts begin{};
  std::uint32_t all = 0;
  for (std::size_t list = 0; list < counts.size(); ++list) {
    begin[list] = all;
    all += counts[list];
  }
  std::vector<bool> out(all, false);
  for (const BlockSyntax& block : program.blocks) {
    const bool declares = block.first_declarations != block.last_declarations;
    if (!declares || block.kind == BlockSyntax::Kind::For || holds(block, frame)) continue;
    for (std::size_t list = 0; list < counts.size(); ++list) {
      std::fill(out.begin() + begin[list] + block.first_declarations[list],
                out.begin() + begin[list] + block.last_declarations[list], true);
    }
  }
  return out;
}

// Copies them in the order of ProgramSyntax::declarations(). Headers come with the body.
void Expander::copy_declarations(const ProgramSyntax& program, ProgramSyntax& made,
                                 const Frame& frame) {
  const std::vector<bool> out = left_out(program, frame);
  std::uint32_t position = 0;
  keep(program.data, out, position, made.data);
  keep(program.registers, out, position, made.registers);
  keep(program.descriptor_registers, out, position, made.descriptor_registers);
  keep(program.microthreads, out, position, made.microthreads);
  keep(program.queues, out, position, made.queues);
  keep(program.fifos, out, position, made.fifos);
  keep(program.descriptors, out, position, made.descriptors);
  keep(program.routings, out, position, made.routings);
  keep(program.filters, out, position, made.filters);
  keep(program.passive, out, position, made.passive);
  keep(program.seeds, out, position, made.seeds);
  for (DataSyntax& data : made.data) {
    for (ExprId& extent : data.extents) copy_if_any(extent, frame);
    for (ExprId& value : data.list) {
      if (unit_[value].kind != ExprKind::Number) copy_if_any(value, frame);
    }
    copy_if_any(data.data.value, frame);
    copy_if_any(data.bank, frame);
    copy_if_any(data.address, frame);
  }
  for (auto* list : {&made.registers, &made.descriptor_registers, &made.microthreads, &made.queues,
                     &made.descriptors}) {
    for (Binding& binding : *list) copy_if_any(binding.value, frame);
  }
  for (FifoSyntax& fifo : made.fifos) {
    copy_if_any(fifo.storage, frame);
    copy_if_any(fifo.on_leaving_full, frame);
    copy_if_any(fifo.on_leaving_empty, frame);
  }
  for (SeedSyntax& seed : made.seeds) copy_if_any(seed.value, frame);
  for (NamedFilterSyntax& filter : made.filters) {
    for (ExprId& value : filter.filter.values) copy_if_any(value, frame);
  }
}

void Expander::copy_lines(const Lines& lines, const Frame& frame, std::vector<BodySyntax>& out) {
  std::uint32_t block = lines.first_block;
  std::uint32_t line = lines.first;
  while (!unit_.incomplete) {
    if (block < lines.last_block && lines.blocks[block].first_line == line) {
      copy_block(lines, block, frame, out);
      line = lines.blocks[block].last_line;
      block = lines.blocks[block].behind;
      continue;
    }
    if (line == lines.last) return;
    if (!frame.line) outermost_ = lines.body[line].name.where;
    if (const std::optional<BodySyntax> made = copy_line(lines.body[line], frame)) add(*made, out);
    ++line;
  }
}

void Expander::copy_block(const Lines& lines, std::uint32_t index, const Frame& frame,
                          std::vector<BodySyntax>& out) {
  const BlockSyntax& block = lines.blocks[index];
  const Lines inside{.body = lines.body,
                     .blocks = lines.blocks,
                     .first = block.first_line,
                     .last = block.last_line,
                     .first_block = index + 1,
                     .last_block = block.behind};
  if (block.kind == BlockSyntax::Kind::For) return copy_turns(inside, block, frame, out);
  if (holds(block, frame)) copy_lines(inside, frame, out);
}

// Without a value nothing is known of what follows.
bool Expander::holds(const BlockSyntax& block, const Frame& frame) {
  const ExprId condition = copy(block.condition, frame);
  std::optional<isa::Number> value;
  if (condition != kNoExpr) {
    const FormulaScope scope{.level = FormulaScope::Level::Constants};
    value = FormulaBuilder(unit_, globals_, reporter_, scope).constant(condition);
  }
  unit_.incomplete |= !value;
  return value && value->truth() == (block.kind == BlockSyntax::Kind::If);
}

std::optional<std::int64_t> Expander::whole(ExprId id, std::string_view what, const Frame& frame) {
  const ExprId copied = copy(id, frame);
  std::optional<std::int64_t> value;
  if (copied != kNoExpr) {
    const FormulaScope scope{.level = FormulaScope::Level::Constants};
    value =
        FormulaBuilder(unit_, globals_, reporter_, scope).whole(copied, what, -kWidest, kWidest);
  }
  unit_.incomplete |= !value;
  return value;
}

// Labels belong to each turn; it sees those around it.
void Expander::copy_turns(const Lines& inside, const BlockSyntax& loop, const Frame& frame,
                          std::vector<BodySyntax>& out) {
  const std::optional<std::int64_t> first = whole(loop.range.first, "the first value", frame);
  std::optional<std::int64_t> last = first;
  if (loop.range.last != kNoExpr) last = whole(loop.range.last, "the last value", frame);
  std::optional<std::int64_t> step = 1;
  if (loop.range.step != kNoExpr) step = whole(loop.range.step, "the step", frame);
  if (!first || !last || !step || !may_define(loop.variable, NameKind::Parameter, reporter_)) {
    unit_.incomplete = true;
    return;
  }
  if (*step < 1) {
    reporter_.report(Problem::LoopStep, unit_[loop.range.step].where, *step);
    unit_.incomplete = true;
    return;
  }
  Parameters parameters = *frame.parameters;
  Frame turn = frame;
  turn.parameters = &parameters;
  parameters[loop.variable.text] = static_cast<std::uint32_t>(turn.arguments.size());
  turn.arguments.push_back(kNoExpr);
  isa::SourceRange where = loop.variable.where;
  where.origin = frame.origin;
  if (!frame.line) outermost_ = where;
  for (std::int64_t value = *first; value <= *last && spend(1); value += *step) {
    turn.origin = reporter_.add_origin(Remark::TurnHere, where, loop.variable.text);
    turn.scope = turn.origin;
    unit_.scope_parents[turn.scope] = frame.scope;
    turn.arguments.back() = number(isa::Number::of(value));
    copy_lines(inside, turn, out);
  }
}

// The placements of programs with roles make room for those of their instances.
void Expander::replace_placements() {
  if (replaced_.empty()) return;
  std::ranges::stable_sort(placements_, {}, &RolePlacement::index);
  std::vector<PlaceSyntax> all;
  auto next = placements_.begin();
  for (std::size_t k = 0; k < unit_.placements.size(); ++k) {
    if (!replaced_.contains(k)) all.push_back(std::move(unit_.placements[k]));
    for (; next != placements_.end() && next->index == k; ++next) {
      all.push_back(std::move(next->syntax));
    }
  }
  unit_.placements = std::move(all);
}

}  // namespace wse::assembler
