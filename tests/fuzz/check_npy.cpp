// Bytes as a NumPy file. What is read must be as large as its shape says, and survive being written
// and read again.
#include <vector>

#include "tests/fuzz/checks.h"
#include "tests/fuzz/harness.h"
#include "vm/cli/npy.h"

namespace wse::fuzz {

void check_npy(std::span<const std::byte> file) {
  const auto array = cli::parse_npy({file.begin(), file.end()});
  if (!array) return require(!array.error().empty(), "a refusal says why");
  require(cli::data_bytes(array->dtype, array->shape) == array->data.size(),
          "an array has the size that its shape says", cli::shape_text(array->shape));
  const auto written = cli::format_npy(*array);
  require(written.has_value(), "what was read can be written", written ? "" : written.error());
  const auto again = cli::parse_npy(*written);
  require(again.has_value(), "what was written can be read", again ? "" : again.error());
  require(
      again->dtype == array->dtype && again->shape == array->shape && again->data == array->data,
      "writing and reading change nothing", cli::shape_text(array->shape));
}

}  // namespace wse::fuzz
