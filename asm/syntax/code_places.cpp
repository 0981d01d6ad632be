// Looks through the lines of one program; only for what is reported.
#include "asm/syntax/code_places.h"

#include <algorithm>
#include <span>

#include "isa/instruction/codec.h"

namespace wse::assembler {

isa::SourceRange place_of(const ProgramSyntax& syntax, const isa::SourceLine& line,
                          std::string_view mnemonic) {
  const BodySyntax* first = nullptr;
  for (const BodySyntax& body : syntax.body) {
    if (body.kind != BodySyntax::Kind::Instruction || body.line != line) continue;
    if (body.name.text == mnemonic) return body.name.where;
    if (first == nullptr) first = &body;
  }
  return first == nullptr ? syntax.name.where : first->name.where;
}

isa::SourceRange place_of(const ProgramSyntax& syntax, const isa::Program& program,
                          std::uint32_t pc) {
  const auto instruction = isa::decode(std::span(program.code).subspan(pc));
  if (!instruction) return syntax.name.where;
  return place_of(syntax, program.line_of(pc), isa::info(instruction->op).mnemonic);
}

isa::SourceRange place_of(const ProgramSyntax& syntax, const isa::Task& task) {
  const auto found = std::ranges::find_if(syntax.headers, [&task](const HeaderSyntax& header) {
    return !header.is_function && header.name.text == task.name;
  });
  return found == syntax.headers.end() ? syntax.name.where : found->name.where;
}

}  // namespace wse::assembler
