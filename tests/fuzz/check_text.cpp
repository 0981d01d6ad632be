// Bytes as assembly text. What assembles must survive the file format and the disassembler
// unchanged, and running it must end.
#include "asm/analysis.h"
#include "asm/assembler.h"
#include "asm/prices.h"
#include "tests/fuzz/checks.h"
#include "tests/fuzz/harness.h"

namespace wse::fuzz {
namespace {

const std::vector<isa::Program> kNoPrograms;

const isa::Profile& text_profile() {
  static const isa::Profile kProfile = *isa::find_profile("wse2");
  return kProfile;
}

// Each mention is the name of its symbol, and is found at its place.
void check_names(std::string_view text) {
  const assembler::Analysis analysis = assembler::analyse(
      {"fuzz.wsa", std::string(text)}, {.overrides = {}, .profile = text_profile()});
  const auto& symbols = analysis.names.symbols();
  for (const assembler::Mention& mention : analysis.names.mentions()) {
    const auto& [file, offset, length] = mention.where;
    require(analysis.files[file].text.compare(offset, length, symbols[mention.symbol].name) == 0,
            "a mention is the name of its symbol", symbols[mention.symbol].name);
    require(!analysis.names.at(file, offset + length).empty(), "a mention is found");
  }
  for (const assembler::IndexedSymbol& symbol : symbols) {
    static_cast<void>(assembler::places_to_rename(analysis, symbol.group, "q"));
    if (&symbol - symbols.data() > 20) break;
  }
}

assembler::Output assemble(std::string_view text) {
  return assembler::assemble(
      {"fuzz.wsa", std::string(text)},
      {.overrides = {}, .profile = text_profile(), .max_grid_side = kMaxGridSide});
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
  check_names(text);
  for (const isa::Program& program : output.image ? output.image->programs : kNoPrograms) {
    static_cast<void>(
        assembler::priced_lines(*output.image, program, output.files, text_profile()));
  }
  require(output.image.has_value() != isa::has_errors(output.diagnostics),
          "there is an image or an error");
  isa::to_text(output.diagnostics, output.files);
  if (!output.image) return;
  check_image(*output.image);
  run_bounded(*output.image);
}

}  // namespace wse::fuzz
