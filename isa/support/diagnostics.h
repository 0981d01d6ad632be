// Diagnostics: what is wrong, where, and what to do, for people.
//
//     heat.wsa:12:5: error[E012]: unknown mnemonic 'fmca'
//        12 |     fmca v, v, w
//           |     ^~~~
//           = help: did you mean 'fmac'?
//           = note: from heat.py:40
//
// A diagnostic keeps only positions; the source line is fetched when it is printed. The texts of
// the assembler's messages are in asm/text/diagnostics.def, never at the place that finds the
// error.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wse::isa {

// A stretch of one source line. Lines and columns count from 1; columns count bytes.
struct SourceRange {
  std::uint32_t file = 0;  // index into SourceFiles
  std::uint32_t line = 0;  // 0: no place
  std::uint32_t column = 1;
  std::uint32_t length = 1;
  std::uint32_t origin = 0;  // what brought the text there, numbered by who reads it; 0: nothing

  bool operator==(const SourceRange&) const = default;
};

struct SourceFile {
  std::string name;
  std::string text;
};
using SourceFiles = std::vector<SourceFile>;

enum class Severity : std::uint8_t { Error, Warning, Note };

struct Diagnostic {
  Severity severity = Severity::Error;
  std::string code;  // "E012"; empty for notes
  SourceRange where;
  std::string message;
  std::string help{};  // the remedy; empty if the message says it
  std::string from{};  // the line that a generator made this one of; empty: none is known
};
using Diagnostics = std::vector<Diagnostic>;

bool has_errors(const Diagnostics& diagnostics);

// The text of one diagnostic as drawn above, ending in a newline. Long source lines are cut with
// "..."; control characters are shown as visible.h says.
std::string to_text(const Diagnostic& diagnostic, const SourceFiles& files);
std::string to_text(const Diagnostics& diagnostics, const SourceFiles& files);

// The candidate nearest to `word` by edit distance, or "" if none is near enough to be a typo of
// it.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace wse::isa
