// The registers of one kind: which the program mentions by number, and what names of its own mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "asm/program/numbered_names.h"

namespace wse::assembler {

class RegisterNumbers {
 public:
  // Names of the program are put into `names`, with their index, and found there.
  static RegisterNumbers general(NameTable& names);
  static RegisterNumbers descriptors(NameTable& names);

  // If the text is a register, r3 or d3, no name gets its number. All texts of the program come
  // before its names.
  void mention(std::string_view text);
  // Call it once. Names with a value have that number, the others the lowest not mentioned.
  void define(const std::vector<Binding>& bindings, const Unit& unit, Reporter& reporter);

  // Returns the number of a name, by its index; nothing after an error, which is reported.
  std::optional<std::uint32_t> of(std::uint32_t index) const { return numbers_[index]; }
  // Of r3 or a name; nothing if the text names no register, or one with an error.
  std::optional<std::uint32_t> find(std::string_view text) const;
  // Not mentioned, and without a name.
  const FreeNumbers& free() const { return free_; }

 private:
  RegisterNumbers(char letter, NameKind kind, FreeNumbers free, NameTable& names)
      : letter_(letter), kind_(kind), free_(free), names_(names) {}

  std::optional<std::uint32_t> pinned(const Expr& expr, Reporter& reporter) const;

  char letter_;  // of the names that need no declaration
  NameKind kind_;
  FreeNumbers free_;
  NameTable& names_;
  std::vector<std::optional<std::uint32_t>> numbers_;
};

}  // namespace wse::assembler
