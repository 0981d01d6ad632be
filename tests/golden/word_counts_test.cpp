// Random rows of PEs that send and receive constant numbers of words, each message on a microthread
// of its own, on machines with queues of random depth. So a run ends well exactly if no receiver
// wants more than comes, and what is left over has room: the assembler warns of all others, and of
// no other.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "asm/assembler.h"
#include "tests/support/random.h"
#include "vm/run/machine.h"

namespace wse {
namespace {

using test_support::Random;

constexpr std::uint32_t kMostWords = 40;
constexpr std::uint32_t kMessages = 4;
constexpr std::uint32_t kPrograms = 3000;

// Words in one instruction, in turns of a loop, or packed.
std::string send(Random& random, std::uint32_t colour, std::uint32_t words) {
  const std::uint32_t turns = 1 + random.below(3);
  if (random.one_in(3) && words >= turns) {
    const std::uint32_t rest = words % turns;
    return fmt::format(
        "    mov32 k, {1}\n  next{0}:\n    mov32 fabout(c{0}), a[0:{2}]\n"
        "    sub32 k, k, 1\n    bgt k, 0, next{0}\n"
        "    mov32 fabout(c{0}), a[0:{3}] async {0}\n",
        colour, turns, words / turns, rest);
  }
  if (random.one_in(3)) {
    return fmt::format("    mov16 fabout(c{}, packed), h[0:{}] async {}\n", colour,
                       2 * words - (words > 0 ? random.below(2) : 0), colour);
  }
  return fmt::format("    mov32 fabout(c{}), a[0:{}] async {}\n", colour, words, colour);
}

std::string receive(std::uint32_t colour, std::uint32_t words) {
  return fmt::format("    mov32 b{}[0:{}], fabin(c{}) async {}\n", colour, words, colour, colour);
}

// As many, a few more or fewer, or many fewer.
std::uint32_t wanted(Random& random, std::uint32_t sent) {
  if (!random.one_in(3)) return sent;
  if (random.one_in(2)) return random.below(sent + 1);
  return std::min(kMostWords, sent + random.below(3));
}

std::string random_program(Random& random, bool multicast) {
  const std::uint32_t width = 2 + random.below(5);
  std::vector<std::string> receives(width);  // first: no send of a loop may wait for one
  std::vector<std::string> sends(width);
  std::string routes;
  for (std::uint32_t c = 0; c < kMessages; ++c) {
    const std::uint32_t first = random.below(width);
    const std::uint32_t last = random.below(width);
    const std::uint32_t words = random.below(kMostWords);
    const bool east = first < last;
    const std::string_view onward = east ? "east" : "west";
    const std::string_view back = east ? "west" : "east";
    sends[first] += send(random, c, words);
    for (std::uint32_t x = first;; x = east ? x + 1 : x - 1) {
      const bool hears = x == last || (multicast && x != first && random.one_in(2));
      const std::string_view rx = x == first ? "ramp" : back;
      const std::string tx = fmt::format("{}{}{}", hears ? "ramp" : "",
                                         hears && x != last ? ", " : "", x != last ? onward : "");
      routes += fmt::format(".route c{} at ({}, 0): {} -> {}\n", c, x, rx, tx);
      // A sender that hears itself receives on another microthread than it sends on.
      if (hears && x != first && !random.one_in(10))
        receives[x] += receive(c, wanted(random, words));
      if (x == last) break;
    }
  }
  std::string text = fmt::format(".grid {}, 1\n", width);
  for (std::uint32_t c = 0; c < kMessages; ++c) text += fmt::format(".colour c{}\n", c);
  for (std::uint32_t x = 0; x < width; ++x) {
    text += fmt::format(".program p{}\n  .i32 a[{}]\n  .i16 h[{}]\n  .reg k\n", x, kMostWords,
                        2 * kMostWords);
    for (std::uint32_t c = 0; c < kMessages; ++c) {
      text += fmt::format("  .i32 b{}[{}]\n", c, kMostWords);
    }
    text += "  task main:\n" + receives[x] + sends[x] + "    halt\n";
    text += fmt::format(".place p{} at ({}, 0)\n", x, x);
  }
  return text + routes;
}

isa::Profile random_machine(Random& random) {
  const std::vector<std::string> names = isa::profile_names();
  isa::Profile profile =
      *isa::find_profile(names[random.below(static_cast<std::uint32_t>(names.size()))]);
  profile.router_depth += random.below(3);
  profile.up_ramp_depth += random.below(3);
  profile.down_ramp_depth += random.below(3);
  return profile;
}

bool is_hopeless(const isa::Diagnostic& diagnostic) {
  return diagnostic.code == "E227" || diagnostic.code == "E228";
}

TEST(WordCounts, AreToldWhereTheyCannotMatch) {
  std::uint32_t few = 0;
  std::uint32_t many = 0;
  std::uint32_t halted = 0;
  for (std::uint32_t seed = 0; seed < kPrograms; ++seed) {
    Random random(seed);
    const isa::Profile profile = random_machine(random);
    const bool multicast = random.one_in(2);
    const std::string text = random_program(random, multicast);
    assembler::Output output =
        assembler::assemble({"random.wsa", text}, {.overrides = {}, .profile = profile});
    const std::string said = isa::to_text(output.diagnostics, output.files);
    ASSERT_TRUE(output.image) << said << text;
    auto machine = vm::Machine::create(std::move(*output.image), profile);
    ASSERT_TRUE(machine) << machine.error().message;
    const vm::Record record = (*machine)->run({});
    const bool warned = std::ranges::any_of(output.diagnostics, is_hopeless);
    const bool ends_well = record.status == vm::RunStatus::Halted;
    ASSERT_TRUE(ends_well || record.status == vm::RunStatus::Deadlock) << record.message << text;
    ASSERT_FALSE(warned && ends_well) << "seed " << seed << "\n" << said << text;
    ASSERT_TRUE(warned || ends_well || multicast) << "seed " << seed << " is not told\n"
                                                  << record.message << "\n"
                                                  << text;
    halted += ends_well ? 1 : 0;
    few += said.contains("E227") ? 1 : 0;
    many += said.contains("E228") ? 1 : 0;
  }
  EXPECT_GT(halted, kPrograms / 10);
  EXPECT_GT(few, kPrograms / 10);
  EXPECT_GT(many, kPrograms / 10);
}

}  // namespace
}  // namespace wse
