// Code by role, views, tables: what text becomes, seen in the image.
#include <fmt/format.h>

#include <map>

#include "tests/unit/asm/support.h"

namespace wse::assembler {
namespace {

isa::Image role_image(const std::string& body, const std::string& placements,
                      const std::string& parameters = "kind: const") {
  return assemble_good(
      fmt::format(".grid 6, 5\n.colour red, blue\n.program p({})\n  .i32 v[8]\n{}"
                  "{}",
                  parameters, body, placements));
}

TEST(Roles, EachSetOfConstantsHasTheCodeThatOneWouldWrite) {
  const std::string body =
      "  task main:\n"
      "  .if kind == 0\n    mov32 v[1], 5\n"
      "  .else if kind == 1\n    mov32 v[2], kind\n"
      "  .else\n    .for k = kind..7 step 2\n    mov32 v[k], k * k\n    .end\n  .end\n";
  const isa::Image image = role_image(body,
                                      ".place p at (0, 0) with kind = 1\n"
                                      ".place p at (1, 0) with kind = 3\n"
                                      ".place p at (2, 0) with kind = 0\n"
                                      ".place p at (3..4, 0) with kind = 1\n");
  const char* const written[] = {"    mov32 v[2], 1\n",
                                 "    mov32 v[3], 9\n    mov32 v[5], 25\n    mov32 v[7], 49\n",
                                 "    mov32 v[1], 5\n"};
  ASSERT_EQ(image.programs.size(), std::size(written));
  for (std::size_t k = 0; k < std::size(written); ++k) {
    EXPECT_EQ(image.programs[k].name, fmt::format("p_{}", k + 1));
    const isa::Image plain =
        role_image(std::string("  task main:\n") + written[k], ".place p at (0, 0)\n", "");
    EXPECT_EQ(image.programs[k].code, plain.programs[0].code);
    EXPECT_EQ(image.programs[k].literals, plain.programs[0].literals);
  }
  ASSERT_EQ(image.placements.size(), 4u);
  EXPECT_EQ(image.placements[3].program, 0u);
}

TEST(Roles, AreToldByWhatTheyDifferIn) {
  const isa::Image image = role_image("  task main:\n    mov32 v[0], kind + other\n",
                                      ".place p at (0, 0) with kind = 1, other = 4, tx = red\n"
                                      ".place p at (1, 0) with kind = 3, other = 4\n",
                                      "kind: const, other: const, tx: colour?");
  ASSERT_EQ(image.programs.size(), 2u);
  EXPECT_EQ(image.programs[0].role, "p(kind=1, tx=given)");
  EXPECT_EQ(image.programs[1].role, "p(kind=3, tx=absent)");
  const isa::Image again = assemble_good(isa::disassemble(image));
  EXPECT_EQ(isa::write_image(again), isa::write_image(image));
  EXPECT_EQ(role_image("  task main:\n", ".place p at (0, 0) with kind = 1\n").programs[0].role,
            "");
}

TEST(Roles, PesOfOnePlacementAreDividedByTheirConstants) {
  const std::pair<const char*, std::size_t> formulas[] = {
      {"(x + y) % 2", 4}, {"x == 0 || y == 4 ? 1 : 0", 4}, {"x % 3", 3}, {"7", 1}};
  for (const auto& [formula, most] : formulas) {
    const isa::Image image = role_image("  task main:\n    mov32 v[0], kind\n",
                                        fmt::format(".place p at (0..5, 0..4) with kind = {}\n"
                                                    ".expect v[0] at (0..5, 0..4) == {}\n",
                                                    formula, formula));
    EXPECT_LE(image.placements.size(), most) << formula;
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> covered;
    for (const isa::Placement& placement : image.placements) {
      isa::for_each(placement.rect, [&](std::uint32_t x, std::uint32_t y) { ++covered[{x, y}]; });
    }
    EXPECT_EQ(covered.size(), 30u) << formula;
    for (const auto& [place, times] : covered) EXPECT_EQ(times, 1) << formula;
  }
}

TEST(Roles, OptionalColoursDivideToo) {
  const isa::Image image = role_image(
      "  task main:\n  .if has(rx)\n    mov32 v[0], rx\n  .end\n    mov32 v[1], has(rx)\n",
      ".place p at (0, 0) with rx = blue\n.place p at (1, 0)\n", "rx: colour?");
  ASSERT_EQ(image.programs.size(), 2u);
  EXPECT_EQ(image.programs[0].parameters.size(), 1u);
  EXPECT_EQ(image.programs[1].parameters.size(), 0u);
  EXPECT_LT(image.programs[1].code.size(), image.programs[0].code.size());
}

TEST(Roles, NamesOfCodesAreNobodyElses) {
  const isa::Image image = assemble_good(
      ".grid 3, 1\n.program p_1\n  task main:\n.program p(k: const)\n  task main:\n"
      ".place p at (0..1, 0) with k = x\n.place p_1 at (2, 0)\n");
  ASSERT_EQ(image.programs.size(), 3u);
  EXPECT_EQ(image.programs[0].name, "p_1");
  EXPECT_EQ(image.programs[1].name, "p_2");
  EXPECT_EQ(image.programs[2].name, "p_3");
}

TEST(Blocks, DeclarationsComeAndGoWithThem) {
  const isa::Image image = assemble_good(
      ".grid 1, 1\n.const big = 1\n.program p\n  .if big\n  .i32 large[100]\n  .reg r\n  .else\n"
      "  .i32 small\n  .end\n  task main:\n  .if !big\n  task other:\n  .end\n    mov32 r, 1\n"
      ".place p at (0, 0)\n");
  ASSERT_EQ(image.programs[0].symbols.size(), 1u);
  EXPECT_EQ(image.programs[0].symbols[0].name, "large");
  EXPECT_EQ(image.programs[0].tasks.size(), 1u);
}

TEST(Blocks, LabelsBelongToTurnsAndSeeThoseAround) {
  const isa::Image image = assemble_good(
      ".grid 1, 1\n.macro m(a)\n  .for k = 1..a\n    beq r1, k, out\n    .for j = 1..2\n"
      "    bne r1, j, next\n    jmp out\n  next:\n    .end\n  .end\n  out:\n.end\n"
      ".program p\n  task main:\n    m 2\n    m 3\n.place p at (0, 0)\n");
  EXPECT_EQ(image.programs.size(), 1u);
}

TEST(Views, LieWhereTheirDataLie) {
  const isa::Image image = assemble_good(
      ".grid 1, 1\n.program p\n  .f32 v[16]\n  .u32 w[] = view(v[4:12])\n  .u16 h[2, 3] = "
      "view(w[1:4])\n  .u16 o[] = view(h[1, :])\n  .i32 s\n  .u32 t exported = view(s)\n"
      "  task main:\n    mov16 o[r1], 3\n    add16 h[1, :], h[0, :], 1\n.place p at (0, 0)\n");
  const auto& symbols = image.programs[0].symbols;
  ASSERT_EQ(symbols.size(), 6u);
  const std::pair<const char*, std::uint32_t> places[] = {{"v", 0},  {"s", 64}, {"w", 16},
                                                          {"h", 20}, {"o", 26}, {"t", 64}};
  for (std::size_t k = 0; k < symbols.size(); ++k) {
    EXPECT_EQ(symbols[k].name, places[k].first);
    EXPECT_EQ(symbols[k].address, places[k].second);
    EXPECT_EQ(symbols[k].is_view, k > 1);
  }
  EXPECT_EQ(image.programs[0].data_bytes(), 68u);
}

TEST(Addresses, OfCodeAreThoseOfTheLabels) {
  const isa::Image image = assemble_good(
      ".grid 1, 1\n.program p\n  .table t = last, first\n  .i32 a[] = address(last) + 1, "
      "address(t)\n  task main:\n  first:\n    mov32 r1, address(last)\n    jmp t[r1]\n  last:\n"
      "    halt\n.place p at (0, 0)\n");
  const isa::Program& program = image.programs[0];
  const auto halt = static_cast<std::uint32_t>(program.code.size() - 1);
  EXPECT_EQ(program.symbols[0].values, (std::vector<std::uint32_t>{halt, 0}));
  EXPECT_EQ(program.symbols[1].values, (std::vector<std::uint32_t>{halt + 1, 0}));
}

}  // namespace
}  // namespace wse::assembler
