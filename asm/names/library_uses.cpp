// The parts of libraries that programs take: the functions that they name, those that these name in
// turn, and the registers and data that all of them name. Each program gets its own.
//
// Labels of a function belong to it alone. Code of it belongs to its own lines.
#include <algorithm>

#include "asm/names/expander.h"

namespace wse::assembler {

// Names of all libraries share one table.
void Expander::define_shared(SharedNames& names, const Named& name, const Shared& shared) {
  if (!shared_names_.define(name, NameKind::Other, 0, reporter_)) return;
  names[name.text] = shared;
}

void Expander::define_libraries() {
  for (std::uint32_t k = 0; k < unit_.libraries.size(); ++k) {
    const ProgramSyntax& library = unit_.libraries[k];
    const auto define_all = [&](SharedNames& names, const auto& list, const auto& name_of) {
      for (std::uint32_t n = 0; n < list.size(); ++n) {
        define_shared(names, name_of(list[n]), {k, n});
      }
    };
    define_all(functions_, library.headers, [](const HeaderSyntax& h) { return h.name; });
    define_all(registers_, library.registers, [](const Binding& b) { return b.name; });
    define_all(descriptor_registers_, library.descriptor_registers,
               [](const Binding& b) { return b.name; });
    define_all(data_, library.data, [](const DataSyntax& d) { return d.data.name; });
  }
}

// Every expression of the program is looked at once; what is taken adds further ones at the end.
void Expander::take_from_libraries(ProgramSyntax& program, std::vector<BodySyntax>& body) {
  if (unit_.libraries.empty()) return;
  taken_.clear();
  for (const HeaderSyntax& header : program.headers) {
    if (header.is_function) taken_.insert(header.name.text);
  }
  const auto look_at = [&](ExprId id) {
    const Expr use = unit_[id];
    const bool names = use.kind == ExprKind::Name || use.kind == ExprKind::Index ||
                       use.kind == ExprKind::Slice || use.kind == ExprKind::Subscripts;
    if (names) take_name(use, program, body);
  };
  for (ExprId id = program.first_expr; id < program.last_expr; ++id) look_at(id);
  for (ExprId id = program.first_expanded; id < unit_.exprs.size(); ++id) look_at(id);
}

void Expander::take_name(const Expr& use, ProgramSyntax& program, std::vector<BodySyntax>& body) {
  const auto take = [&](const SharedNames& names) -> const Shared* {
    const auto found = names.find(use.text);
    return found != names.end() && taken_.insert(use.text).second ? &found->second : nullptr;
  };
  if (const Shared* shared = take(functions_)) return take_function(*shared, use, program, body);
  const Frame frame{.origin = use.where.origin};
  if (const Shared* shared = take(registers_)) {
    const Binding& binding = unit_.libraries[shared->library].registers[shared->index];
    program.registers.push_back(copy_binding(binding, frame));
  } else if (const Shared* other = take(descriptor_registers_)) {
    const Binding& binding = unit_.libraries[other->library].descriptor_registers[other->index];
    program.descriptor_registers.push_back(copy_binding(binding, frame));
  } else if (const Shared* data = take(data_)) {
    program.data.push_back(unit_.libraries[data->library].data[data->index]);
  }
}

// Copies it with the number that it is pinned to, which counts as mentioned by the program.
Binding Expander::copy_binding(const Binding& binding, const Frame& frame) {
  Binding made = binding;
  made.name.where.origin = frame.origin;
  if (made.value != kNoExpr) made.value = copy(made.value, frame);
  return made;
}

void Expander::take_function(const Shared& shared, const Expr& use, ProgramSyntax& program,
                             std::vector<BodySyntax>& body) {
  const ProgramSyntax& library = unit_.libraries[shared.library];
  HeaderSyntax header = library.headers[shared.index];
  const auto begin = std::ranges::find_if(library.body, [&shared](const BodySyntax& line) {
    return line.kind == BodySyntax::Kind::Header && line.header == shared.index;
  });
  const auto origin = reporter_.add_origin(Remark::TakenHere, use.where, header.name.text);
  const Frame frame{.origin = origin, .scope = origin};
  header = copy_header(header, frame);
  BodySyntax first = *begin;
  first.header = static_cast<std::uint32_t>(program.headers.size());
  program.headers.push_back(std::move(header));
  body.push_back(first);
  for (auto line = begin + 1; line != library.body.end(); ++line) {
    if (line->kind == BodySyntax::Kind::Header) break;
    outermost_ = line->name.where;
    Frame own = frame;
    own.line = line->line;
    if (const std::optional<BodySyntax> made = copy_line(*line, own)) add(*made, body);
  }
}

}  // namespace wse::assembler
