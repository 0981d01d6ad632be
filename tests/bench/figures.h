// Measured figures as tables: for people at a terminal, and in Markdown for the READMEs.
//
// Must never judge, and never touch a README but between its marks:
//   <!-- bench -->
//   <!-- end of bench -->
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "isa/support/result.h"
#include "tests/bench/measure.h"

namespace wse::bench {

struct Figure {
  Row row;
  Rate rate;
};

std::string text_head();
std::string text_line(const Figure& figure);

// All figures with how they were measured.
std::string full_table(std::span<const Figure> figures);
// The headlines.
std::string short_table(std::span<const Figure> figures);

// Errors: no such file, no marks, or it cannot be written.
isa::Status put_between_marks(const std::filesystem::path& readme, const std::string& table);

}  // namespace wse::bench
