// The texts of lines by the names that a program's image has for them.
//
// A generated text says with `.lines N "FILE"` from where its lines come. Several of its parts may
// come from texts with one name, such as those that a script makes at one of its lines, so that a
// file and a line alone do not tell which one is meant: the program does.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "isa/support/diagnostics.h"

namespace wse::vm {

class LineTexts {
 public:
  LineTexts() = default;  // knows none
  // The sources must live longer.
  explicit LineTexts(const isa::SourceFiles& sources);

  // Returns the lines of `file` as far as they are known, from line 1 on, of the text that has
  // `.program NAME`: `program` is the name, and may be followed by "(" and more. If no text has it,
  // those of the only text of that name. Empty: nothing is known.
  std::vector<std::string_view> lines_of(std::string_view program, const std::string& file) const;
  // Returns that line of `file` alone, counted from 1. Empty: it is not known.
  std::string_view line_of(std::string_view program, const std::string& file,
                           std::uint32_t line) const;

 private:
  // Lines of one text that come from one after another of a file.
  struct Part {
    std::uint32_t first = 1;  // its number in the file
    std::vector<std::string_view> lines{};

    bool has_program(std::string_view name) const;
  };
  void add_text(const isa::SourceFile& source);

  std::map<std::string, std::vector<Part>> parts_;  // by file
};

}  // namespace wse::vm
