// Builds the cores of a strip.
#include "vm/pe/core_table.h"

#include <algorithm>

#include "isa/support/mutant.h"
#include "vm/pe/fifos.h"

namespace wse::vm {
namespace {

std::span<const PeId> placed_in(std::span<const PeId> placed, const PeRange& pes) {
  const auto first = std::ranges::lower_bound(placed, pes.first);
  return {first, std::ranges::lower_bound(placed, pes.end)};
}

}  // namespace

CoreTable::CoreTable(const CoreParts& parts)
    : pes_(parts.pes),
      views_(parts.loaded),
      placed_(placed_in(parts.loaded.placed(), parts.pes)),
      index_(parts.pes.size(), kNoProgram),
      lanes_(placed_.size()),
      former_(placed_.size(), PageSize::Small) {
  if (parts.profile.vector_overlap != 0) {
    successions_ = UntouchedTable<KeptSuccession>(placed_.size(), PageSize::Small);
  }
  std::size_t registers = 0;
  std::size_t threads = 0;
  std::size_t tasks = 0;
  for (const PeId pe : placed_) {
    const LoadedProgram& program = *parts.loaded.program_at(pe);
    registers += program.names_descriptors ? 1 : 0;
    threads += program.threads;
    tasks += program.counted_tasks();
  }
  registers_ = LargeVector<isa::DescriptorRegisters>(registers);
  in_flight_ = UntouchedTable<InFlight>(threads, PageSize::Small);
  cores_.reserve(placed_.size());
  isa::DescriptorRegisters* next_registers = registers_.data();
  InFlight* next_slot = in_flight_.data();
  std::uint32_t next_run = parts.ledger.history.open_tasks(tasks);
  for (const PeId pe : placed_) {
    add(pe, parts);
    Core& core = cores_.back();
    if (core.program->names_descriptors) core.state.d = next_registers++;
    core.in_flight = InFlightList(next_slot);
    next_slot += core.program->threads;
    core.first_run = next_run;
    next_run += core.program->counted_tasks();
  }
}

AlikeCore* CoreTable::share(PeId pe) {
  AlikeCore* const state = lanes_.make();
  if (state == nullptr) return nullptr;
  const Core& core = (*this)[pe];
  state->take(core, keeps_succession(core) ? succession(core) : KeptSuccession{});
  const bool keeps_few = core.log.has_changes && core.log.changes->bytes.size() <= sizeof(Former);
  if (keeps_few) std::ranges::copy(core.log.changes->bytes, former_[index(pe)].bytes.begin());
  join(pe, *state);
  return state;
}

AlikeCore* CoreTable::copy_of(const AlikeCore& state) {
  AlikeCore* const copy = lanes_.make();
  if (copy != nullptr) copy->take(state.core(), state.kept());
  return copy;
}

void CoreTable::keep_memory(PeId pe, std::span<const std::byte> memory, const StretchLog& log) {
  const std::size_t bytes = log.changed_bytes(memory);
  if (bytes <= sizeof(Former)) return log.copy_changed(memory, former_[index(pe)].bytes.data());
  StretchLog& own = own_part(pe).log;
  own.take_places(log);
  own.changes->bytes.resize(bytes);
  log.copy_changed(memory, own.changes->bytes.data());
}

void CoreTable::take_apart(std::size_t place) const {
  const AlikeCore& state = *lanes_.of(place);
  Core& core = cores_[place];
  const StretchLog& log = state.core().log;
  if (log.has_changes) {
    const std::size_t bytes = log.changed_bytes({core.state.memory, core.state.memory_bytes});
    if (bytes <= sizeof(Former)) {
      core.log.take_places(log);
      const auto* const kept = former_[place].bytes.data();
      core.log.changes->bytes.assign(kept, kept + bytes);
    }
  }
  take_alike(core, state.core());
  if (keeps_succession(core)) {
    KeptSuccession& kept = succession(core);
    if (!isa::mutant(isa::Mutant::CohortAfter)) kept.after = state.kept().after;
    kept.at_stretch = state.kept().at_stretch;
  }
  lanes_.leave(place);
}

void CoreTable::add(PeId pe, const CoreParts& parts) {
  index_[pes_.index(pe)] = static_cast<std::uint32_t>(cores_.size());
  Core& core = cores_.emplace_back();
  core.program = parts.loaded.program_at(pe);
  core.state.pc = core.program->entry;
  core.state.view = &views_[parts.loaded.instance_of(pe)];
  core.state.memory = parts.loaded.data(pe);
  core.state.memory_bytes = core.program->data_bytes;
  core.state.random = parts.loaded.seed(pe);
  core.tasks = &parts.loaded.tasks(pe);
  core.ids = TaskIds(core.tasks->blocked_at_start());
  core.task = core.program->main;
  parts.ledger.activity.count(pe);
  const isa::Program& program = *core.program->program;
  parts.transport.set_threads(pe, core.program->threads, fifo_capacities(program));
  if (!program.fifos.empty()) core.rarely().fifos.resize(program.fifos.size());
}

}  // namespace wse::vm
