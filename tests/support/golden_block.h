// Programs that carry their golden at their end, as comments:
//
//     ;;; with NAME=VALUE        values of the command line, any number of such lines
//     ;;; on PROFILE             the machine, if it is not the one of the area
//     ;;; file NAME              another file, which the program includes: the lines below
//     ;;; | A LINE OF IT
//     ;;; expect
//     ;;; everything that the test prints for this program, line by line
#pragma once

#include <filesystem>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wse::test_support {

struct GoldenProgram {
  std::filesystem::path path;
  std::string source;  // the whole file; the block is comments
  std::vector<std::pair<std::string, std::string>> values;
  std::string profile;  // empty: that of the area
  std::string expected;
  std::map<std::string, std::string> files;  // name, text

  std::string name() const { return path.filename().string(); }
};

// How a list of tests names it.
inline void PrintTo(const GoldenProgram& program, std::ostream* out) { *out << program.name(); }

// The .wsa files of a folder below tests/, sorted.
std::vector<GoldenProgram> golden_programs(std::string_view folder);

// Empty if the block says exactly `actual`, or was just rewritten (WSE_BLESS=1); else both texts.
std::string compare_with_block(const GoldenProgram& program, std::string_view actual);

}  // namespace wse::test_support
