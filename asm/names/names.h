// Names and what they mean: one table for the top level, one for each program.
//
// A table says each duplicate once and remembers where a name was defined; it holds no values.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "asm/syntax/syntax.h"
#include "asm/text/report.h"
#include "asm/text/suggest.h"

namespace wse::assembler {

enum class NameKind : std::uint8_t {
  Constant,
  Colour,
  Entry,      // of control tasks
  Global,     // .param
  Parameter,  // of the program
  Absent,     // an optional one that is not given
  Data,
  Register,
  DescriptorRegister,
  Descriptor,
  Fifo,
  Other,  // programs, labels, microthreads: tables with one kind only
};

struct Meaning {
  NameKind kind = NameKind::Other;
  std::uint32_t index = 0;
  isa::SourceRange where;
};

class NameTable {
 public:
  // False (and a diagnostic) if the name is taken.
  bool define(const Named& name, NameKind kind, std::uint32_t index, Reporter& reporter);

  // nullptr if there is no such name.
  const Meaning* find(std::string_view name) const;

  void offer_all(Suggestion& suggestion) const;

 private:
  std::unordered_map<std::string_view, Meaning> meanings_;
  std::vector<std::string_view> order_;
};

// "the register", "the data" ...
std::string_view describe(NameKind kind);

// Returns the number after 'r' or 'd' of a register's name; larger than any register if it has many
// digits. Returns nothing if the text is not such a name.
std::optional<std::uint32_t> register_number(std::string_view text, char letter);

// Whether the language itself gives the name a meaning. Data, registers and descriptors may be
// called x or y: as a whole operand the name is theirs, in an expression it stays the coordinate.
bool is_reserved(std::string_view name, NameKind kind);

// Reports a reserved name.
bool may_define(const Named& name, NameKind kind, Reporter& reporter);

}  // namespace wse::assembler
