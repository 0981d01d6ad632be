// What the assembler's tests share: assembling a text, and the code of its first program.
// Must never accept diagnostics silently: assemble_good() fails the test with their text.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "asm/assembler.h"
#include "isa/image/disassembler.h"
#include "isa/instruction/codec.h"

namespace wse::assembler {

using Overrides = std::vector<std::pair<std::string, std::string>>;

// The texts are code without a fabric around it: what becomes of their words is no matter.
inline Output assemble_text(std::string_view text, const Overrides& overrides = {}) {
  return assemble({"test.wsa", std::string(text)},
                  {.overrides = overrides,
                   .profile = *isa::find_profile("wse2"),
                   .warnings = {{.code = "E224"}, {.code = "E231"}, {.code = "E232"}}});
}

// A loader of files kept in memory; texts that begin with "!" cannot be read.
inline Loader loader_of(std::map<std::string, std::string> files) {
  return [files = std::move(files)](
             const std::string& path) -> isa::Result<std::optional<std::string>> {
    const auto file = files.find(path);
    if (file == files.end()) return std::nullopt;
    if (file->second.starts_with('!')) return isa::fail(file->second.substr(1));
    return file->second;
  };
}

inline std::string errors_of(std::string_view text, const Overrides& overrides = {}) {
  const Output output = assemble_text(text, overrides);
  EXPECT_NE(output.image.has_value(), isa::has_errors(output.diagnostics));
  return isa::to_text(output.diagnostics, output.files);
}

// The image, which verify() accepts and whose text assembles to the same bytes.
inline isa::Image assemble_good(std::string_view text, const Overrides& overrides = {}) {
  Output output = assemble_text(text, overrides);
  EXPECT_EQ(isa::to_text(output.diagnostics, output.files), "");
  if (!output.image) return {};
  const isa::Status verified = isa::verify(*output.image);
  EXPECT_TRUE(verified) << verified.error();
  const std::string again = isa::disassemble(*output.image);
  const Output second = assemble_text(again);
  EXPECT_EQ(isa::to_text(second.diagnostics, second.files), "") << again;
  if (second.image) {
    EXPECT_EQ(isa::write_image(*second.image), isa::write_image(*output.image)) << again;
  }
  return std::move(*output.image);
}

inline std::vector<isa::Instruction> decode_all(const isa::Program& program) {
  std::vector<isa::Instruction> code;
  for (std::size_t pc = 0; pc < program.code.size();) {
    const auto instruction = isa::decode(std::span(program.code).subspan(pc));
    EXPECT_TRUE(instruction.has_value());
    if (!instruction) break;
    code.push_back(*instruction);
    pc += isa::info(instruction->op).words();
  }
  return code;
}

// A program with arrays v, w (f32), k (i32), scalars total (f32), n (i32), parameters alpha (f32),
// c (colour), m (i32), around these lines of its task.
inline std::string program_with(std::string_view lines, std::string_view declarations = "") {
  return ".grid 4, 2\n.colour red, blue\n.param g: f32 = 0.25\n"
         ".program p(alpha: f32 = 1.5, c: colour = red, m: i32 = 7)\n"
         "  .f32 v[8]\n  .f32 w[8]\n  .i32 k[8]\n  .f32 total\n  .i32 n\n" +
         std::string(declarations) + "  task main:\n" + std::string(lines) +
         "\n.place p at (0..3, 0..1)\n";
}

inline isa::Program build(std::string_view lines, std::string_view declarations = "") {
  isa::Image image = assemble_good(program_with(lines, declarations));
  return image.programs.empty() ? isa::Program{} : std::move(image.programs[0]);
}

// The text of each instruction but the final halt.
inline std::vector<std::string> code_of(std::string_view lines,
                                        std::string_view declarations = "") {
  const isa::Image image = assemble_good(program_with(lines, declarations));
  std::vector<std::string> texts;
  if (image.programs.empty()) return texts;
  for (const isa::Instruction& instruction : decode_all(image.programs[0])) {
    texts.push_back(isa::instruction_text(image, image.programs[0], instruction));
  }
  EXPECT_EQ(texts.back(), "halt");
  texts.pop_back();
  return texts;
}

using Texts = std::vector<std::string>;

}  // namespace wse::assembler
