// Random rows of PEs whose mains send and receive in random order, on machines with queues of
// random depth. The counts of words match, so a run can only fail by the order: the assembler warns
// of no program that ends well, and of each that does not if every message has one receiver.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "asm/assembler.h"
#include "tests/support/random.h"
#include "vm/run/machine.h"

namespace wse::wait_circles {
namespace {

using test_support::Random;

constexpr std::uint32_t kMostWords = 40;
constexpr std::uint32_t kMessages = 6;
constexpr std::uint32_t kPrograms = 1500;

struct Row {
  std::string text;
  bool multicast = false;
  bool beside = false;  // an instruction is asynchronous
};

// Appends an instruction at a random place of those of the PE.
void insert(Random& random, std::vector<std::string>& lines, std::string line) {
  const std::uint32_t at = random.below(static_cast<std::uint32_t>(lines.size()) + 1);
  lines.insert(lines.begin() + at, std::move(line));
}

// Leads message `c` through the row; every PE on its way that hears it receives it.
std::string add_message(Random& random, std::uint32_t c, Row& row,
                        std::vector<std::vector<std::string>>& lines) {
  const auto width = static_cast<std::uint32_t>(lines.size());
  const std::uint32_t first = random.below(width);
  const std::uint32_t last = (first + 1 + random.below(width - 1)) % width;
  const std::uint32_t words = 1 + random.below(kMostWords);
  const bool beside = random.one_in(6);
  row.beside |= beside;
  const bool packed = random.one_in(5);
  const std::string_view async = beside ? " async" : "";
  const std::string thread = beside ? fmt::format(" {}", c) : "";
  insert(random, lines[first],
         packed ? fmt::format("    mov16 fabout(c{}, packed), h[0:{}]{}{}\n", c, 2 * words, async,
                              thread)
                : fmt::format("    mov32 fabout(c{}), a[0:{}]{}{}\n", c, words, async, thread));
  std::string routes;
  const bool east = first < last;
  for (std::uint32_t x = first;; x = east ? x + 1 : x - 1) {
    const bool hears = x == last || (x != first && random.one_in(4));
    row.multicast |= hears && x != last;
    const std::string_view rx = x == first ? "ramp" : east ? "west" : "east";
    const std::string tx =
        fmt::format("{}{}{}", hears ? "ramp" : "", hears && x != last ? ", " : "",
                    x == last ? ""
                    : east    ? "east"
                              : "west");
    routes += fmt::format(".route c{} at ({}, 0): {} -> {}\n", c, x, rx, tx);
    if (hears) {
      insert(random, lines[x], fmt::format("    mov32 b{0}[0:{1}], fabin(c{0})\n", c, words));
    }
    if (x == last) return routes;
  }
}

Row random_row(Random& random) {
  Row row;
  const std::uint32_t width = 2 + random.below(4);
  std::vector<std::vector<std::string>> lines(width);
  std::string routes;
  for (std::uint32_t c = 0; c < kMessages; ++c) routes += add_message(random, c, row, lines);
  row.text = fmt::format(".grid {}, 1\n", width);
  for (std::uint32_t c = 0; c < kMessages; ++c) row.text += fmt::format(".colour c{}\n", c);
  for (std::uint32_t x = 0; x < width; ++x) {
    row.text +=
        fmt::format(".program p{}\n  .i32 a[{}]\n  .i16 h[{}]\n", x, kMostWords, 2 * kMostWords);
    for (std::uint32_t c = 0; c < kMessages; ++c) {
      row.text += fmt::format("  .i32 b{}[{}]\n", c, kMostWords);
    }
    row.text += "  task main:\n";
    for (const std::string& line : lines[x]) row.text += line;
    row.text += fmt::format("    halt\n.place p{} at ({}, 0)\n", x, x);
  }
  row.text += routes;
  return row;
}

isa::Profile random_machine(Random& random) {
  isa::Profile profile = *isa::find_profile(random.one_in(2) ? "model" : "wse2");
  profile.router_depth += random.below(3);
  profile.up_ramp_depth += random.below(3);
  profile.down_ramp_depth += random.below(3);
  return profile;
}

TEST(WaitCircles, AreToldWhereNoOrderServes) {
  std::uint32_t told = 0;
  std::uint32_t halted = 0;
  for (std::uint32_t seed = 0; seed < kPrograms; ++seed) {
    Random random(seed);
    const isa::Profile profile = random_machine(random);
    const Row row = random_row(random);
    assembler::Output output =
        assembler::assemble({"random.wsa", row.text}, {.overrides = {}, .profile = profile});
    const std::string said = isa::to_text(output.diagnostics, output.files);
    ASSERT_TRUE(output.image) << said << row.text;
    const bool warned = std::ranges::any_of(
        output.diagnostics, [](const isa::Diagnostic& d) { return d.code == "E233"; });
    ASSERT_EQ(warned, !said.empty()) << said << row.text;
    auto machine = vm::Machine::create(std::move(*output.image), profile);
    ASSERT_TRUE(machine) << machine.error().message;
    const vm::Record record = (*machine)->run({});
    const bool ends_well = record.status == vm::RunStatus::Halted;
    ASSERT_TRUE(ends_well || record.status == vm::RunStatus::Deadlock)
        << record.message << row.text;
    ASSERT_FALSE(warned && ends_well) << "seed " << seed << "\n" << said << row.text;
    ASSERT_TRUE(warned || ends_well || row.multicast || row.beside)
        << "seed " << seed << " is not told\n"
        << record.message << "\n"
        << row.text;
    told += warned ? 1 : 0;
    halted += ends_well ? 1 : 0;
  }
  EXPECT_GT(halted, kPrograms / 10);
  EXPECT_GT(told, kPrograms / 10);
}

}  // namespace
}  // namespace wse::wait_circles
