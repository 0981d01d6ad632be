// Blocks and strips as a machine makes them, and the counts of a set.
#include "tests/differential/borders.h"

#include <fmt/format.h>

#include <algorithm>

#include "vm/load/loaded.h"
#include "vm/planes/field.h"

namespace wse::differential {
namespace {

constexpr std::uint32_t kOutside = ~0u;  // where the wafer has no lane

struct Beside {
  std::vector<bool> block;  // by PE
  std::vector<bool> strip;
};

Beside find_borders(const isa::Image& image, const isa::Profile& profile) {
  const isa::Topology mesh = image.topology();
  vm::ChannelMap channels(image, mesh);
  const auto loaded = vm::Loaded::load(image, profile, mesh, channels);
  Beside beside{std::vector<bool>(mesh.pes()), std::vector<bool>(mesh.pes())};
  if (!loaded || !channels.number()) return beside;
  const vm::wafer::Field::Parts parts{image, profile, mesh, channels, loaded->placed()};
  const std::vector<vm::PeRange> strips = vm::wafer::Field::cut(parts, 2);
  const vm::wafer::Field field(parts, strips, {0, mesh.pes()});
  std::vector<std::uint32_t> blocks(mesh.pes(), kOutside);
  for (std::uint32_t block = 0; block < field.grid.blocks(); ++block) {
    field.grid.for_each_pe(block, [&](vm::PeId pe, std::uint32_t) { blocks[pe] = block; });
  }
  const auto look = [&](vm::PeId pe, vm::PeId other) {
    if (blocks[pe] == blocks[other] || blocks[pe] == kOutside || blocks[other] == kOutside) return;
    const bool crosses = (pe < strips[0].end) != (other < strips[0].end);
    for (const vm::PeId of : {pe, other}) {
      beside.block[of] = true;
      if (crosses) beside.strip[of] = true;
    }
  };
  for (vm::PeId pe = 0; pe < mesh.pes(); ++pe) {
    if (mesh.x_of(pe) + 1 < mesh.width()) look(pe, pe + 1);
    if (mesh.y_of(pe) + 1 < mesh.height()) look(pe, pe + mesh.width());
  }
  return beside;
}

}  // namespace

CutCounts count_cuts(const isa::Image& image, const isa::Profile& profile,
                     const oracle::Outcome& outcome) {
  CutCounts counts;
  if (outcome.cuts.empty()) return counts;
  const Beside beside = find_borders(image, profile);
  for (const auto& [place, times] : outcome.cuts) {
    const auto kind = static_cast<std::size_t>(place.first);
    counts.all[kind] += times;
    if (beside.block[place.second]) counts.beside_block[kind] += times;
    if (beside.strip[place.second]) counts.beside_strip[kind] += times;
  }
  return counts;
}

void BorderProfile::add(const CutCounts& cuts, oracle::End end, std::uint32_t strips) {
  ++programs_;
  halted_ += end == oracle::End::Halted ? 1 : 0;
  trapped_ += end == oracle::End::Trap ? 1 : 0;
  deadlocked_ += end == oracle::End::Deadlock ? 1 : 0;
  shared_ += strips > 1 ? 1 : 0;
  for (std::size_t kind = 0; kind < oracle::kCuts; ++kind) {
    cut_.all[kind] += cuts.all[kind] > 0 ? 1 : 0;
    cut_.beside_block[kind] += cuts.beside_block[kind] > 0 ? 1 : 0;
    cut_.beside_strip[kind] += cuts.beside_strip[kind] > 0 ? 1 : 0;
  }
}

std::string BorderProfile::text() const {
  std::string all =
      fmt::format("{} programs, {} halted, {} deadlocked, {} trapped, {} on several threads\n",
                  programs_, halted_, deadlocked_, trapped_, shared_);
  for (std::size_t kind = 0; kind < oracle::kCuts; ++kind) {
    all += fmt::format(
        "  long messages cut by {}: in {} programs, beside blocks in {}, beside strips in {}\n",
        oracle::kCutTexts[kind], cut_.all[kind], cut_.beside_block[kind], cut_.beside_strip[kind]);
  }
  return all;
}

std::string BorderProfile::missing() const {
  constexpr std::uint64_t kSmallest = 50;
  if (programs_ < kSmallest) return "";
  std::string all;
  const auto demand = [&](const std::string& what, std::uint64_t found, std::uint64_t wanted) {
    if (found < wanted) all += fmt::format("too few: {}: {} of {}\n", what, found, wanted);
  };
  demand("programs that halt", halted_, programs_ / 3);
  demand("programs that trap", trapped_, programs_ / 30);
  demand("programs on several threads", shared_, programs_ * 9 / 10);
  for (std::size_t kind = 0; kind < oracle::kCuts; ++kind) {
    const std::string what =
        fmt::format("programs whose long messages are cut by {}", oracle::kCutTexts[kind]);
    demand(what, cut_.all[kind], programs_ / 8);
    demand(what + " beside a border of blocks", cut_.beside_block[kind], programs_ / 16);
    demand(what + " beside a border of strips", cut_.beside_strip[kind], programs_ / 40);
  }
  return all;
}

}  // namespace wse::differential
