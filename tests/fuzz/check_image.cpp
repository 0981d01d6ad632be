// Bytes as the payload of a .wsb file. The header around them is always right, so that the checks
// after the checksum are reached; the bytes are also read as a whole file.
#include "tests/fuzz/checks.h"
#include "tests/fuzz/harness.h"
#include "tests/unit/isa/image_samples.h"

namespace wse::fuzz {

void check_image(std::span<const std::byte> payload) {
  static_cast<void>(isa::read_image(payload));
  const std::vector<std::byte> file = isa::file_around(payload);
  const isa::Result<isa::Image> image = isa::read_image(file);
  if (!image) return require(!image.error().empty(), "a refusal says why");
  const isa::Status verified = isa::verify(*image);
  require(verified.has_value(), "an image that was read is valid");
  require(isa::write_image(*image) == file, "an image has one spelling");
  require(!isa::disassemble(*image).empty(), "an image can be printed");
  run_bounded(*image);
}

}  // namespace wse::fuzz
