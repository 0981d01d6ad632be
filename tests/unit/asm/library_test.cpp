// Libraries: what programs take of them; calls that pass arguments; the files that come with wsevm.
#include <fmt/format.h>

#include "tests/unit/asm/support.h"

namespace wse::assembler {
namespace {

constexpr std::string_view kHelpers = R"(
.library helpers
  .reg h_a, h_b, h_link
  .f32 h_table[3] = i
  function both (h_a: i32, h_b: i32) -> h_a: i32 link h_link:
    blt   h_a, h_b, done
    mov32 h_a, h_b
  done:
  function third (h_a: i32) -> h_b: f32 link h_link:
    mov32 h_b, h_table[h_a]
  function tail (h_a: i32) -> h_a: i32 link h_link:
    mov32 h_b, 4
    jmp   both
.grid 1, 1
.place p at (0, 0)
)";

isa::Program taking_program(const std::string& text) {
  const isa::Image image = assemble_good(std::string(kHelpers) + ".program p\n" + text);
  return image.programs.empty() ? isa::Program{} : image.programs[0];
}

TEST(Library, AProgramThatNamesNothingOfItIsAsWithout) {
  const std::string text = ".i32 n\n  task main:\n    mov32 n, 3\n";
  const isa::Image with = assemble_good(std::string(kHelpers) + ".program p\n" + text);
  const isa::Image without = assemble_good(".grid 1, 1\n.place p at (0, 0)\n.program p\n" + text);
  EXPECT_EQ(with.programs[0].code, without.programs[0].code);
  EXPECT_EQ(with.programs[0].symbols.size(), without.programs[0].symbols.size());
}

TEST(Library, BringsWhatIsNamedAndWhatThatNames) {
  EXPECT_EQ(taking_program("  task main:\n    call both\n").symbols.size(), 0u);
  EXPECT_EQ(taking_program("  task main:\n    call third\n").symbols.size(), 1u);
  const std::size_t one = taking_program("  task main:\n    call both\n").code.size();
  const std::size_t two = taking_program("  task main:\n    call tail\n").code.size();
  EXPECT_GT(two, one);  // with `both`
}

TEST(Library, AFunctionOfTheProgramGoesBefore) {
  const isa::Program own =
      taking_program("  task main:\n    call both\n  function both link r9:\n    mov32 r1, 1\n");
  EXPECT_EQ(own.code.size(), 4u);  // call, halt, mov32, ret
}

TEST(Library, LabelsOfAFunctionAreItsOwn) {
  const isa::Program made =
      taking_program("  task main:\n  done:\n    call both\n    beq r9, 0, done\n");
  EXPECT_FALSE(made.code.empty());
}

// Each argument is read before its register is overwritten.
TEST(Calls, ArgumentsArePassedAtOnce) {
  const isa::Program made = taking_program(
      "  task main:\n    call r5, swapped, r1, r0\n"
      "  function swapped (r0, r1) -> r0 link r9:\n");
  std::vector<std::string> moves;
  for (const isa::Instruction& i : decode_all(made)) {
    if (i.op == isa::Op::Call) break;
    moves.push_back(fmt::format("{}<-{}", i.destination, i.scalar));
  }
  EXPECT_EQ(moves, (Texts{"15<-0", "0<-1", "1<-15"}));
}

TEST(Calls, AValueIsOfTheTypeOfTheArgument) {
  const std::string program =
      ".grid 1, 1\n.program p\n  task main:\n    call r1, f, 1\n    halt\n"
      "  function f (r1: f32) -> r1: f32 link r9:\n.place p at (0, 0)\n";
  const isa::Image image = assemble_good(program);
  EXPECT_EQ(image.programs[0].literals, (std::vector<std::uint32_t>{0x3f800000}));
}

TEST(Includes, FilesThatComeWithWsevmNeedNoFolder) {
  const std::string text =
      ".include \"math.wsa\"\n.grid 1, 1\n.program p\n  .f32 y\n  task main:\n"
      "    call y, exp_f32, 1.0\n.place p at (0, 0)\n";
  EXPECT_EQ(errors_of(text), "");
  EXPECT_EQ(errors_of(".include \"math.wsa\"\n" + text), "");  // each brings it once
  const Output own =
      assemble({"main.wsa", text}, {.overrides = {},
                                    .profile = *isa::find_profile("wse2"),
                                    .load = loader_of({{"math.wsa", ".const A = 1\n"}})});
  EXPECT_FALSE(own.image);  // a file of the user goes before
}

}  // namespace
}  // namespace wse::assembler
