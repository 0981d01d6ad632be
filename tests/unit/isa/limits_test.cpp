// Every limit of limits.def: an image that reaches it is written, read and verified; one beyond is
// refused, and the refusal says which limit and how much there is.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "isa/instruction/codec.h"
#include "tests/unit/isa/image_samples.h"

namespace wse::isa {
namespace {

// A formula of so many nodes, as flat as can be.
std::uint32_t add_nodes(Formula& formula, std::size_t count) {
  FormulaNode node;
  if (count == 2) {
    node.op = FormulaOp::Negate;
    node.operand[0] = add_nodes(formula, 1);
  } else if (count > 2) {
    node.op = FormulaOp::Add;
    node.operand[0] = add_nodes(formula, (count - 1) / 2);
    node.operand[1] = add_nodes(formula, count - 1 - (count - 1) / 2);
  }
  formula.nodes.push_back(node);
  return static_cast<std::uint32_t>(formula.nodes.size() - 1);
}

Formula flat_formula(std::size_t nodes) {
  Formula formula;
  add_nodes(formula, nodes);
  return formula;
}

Formula deep_formula(std::size_t depth) {
  Formula formula;
  formula.nodes.resize(depth);
  for (std::uint32_t k = 1; k < depth; ++k) {
    formula.nodes[k].op = FormulaOp::Negate;
    formula.nodes[k].operand[0] = k - 1;
  }
  return formula;
}

std::uint32_t halt_word() {
  std::vector<std::uint32_t> words;
  encode({.op = Op::Halt}, words);
  return words[0];
}

// Makes the image so large in one respect; the name tells the cases of one limit apart.
struct Case {
  std::string_view name;
  Limit limit;
  void (*grow)(Image& image, std::size_t count);
};

// How a list of tests names it.
void PrintTo(const Case& limit, std::ostream* out) { *out << limit.name; }

Program& second(Image& image) { return image.programs[1]; }

constexpr Case kCases[] = {
    // clang-format off
    {"Width", Limit::GridSide, [](Image& i, std::size_t n) { i.width = static_cast<std::uint32_t>(n); }},
    {"Height", Limit::GridSide, [](Image& i, std::size_t n) { i.height = static_cast<std::uint32_t>(n); }},
    {"Colours", Limit::Colours, [](Image& i, std::size_t n) { i.colours.resize(n); }},
    {"Programs", Limit::Programs, [](Image& i, std::size_t n) { i.programs.resize(n, second(i)); }},
    {"Parameters", Limit::Entries, [](Image& i, std::size_t n) { i.parameters.resize(n, i.parameters[1]); }},
    {"Placements", Limit::Entries, [](Image& i, std::size_t n) { i.placements.resize(n, i.placements[2]); }},
    {"Routes", Limit::Entries, [](Image& i, std::size_t n) { i.routes.resize(n, i.routes[0]); }},
    {"Expectations", Limit::Entries, [](Image& i, std::size_t n) { i.expectations.resize(n, i.expectations[1]); }},
    {"Marks", Limit::Entries, [](Image& i, std::size_t n) { i.marks.resize(n, "m"); }},
    {"Sources", Limit::Entries, [](Image& i, std::size_t n) { i.sources.resize(n, "s"); }},
    {"Symbols", Limit::Entries, [](Image& i, std::size_t n) {
       const Symbol empty{.name = "s", .is_array = true, .count = 0, .initial = {}, .where = {}};
       second(i).symbols.resize(n, empty);
     }},
    {"Tasks", Limit::Entries, [](Image& i, std::size_t n) {
       const Task task{"t", 0, TaskKind::Local, {}, false, {}};
       second(i).tasks.resize(n, task);
     }},
    {"Prints", Limit::Entries, [](Image& i, std::size_t n) { second(i).prints.resize(n); }},
    {"Lines", Limit::Entries, [](Image& i, std::size_t n) {
       std::uint32_t pc = 0;
       second(i).lines.resize(n);
       for (LineEntry& entry : second(i).lines) entry.pc = pc++;
     }},
    {"Code", Limit::CodeWords, [](Image& i, std::size_t n) { second(i).code.resize(n, halt_word()); }},
    {"Literals", Limit::Literals, [](Image& i, std::size_t n) { second(i).literals.resize(n); }},
    {"Slots", Limit::Slots, [](Image& i, std::size_t n) {
       second(i).derived.resize(n - kBuiltinSlotCount, {Type::I32, flat_formula(1)});
     }},
    {"Descriptors", Limit::Descriptors, [](Image& i, std::size_t n) {
       second(i).descriptors.resize(n, i.programs[0].descriptors[0]);
     }},
    {"Routings", Limit::Routings, [](Image& i, std::size_t n) {
       second(i).routings.resize(n, i.programs[0].routings[0]);
     }},
    {"Fifos", Limit::Fifos, [](Image& i, std::size_t n) {
       Program& program = second(i);
       program.symbols.clear();
       for (std::uint32_t k = 0; k < n; ++k) {
         Symbol array;
         array.name = "v" + std::to_string(k);
         array.is_array = true;
         array.address = 4 * k;
         program.symbols.push_back(std::move(array));
         program.fifos.push_back({.name = "q" + std::to_string(k), .symbol = k, .count = 1});
       }
     }},
    {"Filters", Limit::Filters, [](Image& i, std::size_t n) {
       second(i).filters.resize(n, i.programs[0].filters[1]);
     }},
    {"AllFilters", Limit::Entries, [](Image& i, std::size_t n) { i.filters.resize(n, i.filters[0]); }},
    {"Streams", Limit::Entries, [](Image& i, std::size_t n) { i.streams.resize(n, i.streams[1]); }},
    {"PrintPieces", Limit::PrintPieces, [](Image& i, std::size_t n) { second(i).prints.assign(1, PrintText(n)); }},
    {"Positions", Limit::Positions, [](Image& i, std::size_t n) {
       i.routes[1].routing.positions.resize(n, i.routes[1].routing.positions[0]);
     }},
    {"Expected", Limit::FormulaNodes, [](Image& i, std::size_t n) { i.expectations[0].value = flat_formula(n); }},
    {"Argument", Limit::FormulaNodes, [](Image& i, std::size_t n) { i.placements[0].arguments[1] = flat_formula(n); }},
    {"Derived", Limit::FormulaNodes, [](Image& i, std::size_t n) { i.programs[0].derived[0].formula = flat_formula(n); }},
    {"Initial", Limit::FormulaNodes, [](Image& i, std::size_t n) { i.programs[0].symbols[1].initial = flat_formula(n); }},
    {"Depth", Limit::FormulaDepth, [](Image& i, std::size_t n) { i.expectations[0].value = deep_formula(n); }},
    {"NameOfColour", Limit::TextBytes, [](Image& i, std::size_t n) { i.colours[0] = std::string(n, 'c'); }},
    {"NameOfGlobal", Limit::TextBytes, [](Image& i, std::size_t n) { i.parameters[0].name = std::string(n, 'g'); }},
    {"NameOfProgram", Limit::TextBytes, [](Image& i, std::size_t n) { second(i).name = std::string(n, 'p'); }},
    {"NameOfParameter", Limit::TextBytes, [](Image& i, std::size_t n) { i.programs[0].parameters[0].name = std::string(n, 'p'); }},
    {"NameOfSymbol", Limit::TextBytes, [](Image& i, std::size_t n) { i.programs[0].symbols[1].name = std::string(n, 'v'); }},
    {"NameOfTask", Limit::TextBytes, [](Image& i, std::size_t n) { second(i).tasks[1].name = std::string(n, 't'); }},
    {"NameOfMark", Limit::TextBytes, [](Image& i, std::size_t n) { i.marks[0] = std::string(n, 'm'); }},
    {"NameOfSource", Limit::TextBytes, [](Image& i, std::size_t n) { i.sources[0] = std::string(n, '/'); }},
    {"ExpectedSymbol", Limit::TextBytes, [](Image& i, std::size_t n) { i.expectations[0].symbol = std::string(n, 'v'); }},
    {"ExpectedProfile", Limit::TextBytes, [](Image& i, std::size_t n) { i.expectations[0].profile = std::string(n, 'v'); }},
    {"Print", Limit::TextBytes, [](Image& i, std::size_t n) { i.programs[0].prints[0][0].text = std::string(n, '\n'); }},
    // clang-format on
};

class IsaLimits : public ::testing::TestWithParam<Case> {
 protected:
  static Image grown(std::size_t count) {
    Image image = rich_image();
    GetParam().grow(image, count);
    return image;
  }
};

TEST_P(IsaLimits, AreReached) {
  const Image image = grown(most(GetParam().limit));
  const Status verified = verify(image);
  ASSERT_TRUE(verified) << verified.error();
  const std::vector<std::byte> bytes = write_image(image);
  const Result<Image> read = read_image(bytes);
  ASSERT_TRUE(read) << read.error();
  EXPECT_TRUE(write_image(*read) == bytes);
}

TEST_P(IsaLimits, AreNotExceeded) {
  const std::size_t count = most(GetParam().limit) + 1;
  const Image image = grown(count);
  const std::string reason = GetParam().limit == Limit::FormulaDepth
                                 ? "a formula is nested too deeply"
                                 : breach_text(GetParam().limit, count);
  const Status verified = verify(image);
  ASSERT_FALSE(verified);
  EXPECT_EQ(verified.error(), "the image is malformed: " + reason);
  const Result<Image> read = read_image(write_image(image));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error(), verified.error());
}

INSTANTIATE_TEST_SUITE_P(All, IsaLimits, ::testing::ValuesIn(kCases),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

TEST(IsaLimitsTable, EveryLimitHasACase) {
  for (const LimitInfo& limit : kLimits) {
    const auto index = static_cast<std::size_t>(&limit - kLimits);
    EXPECT_TRUE(std::ranges::any_of(
        kCases, [index](const Case& one) { return static_cast<std::size_t>(one.limit) == index; }))
        << limit.name << " has no line in tests/unit/isa/limits_test.cpp";
  }
}

TEST(IsaLimitsTable, ABreachSaysHowMuch) {
  EXPECT_EQ(breach_text(Limit::Positions, 5),
            "5 switch positions of a route; at most 4 are possible");
}

}  // namespace
}  // namespace wse::isa
