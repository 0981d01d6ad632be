// Bytes as a NumPy file. What is read must be as large as its shape says, and survive being written
// and read again.
#include <vector>

#include "tests/fuzz/checks.h"
#include "tests/fuzz/harness.h"
#include "vm/numpy/npy.h"

namespace wse::fuzz {

void check_npy(std::span<const std::byte> file) {
  const auto array = numpy::parse_npy({file.begin(), file.end()});
  if (!array) return require(!array.error().empty(), "a refusal says why");
  require(numpy::data_bytes(array->dtype, array->shape) == array->data.size(),
          "an array has the size that its shape says", numpy::shape_text(array->shape));
  const auto written = numpy::format_npy(*array);
  require(written.has_value(), "what was read can be written", written ? "" : written.error());
  const auto again = numpy::parse_npy(*written);
  require(again.has_value(), "what was written can be read", again ? "" : again.error());
  require(
      again->dtype == array->dtype && again->shape == array->shape && again->data == array->data,
      "writing and reading change nothing", numpy::shape_text(array->shape));
}

}  // namespace wse::fuzz
