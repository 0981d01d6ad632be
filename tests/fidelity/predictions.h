// What the profiles predict for sizes that nobody has compared yet: series of programs over one
// parameter.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isa/support/result.h"
#include "tests/fidelity/rows.h"

namespace wse::fidelity {

struct Series {
  Row row;           // without a measured number
  std::string over;  // the parameter
  std::vector<std::string> sizes;
};

// The rows of predictions.csv: a header, then a line each. Errors name the line.
isa::Result<std::vector<Series>> parse_predictions(std::string_view text);

// The row of one size.
Row row_of(const Series& series, const std::string& size);

}  // namespace wse::fidelity
