// Does straight code take what its listing says, line by line, on any machine?
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <charconv>

#include "asm/assembler.h"
#include "asm/listing.h"
#include "tests/support/simulation.h"

namespace wse::test_laws::listing_costs {
namespace {

using isa::Profile;
using test_support::Settings;

struct Straight {
  std::string name;
  std::string code;
  std::uint64_t issue_cycles =
      0;  // of its vector instructions, which do not touch each other's words
};

// f32 moves issue two elements per cycle, products one; sources lie in banks apart.
std::vector<Straight> programs() {
  const std::string loads = "    setd d0, c\n    setd d1, a\n    setd d2, b\n    setd d3, e\n";
  return {
      {"scalars", "    mov32 r1, n\n    add32 r1, r1, 1\n    mov32 n, r1\n    tsc r2\n", 0},
      {"literals", "    fmuls c, a, b\n    fmovs e, a\n", 64 + 32},
      {"held", loads + "    fmuls d0, d1, d2\n    fmuls d3, d1, d2\n    fmovs d0, d1\n",
       64 + 64 + 32},
      {"changes", loads + "    fmuls d0, d1, d2\n    setdlen d3, 8\n    fmovs d3, 1.0\n", 64 + 4},
      {"seen",
       loads + "    fmuls d0, d1, d2\n    mov32 n, r1\n    fmovs d3, 1.0\n    mov32 r1, n\n",
       64 + 32},
      {"registers", loads + "    fmovs r1, d1\n    fmovs d3, 1.0\n    getleft r2\n", 32 + 32},
      {"awaited", "    fadds r1, r2, r3\n    fadds r4, r1, r3\n    mov32 r5, r6\n", 0},
      {"clock", loads + "    fmuls d0, d1, d2\n    add32 r1, r1, 1\n    tsc r1\n    mark m\n", 64},
      {"dimensions",
       "    setd d0, a\n    fmovs e, g[0:4, 0:8, 0:1]\n    std kept[0], d0\n    ldd d1, kept[0]\n",
       16},
      {"branch", loads + "    fmuls d0, d1, d2\n    blt r0, 0, away\n  away:\n    mov32 r1, n\n",
       64},
  };
}

std::string text_of(const Straight& program) {
  return R"(
.grid 1, 1
.program one
  .f32 a[64] = i
  .i32 gap
  .f32 b[64] = 1
  .f32 c[64]
  .f32 e[64]
  .f32 g[4, 8, 2]
  .u32 kept[14]
  .i32 n
  task main:
)" + program.code +
         "\n.place one at (0, 0)\n";
}

std::uint64_t number_at(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// Adds up the column of cycles, which is behind the words of an instruction.
std::uint64_t listed_cycles(const std::string& listing) {
  constexpr std::size_t kPrice = 34;
  constexpr std::size_t kPriceWidth = 12;
  std::uint64_t sum = 0;
  std::size_t at = listing.find("  code:");
  at = listing.find('\n', at) + 1;
  while (at < listing.size()) {
    const std::size_t end = listing.find('\n', at);
    const std::string_view line = std::string_view(listing).substr(at, end - at);
    at = end + 1;
    if (!line.starts_with("  ")) continue;  // of the source
    const std::string_view price = line.substr(kPrice, kPriceWidth);
    const std::size_t plus = price.find('+');
    const bool is_vector = price.contains('/');
    if (is_vector && plus == std::string_view::npos) continue;
    sum += number_at(price.substr(is_vector ? plus + 1 : 6));
  }
  return sum;
}

std::uint64_t listed(const Straight& program, const Settings& settings) {
  Profile profile = *isa::find_profile("wse2");
  for (const auto& [member, value] : settings) profile.*member = value;
  const assembler::Output output =
      assembler::assemble({"test.wsa", text_of(program)}, {.overrides = {}, .profile = profile});
  if (!output.image) return 0;
  return listed_cycles(assembler::listing(*output.image, output.files, output.numbers, profile));
}

std::vector<Settings> machines() {
  const Settings prices = {{&Profile::descriptor_load_cycles, 1},
                           {&Profile::tsc_read_cycles, 2},
                           {&Profile::load_cycles, 3},
                           {&Profile::branch_cycles, 2},
                           {&Profile::descriptor_fetch_cycles, 7}};
  std::vector<Settings> all = {{{&Profile::vector_overlap, 0}}, prices};
  for (const std::uint32_t start : {0u, 2u, 5u}) {
    for (const std::uint32_t drain : {0u, 3u, 9u}) {
      Settings settings = prices;
      settings.insert(settings.end(), {{&Profile::vector_overlap, 1},
                                       {&Profile::vector_start_cycles, start},
                                       {&Profile::vector_drain_cycles, drain}});
      all.push_back(settings);
    }
  }
  return all;
}

TEST(ListingCosts, AddUpToTheCyclesOfStraightCode) {
  for (const Straight& program : programs()) {
    std::size_t number = 0;
    for (const Settings& settings : machines()) {
      const auto run =
          test_support::simulate(text_of(program), {.profile = "wse2", .settings = settings});
      ASSERT_EQ(run.record.status, vm::RunStatus::Halted) << run.record.message;
      EXPECT_EQ(run.record.cycles, listed(program, settings) + program.issue_cycles)
          << program.name << " on machine " << number;
      ++number;
    }
  }
}

}  // namespace
}  // namespace wse::test_laws::listing_costs
