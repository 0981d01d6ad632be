// Images: there and back as a file, the small questions about them, and parameters set by name.
#include "isa/image/image.h"

#include <gtest/gtest.h>

#include "isa/image/disassembler.h"
#include "tests/unit/isa/image_samples.h"

namespace wse::isa {
namespace {

TEST(IsaImage, TheSampleIsLegal) {
  const Status status = verify(rich_image());
  EXPECT_TRUE(status) << status.error();
  EXPECT_TRUE(verify(Image{}));
}

TEST(IsaImage, ThereAndBack) {
  const Image image = rich_image();
  const std::vector<std::byte> bytes = write_image(image);
  const Result<Image> back = read_image(bytes);
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(write_image(*back), bytes);
  EXPECT_EQ(disassemble(*back), disassemble(image));
  const Program& program = back->programs[0];
  EXPECT_EQ(program.code, image.programs[0].code);
  EXPECT_EQ(program.derived, image.programs[0].derived);
  EXPECT_EQ(program.descriptors, image.programs[0].descriptors);
  ASSERT_TRUE(program.seed);
  EXPECT_EQ(program.seed->value, image.programs[0].seed->value);
  EXPECT_EQ(program.seed->where, image.programs[0].seed->where);
  EXPECT_FALSE(back->programs[1].seed);
  EXPECT_EQ(*program.symbols[1].initial, *image.programs[0].symbols[1].initial);
  EXPECT_FALSE(program.symbols[0].initial);
  EXPECT_EQ(back->placements[0].arguments, image.placements[0].arguments);
  EXPECT_EQ(back->placements[1].rect, image.placements[1].rect);
  EXPECT_EQ(back->routes[1].routing.positions, image.routes[1].routing.positions);
  EXPECT_EQ(back->routes[1].routing.pop, PopMode::OnAdvanceNop);
  EXPECT_EQ(back->expectations[0].within, 0.5);
  EXPECT_EQ(back->parameters[0].value, Number::of(0.25));
  EXPECT_EQ(back->sources, image.sources);
}

TEST(IsaImage, AnEmptyImageThereAndBack) {
  const Result<Image> back = read_image(write_image(Image{}));
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(write_image(*back), write_image(Image{}));
}

TEST(IsaImage, IsRecognisedByItsMagic) {
  const std::vector<std::byte> bytes = write_image(Image{});
  EXPECT_TRUE(is_image(bytes));
  EXPECT_FALSE(is_image(std::span(bytes).first(7)));
  EXPECT_FALSE(is_image({}));
  std::vector<std::byte> text(100, std::byte{'w'});
  EXPECT_FALSE(is_image(text));
}

// ---- small questions

TEST(IsaImage, MeasuresAProgram) {
  const Image image = rich_image();
  const Program& program = image.programs[0];
  EXPECT_EQ(program.slot_count(), 4u + 4 + 2);
  EXPECT_EQ(program.data_bytes(), 8u + 8 * 4 + 5 * 2);
  EXPECT_EQ(program.code_bytes(), 4 * (program.code.size() + 3 + 10) + 4 * 16);
  EXPECT_EQ(Program{}.data_bytes(), 0u);
}

TEST(IsaImage, FindsNamesAndLines) {
  const Image image = rich_image();
  const Program& program = image.programs[0];
  ASSERT_NE(program.find_symbol("v"), nullptr);
  EXPECT_EQ(program.find_symbol("v")->address, 8u);
  EXPECT_EQ(program.find_symbol("w"), nullptr);
  EXPECT_EQ(image.colour_name(0), "red");
  EXPECT_EQ(image.colour_name(1), "1");
  EXPECT_EQ(image.colour_name(23), "23");
  EXPECT_EQ(image.place_text({1, 4}), "lib/part.wsa:4");
  EXPECT_EQ(image.place_text({1, 0}), "");
  EXPECT_EQ(image.place_text({2, 4}), "");
}

TEST(IsaImage, ALineHoldsUpToTheNextEntry) {
  Program program;
  program.lines = {{2, {0, 10}}, {5, {0, 11}}};
  EXPECT_EQ(program.line_of(0), (SourceLine{0, 0}));
  EXPECT_EQ(program.line_of(2), (SourceLine{0, 10}));
  EXPECT_EQ(program.line_of(4), (SourceLine{0, 10}));
  EXPECT_EQ(program.line_of(5), (SourceLine{0, 11}));
  EXPECT_EQ(program.line_of(1000), (SourceLine{0, 11}));
}

TEST(IsaImage, RangesAreInclusive) {
  EXPECT_EQ((StridedRange{0, 5, 2}.count()), 3);
  EXPECT_EQ((StridedRange{0, 5, 2}.end()), 4);
  EXPECT_EQ((StridedRange{3, 2, 1}.count()), 0);
  EXPECT_EQ((StridedRange{-2147483647, 2147483647, 1}.count()), 4294967295);
  std::string members;
  for_each({{0, 3, 2}, {1, 2, 1}}, [&](std::uint32_t x, std::uint32_t y) {
    members += std::to_string(x) + "," + std::to_string(y) + " ";
  });
  EXPECT_EQ(members, "0,1 2,1 0,2 2,2 ");
}

// ---- text

TEST(IsaImage, TextShowsTheWholeImage) {
  const std::string text = disassemble(rich_image());
  for (const std::string_view line : {
           ".grid 4, 2\n",
           ".colour blue = 2\n",
           ".param gain: f32 = 0.25\n",
           ".param n: i32 = -3\n",
           "\n.program rich(count: i32, scale: f32, red: colour, mask: u32)\n",
           ".line 3 \"rich.wsa\"\n  .i32 total\n",
           ".line 4 \"lib/part.wsa\"\n  .f32 v[8] exported address=8 = i * 2\n",
           "  task main:\n",
           "    setd d1, v[0:7:2]\n",
           "    mark begin\n",
           "    assert r2 < ",
           "\"r1 = {r1:i32}\\t\\\"\\{v\\}\\\\{v[1]:f32}{scale:f32}\\n\"\n",
           ".place rich at (0..3, 0) with count = x, scale = 0.5, red = x % 2 ? 2 : 0, mask = "
           "bits\n",
           ".place small at (1..3 step 2, 1)\n",
           ".place small at (2..1, 0)\n",
           ".route blue at (0..3 step 2, 0..1): west -> east, ramp\n",
           ".route 1 at (1, 1): [ramp -> north] [south -> ramp] [east -> west] "
           "[north -> west, east, north, south, ramp] ring pop=on_advance_nop\n",
           "  .routing turned = [west -> ramp] [west -> west, east] ring\n",
           "  .filtering mine = range count..9\n",
           "  .filtering open = none\n",
           ".line 7\n  .seed y + 5\n",
           "    setroute ",
           ", turned\n",
           ".filter blue at (0..3, 0): range x..x + 1\n",
           ".filter 1 at (1, 1): sparse max=1 limit=3 start=2 then=65535 counts=both "
           "control=filtered\n",
           ".stream x_in: f32[7] at (0, 0..1): west -> blue\n",
           ".stream y_out: i32 at (1..3 step 2, 0): 1 -> north\n",
           ".expect v[1:4] at (0..3, 0..1) == gain + 1 within 0.5\n",
           ".expect cycles == 133 on model\n",
       }) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "is missing in\n" << text;
  }
}

TEST(IsaImage, DescriptorsAreShownByName) {
  const Image image = rich_image();
  const Program& program = image.programs[0];
  const auto shown = [&](const DescriptorLiteral& d) { return descriptor_text(image, program, d); };
  DescriptorLiteral d = program.descriptors[0];
  EXPECT_EQ(shown(d), "v[0:7:2]");
  d.stride = 1;
  EXPECT_EQ(shown(d), "v[0:4]");
  d.length.value = 8;
  EXPECT_EQ(shown(d), "v");
  d.length.value = 9;
  EXPECT_EQ(shown(d), "mem(8, length=9, stride=1)");
  d.address.value = 36;
  d.length.value = 8;
  d.stride = -1;
  EXPECT_EQ(shown(d), "v[7:-1:-1]");
  EXPECT_EQ(shown(program.descriptors[1]), "fabin(red, length=count + 1)");
  EXPECT_EQ(shown(program.descriptors[2]), "fabout(blue)");
  EXPECT_EQ(shown(program.descriptors[3]), "fabin(blue, length=endless, on_control=terminate)");
}

// Prints every number so that the assembler reads it as a number.
TEST(IsaImage, EveryLengthIsShownAsANumber) {
  const Image image = rich_image();
  DescriptorLiteral d = image.programs[0].descriptors[2];
  const auto shown = [&](std::uint32_t length) {
    d.length = {false, length};
    return descriptor_text(image, image.programs[0], d);
  };
  EXPECT_EQ(shown(0), "fabout(blue, length=0)");
  EXPECT_EQ(shown(0x7ffe), "fabout(blue, length=32766)");
  EXPECT_EQ(shown(0x7fff), "fabout(blue, length=32766 + 1)");
  EXPECT_EQ(shown(0x8000), "fabout(blue, length=32768)");
  EXPECT_EQ(shown(kMaxLength), "fabout(blue, length=16777215)");
}

TEST(IsaImage, AddressesAreShownByName) {
  const Image image = rich_image();
  const Program& program = image.programs[0];
  const auto shown = [&](ScalarKind kind, std::uint32_t scalar) {
    return instruction_text(image, program,
                            {.op = Op::Load32,
                             .destination = 1,
                             .scalar_kind = static_cast<std::uint32_t>(kind),
                             .scalar = scalar});
  };
  EXPECT_EQ(shown(ScalarKind::Immediate, 0), "ld32 r1, total");
  EXPECT_EQ(shown(ScalarKind::Immediate, 20), "ld32 r1, v[3]");
  EXPECT_EQ(shown(ScalarKind::Immediate, 4), "ld32 r1, mem(4)");  // between two symbols
  EXPECT_EQ(shown(ScalarKind::Literal, 1), "ld32 r1, mem(100000)");
  EXPECT_EQ(shown(ScalarKind::Slot, 4), "ld32 r1, mem(count)");
  EXPECT_EQ(shown(ScalarKind::Register, 5), "ld32 r1, mem(r5)");
}

// ---- set_parameter

std::string set(std::string_view name, std::string_view value) {
  Image image = rich_image();
  const Status status = set_parameter(image, name, value);
  if (!status) return status.error();
  for (const GlobalParameter& parameter : image.parameters) {
    if (parameter.name == name) return to_text(parameter.value);
  }
  return "?";
}

TEST(IsaImage, ParametersAreSetByName) {
  EXPECT_EQ(set("n", "12"), "12");
  EXPECT_EQ(set("n", "-2147483648"), "-2147483648");
  EXPECT_EQ(set("bits", "4294967295"), "4294967295");
  EXPECT_EQ(set("gain", "1.5"), "1.5");
  EXPECT_EQ(set("gain", "3"), "3.0");
  EXPECT_EQ(set("gain", "0.1"), to_text(Number::of(static_cast<double>(0.1F))));
  EXPECT_EQ(set("gain", "99999999999999999999"), to_text(Number::of(static_cast<double>(1e20F))));
}

TEST(IsaImage, ValuesThatDoNotFitAreRefused) {
  EXPECT_EQ(set("m", "1"), "no parameter 'm'");
  EXPECT_EQ(set("bits", "-1"), "parameter 'bits': -1 does not fit into u32");
  EXPECT_EQ(set("n", "4294967296"), "parameter 'n': 4294967296 does not fit into i32");
  EXPECT_EQ(set("n", "1.5"), "parameter 'n': 1.5 is a float, but i32 is needed; int(...) converts");
  for (const std::string_view value : {"", "x", "1x", "1 ", " 1", "1.5.5", "--1", "0x10"}) {
    EXPECT_EQ(set("n", value), "parameter 'n': '" + std::string(value) + "' is not a number");
  }
  for (const std::string_view value : {"99999999999999999999", "-99999999999999999999"}) {
    EXPECT_NE(set("n", value).find("parameter 'n': "), std::string::npos) << value;
  }
}

}  // namespace
}  // namespace wse::isa
