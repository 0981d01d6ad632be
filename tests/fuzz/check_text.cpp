// Bytes as assembly text. What assembles must survive the file format and the disassembler
// unchanged, and running it must end.
#include "asm/assembler.h"
#include "tests/fuzz/checks.h"
#include "tests/fuzz/harness.h"

namespace wse::fuzz {
namespace {

assembler::Output assemble(std::string_view text) {
  static const isa::Profile kProfile = *isa::find_profile("wse2");
  return assembler::assemble({"fuzz.wsa", std::string(text)},
                             {.overrides = {}, .profile = kProfile, .max_grid_side = kMaxGridSide});
}

void check_image(const isa::Image& image) {
  const std::vector<std::byte> bytes = isa::write_image(image);
  const isa::Result<isa::Image> read = isa::read_image(bytes);
  require(read.has_value(), "a written image can be read", read ? "" : read.error());
  require(isa::write_image(*read) == bytes, "reading an image loses nothing");
  const std::string text = isa::disassemble(image);
  const assembler::Output again = assemble(text);
  require(again.image.has_value(), "disassembled text assembles",
          text + isa::to_text(again.diagnostics, again.files));
  require(isa::write_image(*again.image) == bytes, "disassembled text gives the same bytes",
          text + "----\n" + isa::disassemble(*again.image));
}

}  // namespace

void check_text(std::string_view text) {
  const assembler::Output output = assemble(text);
  require(output.image.has_value() != isa::has_errors(output.diagnostics),
          "there is an image or an error");
  isa::to_text(output.diagnostics, output.files);
  if (!output.image) return;
  check_image(*output.image);
  run_bounded(*output.image);
}

}  // namespace wse::fuzz
