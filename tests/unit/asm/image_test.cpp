// Statements of the top level in the image: names, placements, routes, expectations, lines, texts.
#include "tests/unit/asm/support.h"

namespace wse::assembler {
namespace {

using isa::Number;
using isa::Port;

TEST(Image, ColoursAreNumberedAroundPinnedOnes) {
  const isa::Image image = assemble_good(
      ".const K = 1\n.grid 1, 1\n.colour a, b = K, c,\n  d = 4, e\n.program p\n task main:\n"
      " mov32 r1, e\n.place p at (0, 0)\n");
  EXPECT_EQ(image.colours, (std::vector<std::string>{"a", "b", "c", "e", "d"}));
  EXPECT_EQ(decode_all(image.programs[0])[0].scalar, 3u);
}

// All names of a colour mean its number; only names of their own count when numbers are given.
TEST(Image, FurtherNamesOfColoursShareTheirNumbers) {
  const isa::Image image = assemble_good(
      ".grid 2, 1\n.colour a, b = 0, c = a, d = c, e\n.program p(k: colour)\n task main:\n"
      " mov32 r1, d\n mov32 fabout(d), 1\n task t on c (r2):\n halt\n"
      ".place p at (0, 0) with k = d\n.place p at (1, 0) with k = e\n"
      ".route d at (0, 0): ramp -> east\n.route c at (1, 0): west -> ramp\n"
      ".filter d at (1, 0): range 0..9\n");
  EXPECT_EQ(image.colours, (std::vector<std::string>{"b", "a", "e"}));
  EXPECT_EQ(decode_all(image.programs[0])[0].scalar, 1u);
  EXPECT_EQ(image.programs[0].tasks[1].id.value, 1u);
  EXPECT_EQ(isa::to_text(image.placements[0].arguments[0], {}, {}), "1");
  EXPECT_EQ(isa::to_text(image.placements[1].arguments[0], {}, {}), "2");
  EXPECT_EQ(image.routes[0].colour, 1u);
  EXPECT_EQ(image.routes[1].colour, 1u);
  EXPECT_EQ(image.filters[0].colour, 1u);
  const std::string text = isa::disassemble(image);
  EXPECT_EQ(isa::write_image(assemble_good(text)), isa::write_image(image));
}

TEST(Image, TheCommandLineReplacesConstantsAndParameters) {
  constexpr std::string_view kText =
      ".const W = 2\n.const H = W + 1\n.param n: i32 = 5\n.param f: f32\n.grid W, H\n";
  const isa::Image image = assemble_good(kText, {{"W", "3*2"}, {"n", "-7"}, {"f", "2"}});
  EXPECT_EQ(image.width, 6u);
  EXPECT_EQ(image.height, 7u);
  ASSERT_EQ(image.parameters.size(), 2u);
  EXPECT_EQ(image.parameters[0].value, Number::of(std::int64_t{-7}));
  EXPECT_EQ(image.parameters[1].value, Number::of(2.0));
}

TEST(Image, DataBeginInTheirBanksAndAtTheirAddresses) {
  const isa::Image image = assemble_good(
      ".grid 1, 1\n.program p\n .i16 a[3]\n .i16 b bank=3\n .i16 c bank=3 = 7\n"
      " .f32 d[2] exported bank=2\n .i32 e address=64\n .i16 f\n task main:\n"
      ".place p at (0, 0)\n");
  std::vector<std::uint32_t> addresses;
  for (const isa::Symbol& symbol : image.programs[0].symbols) addresses.push_back(symbol.address);
  EXPECT_EQ(addresses, (std::vector<std::uint32_t>{0, 6, 22, 36, 64, 68}));
  const std::string text = isa::disassemble(image);
  EXPECT_NE(text.find(".i16 b\n"), std::string::npos) << text;
  EXPECT_NE(text.find(".i16 c address=22 = 7\n"), std::string::npos) << text;
  EXPECT_EQ(isa::write_image(assemble_good(text)), isa::write_image(image));
}

TEST(Image, PlacementsMayComeFirst) {
  const isa::Image image = assemble_good(
      ".grid 8, 2\n.place p at (1..6 step 2, 0..1) with b = x % 2 ? red : 3, a = g * 2\n"
      ".param g: i32 = 4\n.program p(a: i32, b: colour, k: i32 = width)\n task main:\n"
      ".colour blue, red\n");
  ASSERT_EQ(image.placements.size(), 1u);
  const isa::Placement& placement = image.placements[0];
  EXPECT_EQ(placement.rect.x, (isa::StridedRange{1, 6, 2}));
  const std::vector<std::string> globals = {"g"};
  EXPECT_EQ(isa::to_text(placement.arguments[0], {}, globals), "g * 2");
  EXPECT_EQ(isa::to_text(placement.arguments[1], {}, globals), "x % 2 ? 1 : 3");
  EXPECT_EQ(isa::to_text(placement.arguments[2], {}, globals), "width");
}

TEST(Image, EmptyRangesAreNoError) {
  const isa::Image image = assemble_good(
      ".grid 2, 2\n.colour c\n.program p\n task main:\n.place p at (2..1, 0)\n"
      ".route c at (0, 5..4): ramp -> east\n.expect v at (1..0, 0) == 1\n");
  EXPECT_TRUE(image.placements[0].rect.empty());
  EXPECT_TRUE(image.routes[0].rect.empty());
}

TEST(Image, AHypercubeHasPortsForItsDimensions) {
  const isa::Image image = assemble_good(
      ".const D = 11\n.hypercube D + 1\n.colour c\n.program p\n  .i32 n = width\n  task main:\n"
      "    mov32 fabout(c, advance), 1\n"
      ".place p at (0..4095, 0)\n"
      ".route c at (0..2047, 0): [ramp -> dim11, dim0] [-> dim11] [dim0 ->]\n"
      ".route c at (2048..4095, 0): dim11 -> ramp\n");
  EXPECT_EQ(image.hypercube_dimensions, 12u);
  EXPECT_EQ(image.width, 4096u);
  EXPECT_EQ(image.height, 1u);
  ASSERT_EQ(image.routes.size(), 2u);
  EXPECT_EQ(isa::position_text(image.routes[0].routing.positions[0]), "ramp -> dim0, dim11");
  EXPECT_EQ(image.routes[1].routing.positions[0].rx, Port{16});
}

TEST(Image, RoutesHavePositions) {
  const isa::Image image = assemble_good(
      ".grid 3, 1\n.colour c\n.program p\n  task main:\n    setpos c, 1\n"
      ".route c at (0, 0): ramp -> east,\n   ramp\n"
      ".route c at (1, 0): [west -> ramp] [-> east] ring pop=on_advance_nop\n"
      ".route 0 at (2, 0): west -> ramp\n.place p at (0, 0)\n");
  ASSERT_EQ(image.routes.size(), 3u);
  EXPECT_EQ(image.routes[0].routing.positions[0].tx, isa::bit(Port::East) | isa::bit(Port::Ramp));
  EXPECT_EQ(image.routes[1].routing.positions.size(), 2u);
  EXPECT_TRUE(image.routes[1].routing.ring);
  EXPECT_EQ(image.routes[1].routing.pop, isa::PopMode::OnAdvanceNop);
}

TEST(Image, ExpectationsKnowTheirElements) {
  const isa::Image image = assemble_good(
      ".grid 2, 1\n.program p\n .f32 v[6] exported\n .i32 n\n task main:\n.place p at (0..1, 0)\n"
      ".expect v at (0..1, 0) == i + x\n.expect v[2] at (0, 0) == 1 within 1e-3 on model\n"
      ".expect v[1:4] at (0, 0) == 0\n.expect n at (0, 0) == width\n.expect cycles == 133 on "
      "wse2\n");
  ASSERT_EQ(image.expectations.size(), 5u);
  EXPECT_EQ(image.expectations[0].count, 6u);
  EXPECT_EQ(image.expectations[1].first, 2u);
  EXPECT_EQ(image.expectations[1].count, 1u);
  EXPECT_EQ(image.expectations[1].within, 1e-3);
  EXPECT_EQ(image.expectations[1].profile, "model");
  EXPECT_EQ(image.expectations[2].first, 1u);
  EXPECT_EQ(image.expectations[2].count, 3u);
  EXPECT_EQ(image.expectations[4].subject, isa::Expectation::Subject::Cycles);
}

TEST(Image, DataLieInOrder) {
  const isa::Image image = assemble_good(
      ".const B = 3\n.grid 1, 1\n.program p\n .f32 a[B * 2] exported = i\n .u32 b = 0xffffffff\n"
      " .i32 none[0]\n .i32 c[2]\n task main:\n.place p at (0, 0)\n");
  const std::vector<isa::Symbol>& symbols = image.programs[0].symbols;
  ASSERT_EQ(symbols.size(), 4u);
  EXPECT_EQ(symbols[0].count, 6u);
  EXPECT_TRUE(symbols[0].exported);
  EXPECT_EQ(symbols[1].address, 24u);
  EXPECT_FALSE(symbols[1].is_array);
  EXPECT_EQ(symbols[3].address, 28u);
  EXPECT_EQ(image.programs[0].data_bytes(), 36u);
}

TEST(Image, LinesFollowTheSource) {
  const isa::Image image = assemble_good(
      ".grid 1, 1\n.program p\n  .f32 v[2]\n\n  task main:\n  mov32 r1, 1\n\n  fmovs v, 0\n"
      ".place p at (0, 0)\n");
  const isa::Program& program = image.programs[0];
  EXPECT_EQ(image.sources, std::vector<std::string>{"test.wsa"});
  ASSERT_EQ(program.lines.size(), 2u);
  EXPECT_EQ(program.lines[0].where.line, 6u);
  EXPECT_EQ(program.lines[1].pc, 1u);
  EXPECT_EQ(program.lines[1].where.line, 8u);
}

TEST(Image, LineDirectivesNameOtherSources) {
  const isa::Image image = assemble_good(
      ".line 7 \"gen.lua\"\n.grid 1, 1\n.program p\n task main:\n mov32 r1, 1\n mov32 r1, 2\n"
      ".line 3\n mov32 r1, 3\n.line 9 \"b.lua\"\n mov32 r1, 4\n.place p at (0, 0)\n");
  const isa::Program& program = image.programs[0];
  EXPECT_EQ(image.sources, (std::vector<std::string>{"gen.lua", "b.lua"}));
  ASSERT_EQ(program.lines.size(), 3u);
  EXPECT_EQ(program.lines[0].where.line, 7u);
  EXPECT_EQ(program.lines[1].where.line, 3u);
  EXPECT_EQ(program.lines[2].where.file, 1u);
}

TEST(Image, TextsArePiecesWithValues) {
  using Kind = isa::PrintPiece::Kind;
  const isa::Program program = build(
      "print \"a {r1} {r2:f32}{total}\\n{v[3]:u32} {alpha} {x*2} {1+2} \\{end\\}\"\n print \"\"");
  ASSERT_EQ(program.prints.size(), 2u);
  const isa::PrintText& text = program.prints[0];
  ASSERT_EQ(text.size(), 7u);
  EXPECT_EQ(text[0].text, "a ");
  EXPECT_EQ(text[0].kind, Kind::Register);
  EXPECT_EQ(text[0].type, isa::Type::I32);
  EXPECT_EQ(text[1].type, isa::Type::F32);
  EXPECT_EQ(text[2].kind, Kind::Memory);
  EXPECT_EQ(text[2].type, isa::Type::F32);
  EXPECT_EQ(text[3].text, "\n");
  EXPECT_EQ(text[3].value, 12u);
  EXPECT_EQ(text[3].type, isa::Type::U32);
  EXPECT_EQ(text[4].kind, Kind::Slot);
  EXPECT_EQ(text[4].type, isa::Type::F32);
  EXPECT_EQ(text[5].type, isa::Type::I32);
  EXPECT_EQ(text[6].kind, Kind::None);
  EXPECT_EQ(text[6].text, " 3 {end}");
  EXPECT_TRUE(program.prints[1].empty());
}

TEST(Image, StatementsGoOnInsideBrackets) {
  EXPECT_EQ(code_of("add32 r1,\n  r2,\n\n  ; between\n  3\n mov32 r4, (1 +\n 2)"),
            (Texts{"add32 r1, r2, 3", "mov32 r4, 3"}));
}

TEST(Image, CarriageReturnsDoNotMatter) {
  const isa::Image image = assemble_good(
      ".grid 1, 1\r\n.program p\r\n task main:\r\n  mov32 r1, 2\r\n"
      ".place p at (0, 0)\r\n");
  EXPECT_EQ(image.programs[0].code.size(), 2u);
}

TEST(Image, DiagnosticsAreInTheOrderOfTheSource) {
  const std::string errors =
      errors_of(".grid 4, 1\n.place q at (0, 0)\n.program p\n task main:\n  fmca r1\n");
  EXPECT_LT(errors.find("test.wsa:2:"), errors.find("test.wsa:5:"));
}

}  // namespace
}  // namespace wse::assembler
