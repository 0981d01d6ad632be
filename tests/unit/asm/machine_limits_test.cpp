// What the assembler numbers for a machine with limits, so that sources without pins meet them.
#include <gtest/gtest.h>

#include "asm/assembler.h"
#include "isa/support/diagnostics.h"

namespace wse::assembler {
namespace {

isa::Image assembled(const std::string& text, std::string_view profile) {
  Output output =
      assemble({"test.wsa", text}, {.overrides = {}, .profile = *isa::find_profile(profile)});
  EXPECT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
  return output.image ? std::move(*output.image) : isa::Image{};
}

// Twelve colours of one position in front of `switched` of two.
std::string many_colours(int plain, int switched) {
  std::string names;
  std::string routes;
  const auto add = [&](const std::string& name, const std::string& route) {
    names += (names.empty() ? ".colour " : ", ") + name;
    routes += ".route " + name + " at (0, 0): " + route + "\n";
  };
  for (int k = 0; k < plain; ++k) add("p" + std::to_string(k), "ramp -> ramp");
  for (int k = 0; k < switched; ++k) {
    add("s" + std::to_string(k), "[ramp -> ramp] [ramp -> east]");
  }
  return ".grid 2, 1\n" + names + "\n.program p\n  task main:\n    halt\n.place p at (0, 0)\n" +
         routes;
}

// Without routes at (1, 0) nobody would take what goes east: the second position goes nowhere.
std::vector<std::string> colours(int plain, int switched, std::string_view profile) {
  std::string text = many_colours(plain, switched);
  for (int k = 0; k < switched; ++k) {
    text += ".route s" + std::to_string(k) + " at (1, 0): west -> ramp\n";
  }
  return assembled(text, profile).colours;
}

TEST(MachineLimits, ColoursAreNumberedInTheirOrderWhereAllHaveSwitches) {
  for (const char* profile : {"wse2", "model"}) {
    const std::vector<std::string> names = colours(12, 3, profile);
    ASSERT_EQ(names.size(), 15u);
    EXPECT_EQ(names[0], "p0");
    EXPECT_EQ(names[11], "p11");
    EXPECT_EQ(names[12], "s0");
  }
}

TEST(MachineLimits, ColoursWithPositionsGetSwitches) {
  const std::vector<std::string> names = colours(12, 3, "wse3");  // 10 and 11 have none
  EXPECT_EQ(names[10], "p10");
  EXPECT_EQ(names[11], "p11");
  EXPECT_EQ(names[12], "s0");
  EXPECT_EQ(names[13], "s1");
  EXPECT_EQ(names[16], "s2");
}

// Several positions of a further name are positions of the colour.
TEST(MachineLimits, FurtherNamesGetSwitchesForTheirColours) {
  std::string text = many_colours(11, 0);  // 0 .. 10, one of them without a switch
  text.insert(text.find("\n.program"), "\n.colour q, s, z = s");
  text += ".route z at (0, 0): [ramp -> ramp] [-> east]\n.route s at (1, 0): west -> ramp\n";
  const std::vector<std::string> names = assembled(text, "wse3").colours;
  EXPECT_EQ(names[11], "q");
  EXPECT_EQ(names[12], "s");
  text.insert(text.find(", z = s"), " = 11");
  text.erase(text.find(" q,"), 3);
  const Output refused =
      assemble({"test.wsa", text}, {.overrides = {}, .profile = *isa::find_profile("wse3")});
  const std::string told = isa::to_text(refused.diagnostics, refused.files);
  EXPECT_FALSE(refused.image);
  EXPECT_NE(told.find("error[E216]: colour 's' gets several switch"), std::string::npos) << told;
}

// Eight plain names in front leave the sixteen switches to those that need them.
TEST(MachineLimits, PlainColoursLeaveSwitchesToOthers) {
  const std::vector<std::string> names = colours(8, 16, "wse3");
  ASSERT_EQ(names.size(), 24u);
  EXPECT_EQ(names[10], "p0");
  EXPECT_EQ(names[11], "p1");
  EXPECT_EQ(names[23], "p7");
  EXPECT_EQ(names[0], "s0");
  EXPECT_EQ(names[21], "s15");
}

TEST(MachineLimits, LocalTasksTakeIdsThatTheMachineHas) {
  std::string text = ".grid 1, 1\n.program p\n  task main:\n    halt\n";
  for (int k = 0; k < 22; ++k) text += "  task t" + std::to_string(k) + ":\n    end\n";
  text += ".place p at (0, 0)\n";
  const auto ids = [&text](std::string_view profile) {
    std::vector<std::uint32_t> all;
    for (const isa::Task& task : assembled(text, profile).programs.at(0).tasks) {
      if (task.kind == isa::TaskKind::Local) all.push_back(task.id.value);
    }
    return all;
  };
  const std::vector<std::uint32_t> wse2 = ids("wse2");
  EXPECT_EQ(wse2[5], 30u);
  EXPECT_EQ(wse2[6], 0u);
  const std::vector<std::uint32_t> wse3 = ids("wse3");
  EXPECT_EQ(wse3[5], 30u);
  EXPECT_EQ(wse3[6], 8u);
  EXPECT_EQ(wse3[21], 23u);
  const std::string more = text.substr(0, text.find(".place")) + "  task more:\n    end\n" +
                           text.substr(text.find(".place"));
  const Output refused =
      assemble({"test.wsa", more}, {.overrides = {}, .profile = *isa::find_profile("wse3")});
  ASSERT_EQ(refused.diagnostics.size(), 1u);
  EXPECT_EQ(refused.diagnostics[0].message, "'more' is one local task too many: there are 22");
}

}  // namespace
}  // namespace wse::assembler
