// Finds the operands that a row of the table reads.
#include "asm/code/line.h"

#include <fmt/format.h>

namespace wse::assembler {

std::string usage(const isa::InstructionInfo& row) {
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

}  // namespace wse::assembler
