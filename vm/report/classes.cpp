// A list of numbers for each PE; PEs with equal lists are in one class.
#include "vm/report/classes.h"

#include <map>

#include "isa/support/mutant.h"
#include "vm/report/pe_state.h"
#include "vm/report/task_text.h"

namespace wse::vm {
namespace {

using Traits = std::vector<std::uint64_t>;

// Returns the kind of what the main thread does, which no engine does otherwise.
std::uint64_t kind_of(Core::Main main) {
  const bool runs = main == Core::Main::Computing || main == Core::Main::Trapping;
  const bool saves = main == Core::Main::Saving;
  return static_cast<std::uint64_t>(runs ? Core::Main::Ready : saves ? Core::Main::Waiting : main);
}

std::uint64_t line_of(const Core& core, std::uint32_t pc) {
  const isa::SourceLine line = core.program->program->line_of(pc);
  return line.line == 0 ? pc : std::uint64_t{line.file} << 32 | line.line;
}

// Fills `traits`, whose memory is used again.
void find_traits(const Scene& scene, PeId pe, Traits& traits) {
  const Core& core = scene.cores.core(pe);
  traits.assign({core.program->number, kind_of(core.main)});
  const bool is_done = core.main == Core::Main::Free || core.main == Core::Main::Halted;
  if (!is_done) traits.push_back(line_of(core, main_pc(core)));
  for (const InFlight& f : core.in_flight) {
    traits.push_back(f.thread());
    traits.push_back(line_of(core, f.pc()));
  }
  traits.push_back(core.ids.activated_at_last());
  traits.push_back(core.ids.blocked_at_last());
  for (ChannelId id = scene.channels.first(pe); id < scene.channels.first(pe + 1); ++id) {
    const ChannelState channel = scene.transport.channel(id);
    if (channel.position == 0 && !channel.torn_down) continue;
    if (isa::mutant(isa::Mutant::ClassesIgnoreColours)) continue;
    traits.push_back(std::uint64_t{channel.colour} << 32 | std::uint64_t{channel.position} << 1 |
                     (channel.torn_down ? 1 : 0));
  }
}

}  // namespace

PeClasses classes_of(const Scene& scene) {
  PeClasses classes{.of_pe = std::vector<std::uint32_t>(scene.mesh.pes(), PeClasses::kNone)};
  std::map<Traits, std::uint32_t> known;
  Traits traits;
  for (const PeId pe : scene.loaded.placed()) {
    find_traits(scene, pe, traits);
    auto found = known.find(traits);
    if (found == known.end()) {
      if (classes.texts.size() == PeClasses::kMost) classes.texts.push_back({{"all", "others"}});
      const bool is_full = classes.texts.size() > PeClasses::kMost;
      if (!is_full) classes.texts.push_back(pe_outline(scene, pe));
      const auto number = static_cast<std::uint32_t>(classes.texts.size() - 1);
      classes.of_pe[pe] = number;
      if (!is_full) known.emplace(traits, number);
      continue;
    }
    classes.of_pe[pe] = found->second;
  }
  return classes;
}

}  // namespace wse::vm
