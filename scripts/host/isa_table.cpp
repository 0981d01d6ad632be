// One table constructor per row of isa/instruction/instructions.def.
#include "scripts/host/isa_table.h"

#include <fmt/format.h>

namespace wse::script {
namespace {

// A text of printable characters as a literal of Lua.
std::string lua_text(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c;
  }
  return literal + '"';
}

std::string row_text(const isa::InstructionInfo& row) {
  std::string sources;
  for (const isa::OperandType type : row.types.source) {
    sources += fmt::format("{}\"{}\"", sources.empty() ? "" : ", ", operand_type_name(type));
  }
  const isa::FormatInfo& format = isa::info(row.format);
  return fmt::format(
      "    {{name = {}, mnemonic = {}, format = {}, operands = {}, bits = {},\n"
      "     opcode = {}, words = {}, vector = {}, flops = {}, type = {}, sources = {{{}}},\n"
      "     meaning = {}}},\n",
      lua_text(row.name), lua_text(row.mnemonic), lua_text(format.name), lua_text(format.operands),
      lua_text(format.bits), row.opcode, row.words(), row.is_vector(), row.flops,
      lua_text(operand_type_name(row.types.result)), sources, lua_text(row.meaning));
}

}  // namespace

std::string operand_type_name(isa::OperandType type) {
  constexpr std::string_view kNames[] = {
#define OPERAND_TYPE(name, ...) #name,
#include "isa/instruction/operand_types.def"
#undef OPERAND_TYPE
  };
  std::string name(kNames[static_cast<int>(type)]);
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return name;
}

std::string isa_lua() {
  std::string text = "return {\n  instructions = {\n";
  for (const isa::InstructionInfo& row : isa::kInstructions) text += row_text(row);
  return text + "  },\n}\n";
}

}  // namespace wse::script
