// A rectangle, a window, and what both machines say of the middle.
#include "tests/differential/cones.h"

#include <fmt/format.h>

#include <algorithm>

#include "tests/differential/runs.h"
#include "tests/support/random.h"
#include "vm/planes/refusal.h"
#include "vm/run/machine_state.h"

namespace wse::differential {
namespace {

constexpr std::uint32_t kCones = 6;  // of a program
constexpr std::uint32_t kLongestWindow = 12;

class Replayed {
 public:
  Replayed(const Generated& program, const Setup& setup, std::uint32_t seed)
      : program_(program), setup_(setup), mesh_(setup.image.topology()), random_(seed) {}

  // Returns the differences.
  std::string compare() {
    std::string difference = compare_rectangles();
    counts_.programs = counts_.rectangles > 0 ? 1 : 0;
    return difference;
  }
  const ConeCounts& counts() const { return counts_; }

 private:
  std::string compare_rectangles() {
    const auto whole = run(setup_, way());
    if (!whole || whole->record.cycles < 2) return {};
    for (std::uint32_t k = 0; k < kCones; ++k) {
      const auto at = random_.below(static_cast<std::uint32_t>(whole->record.cycles));
      std::string difference = replay(at);
      if (!difference.empty()) return difference;
    }
    return {};
  }
  differential::Way way(vm::TransportChoice transport = vm::TransportChoice::Stepper) const {
    return {program_.max_cycles(), 1, transport};
  }
  vm::TransportChoice any_transport() {
    return has_planes_ && random_.one_in(2) ? vm::TransportChoice::Wafer
                                            : vm::TransportChoice::Stepper;
  }
  vm::PeRect any_rect() {
    const std::uint32_t width = 1 + random_.below(mesh_.width());
    const std::uint32_t height = 1 + random_.below(mesh_.height());
    return {random_.below(mesh_.width() - width + 1), random_.below(mesh_.height() - height + 1),
            width, height};
  }

  std::string replay(vm::Cycle at) {
    const vm::PeRect rect = any_rect();
    const vm::Cycle window = 1 + random_.below(kLongestWindow);
    const vm::TransportChoice transport = any_transport();
    auto whole = begin(setup_, way(transport));
    if (at > 0 && whole->machine->advance(at).is_over) return {};
    vm::StateWriter writer;
    vm::MachineState(*whole->machine, rect).write(writer);
    auto part = begin(setup_, way());
    vm::StateReader reader(writer.written());
    const std::string where = fmt::format("{} x {} PEs at ({}, {}), cycles {} to {}", rect.width,
                                          rect.height, rect.x, rect.y, at, at + window - 1);
    if (!vm::MachineState(*part->machine, rect).read(reader)) return where + ": refused\n";
    part->machine->advance(at + window);
    // The whole machine may have stopped in a trap of others.
    if (whole->machine->advance(at + window).status == vm::RunStatus::Trap) return {};
    const vm::Cone cone(mesh_, rect, at);
    std::string difference;
    std::uint64_t pes = 0;
    for (vm::PeId pe = 0; pe < mesh_.pes(); ++pe) {  // as the next cycle finds it
      if (!cone.is_exact(pe, at + window)) continue;
      difference += pe_difference(*whole, *part, pe);
      ++pes;
    }
    counts_.pes += pes;
    counts_.rectangles += pes > 0 ? 1 : 0;
    counts_.from_planes += pes > 0 && transport == vm::TransportChoice::Wafer ? 1 : 0;
    return difference.empty() ? "" : "  " + where + ":\n" + difference;
  }

  std::string pe_difference(const Run& whole, const Run& part, vm::PeId pe) const {
    const std::uint32_t x = mesh_.x_of(pe);
    const std::uint32_t y = mesh_.y_of(pe);
    std::string difference;
    const auto wanted = whole.machine->pe_state(x, y);
    const auto found = part.machine->pe_state(x, y);
    for (std::size_t k = 0; k < std::max(wanted.size(), found.size()); ++k) {
      const auto told = [k](const auto& state) {
        return k < state.size() ? state[k].first + " = " + state[k].second : "nothing";
      };
      if (told(wanted) == told(found)) continue;
      difference += fmt::format("  PE({}, {}) has {}, not {}\n", x, y, told(found), told(wanted));
      break;
    }
    for (const isa::Placement& placement : setup_.image.placements) {
      isa::for_each(placement.rect, [&](std::uint32_t px, std::uint32_t py) {
        if (px != x || py != y) return;
        for (const isa::Symbol& symbol : setup_.image.programs[placement.program].symbols) {
          const auto left = whole.machine->read_symbol(x, y, symbol.name);
          const auto right = part.machine->read_symbol(x, y, symbol.name);
          if (left->words != right->words) {
            difference += fmt::format("  {} at ({}, {}) is not what it was\n", symbol.name, x, y);
          }
        }
      });
    }
    return difference;
  }

  const Generated& program_;
  const Setup& setup_;
  isa::Topology mesh_;
  test_support::Random random_;
  bool has_planes_ = vm::wafer::refusal(setup_.image, setup_.profile).empty();
  ConeCounts counts_;
};

}  // namespace

Comparison compare_cones(const Generated& program, std::uint32_t seed) {
  Comparison comparison;
  const std::optional<isa::Image> image = assembled(program, comparison).image;
  if (!image) return comparison;
  if (image->topology().is_hypercube()) return comparison;
  const Setup setup = setup_of(program, *image);
  Replayed replayed(program, setup, seed);
  comparison.difference = replayed.compare();
  comparison.cones = replayed.counts();
  return comparison;
}

}  // namespace wse::differential
