// The remedy of E171 is tried: with it, each pair of positions changes one side at a time.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "isa/machine/fabric.h"
#include "tests/unit/asm/support.h"

namespace wse::assembler {
namespace {

std::vector<std::string> positions() {
  std::vector<std::string> all;
  for (std::uint32_t rx = 0; rx < isa::kMeshPorts; ++rx) {
    for (std::uint32_t tx = 1; tx < 1u << isa::kMeshPorts; ++tx) {
      const bool turns_back = (tx >> rx & 1) != 0 && rx != isa::kMeshPorts - 1;
      if (turns_back || std::popcount(tx) > 2) continue;
      std::string ports;
      for (std::uint32_t port = 0; port < isa::kMeshPorts; ++port) {
        if ((tx >> port & 1) == 0) continue;
        ports += fmt::format("{}{}", ports.empty() ? "" : ", ", isa::kPortTexts[port]);
      }
      all.push_back(fmt::format("[{} -> {}]", isa::kPortTexts[rx], ports));
    }
  }
  return all;
}

isa::Diagnostics diagnostics_of(const std::string& route) {
  return assemble_text(
             ".grid 3, 3\n.colour red\n.program p\n  task main:\n.place p at (1, 1)\n"
             ".route red at (1, 1): " +
             route + "\n")
      .diagnostics;
}

TEST(PositionsBetween, AreAccepted) {
  const std::vector<std::string> all = positions();
  int tried = 0;
  for (std::size_t k = 0; k < all.size() * all.size(); k += 3) {
    const std::string& first = all[k / all.size()];
    const std::string& second = all[k % all.size()];
    const isa::Diagnostics wrong = diagnostics_of(first + " " + second);
    const auto both = std::ranges::find(wrong, "E171", &isa::Diagnostic::code);
    if (both == wrong.end()) continue;
    ++tried;
    const std::string between = both->help.substr(both->help.find('['));
    EXPECT_EQ(between.find("ramp -> ramp"), between.npos) << first << " " << second;
    // E095: the PEs beside it have no routes.
    const isa::Diagnostics left = diagnostics_of(first + " " + between + " " + second);
    EXPECT_TRUE(
        std::ranges::all_of(left, [](const isa::Diagnostic& d) { return d.code == "E095"; }))
        << first << " " << between << " " << second;
  }
  EXPECT_GT(tried, 300);
}

}  // namespace
}  // namespace wse::assembler
