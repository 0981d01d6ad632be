// The words of instructions: their rows, and which one a wrong word was meant to be.
#pragma once

#include <string>
#include <string_view>

#include "asm/syntax/syntax.h"
#include "asm/text/report.h"
#include "isa/instruction/instruction.h"

namespace wse::assembler {

// The rows of a mnemonic; both none: it is no instruction.
struct MnemonicRows {
  const isa::InstructionInfo* scalar = nullptr;
  const isa::InstructionInfo* vector = nullptr;
};
MnemonicRows rows_of(std::string_view mnemonic);

// A word that the vendor's SDK documents and this machine does not have.
struct VendorWord {
  std::string_view word;
  std::string_view reason;
  std::string_view instead;
};
// Returns nullptr for any other word.
const VendorWord* vendor_word(std::string_view mnemonic);

// The instruction, macro or header that the word may mean: what lacks a width, what other
// instruction sets call so (other_words.def), else the nearest; empty if there is none.
std::string meant_by(std::string_view word, const Unit& unit, const Reporter& reporter);

}  // namespace wse::assembler
