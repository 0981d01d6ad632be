// The numbers of the command line: one table of the options that have any, with least and most, and
// the one strict reader. An option without a row here takes no number; a test looks for
// options that bypass the table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "isa/support/result.h"

namespace wse::cli {

// A number in the value of an option: `part` is its name in the shape of the value, such as X of
// X,Y:SYMBOL; of a SIZE the number counts bytes, and may end in K, M or G.
struct NumberOption {
  std::string_view option;
  std::string_view part;
  std::uint64_t least;
  std::uint64_t most;

  bool is_size() const { return part == "SIZE"; }
};

std::span<const NumberOption> number_options();

// The row; the program is wrong, and ends, if there is none.
const NumberOption& number_option(std::string_view option, std::string_view part);

// Decimal digits and nothing else, of a SIZE with their suffix. The error names option, value,
// least and most.
isa::Result<std::uint64_t> read_number(const NumberOption& row, std::string_view text);

}  // namespace wse::cli
