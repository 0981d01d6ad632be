// The options of a descriptor in the source: `fabin(red, length=8, packed)`.
//
// Says which are there, each once; what their values mean is for the reader of the operand.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "asm/syntax/syntax.h"
#include "asm/text/report.h"

namespace wse::assembler {

enum class Option : std::uint8_t {
#define OPTION(name, ...) name,
#include "asm/syntax/operand_options.def"
#undef OPTION
};

struct OptionInfo {
  std::string_view text;
  bool has_value = false;
  std::string_view calls;
};

inline constexpr OptionInfo kOptions[] = {
#define OPTION(name, text, has_value, calls, meaning) {text, has_value, calls},
#include "asm/syntax/operand_options.def"
#undef OPTION
};
inline constexpr std::size_t kOptionCount = std::size(kOptions);

// Reports a word that the vendor's SDK documents and this machine does not have; true if it is one.
bool refuse_vendor_option(std::string_view word, const isa::SourceRange& where, Reporter& reporter);

class GivenOptions {
 public:
  bool has(Option option) const { return at(option).given; }
  // kNoExpr without the option, or if it has no value.
  ExprId value(Option option) const { return at(option).value; }
  const isa::SourceRange& where(Option option) const { return at(option).where; }

 private:
  friend std::optional<GivenOptions> read_options(const Unit&, const Expr&, Reporter&);

  struct Entry {
    bool given = false;
    ExprId value = kNoExpr;
    isa::SourceRange where;
  };
  const Entry& at(Option option) const { return entries_[static_cast<std::size_t>(option)]; }

  std::array<Entry, kOptionCount> entries_;
};

// Reads the options of a call of fabin, fabout or mem: its arguments but the first. Returns nothing
// after an error, which is reported.
std::optional<GivenOptions> read_options(const Unit& unit, const Expr& call, Reporter& reporter);

}  // namespace wse::assembler
