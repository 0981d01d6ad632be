// Passes cores field by field, and makes plans again.
#include "vm/pe/core_state.h"

#include <algorithm>
#include <array>
#include <utility>

#include "isa/support/mutant.h"

namespace wse::vm {
namespace {

constexpr Cycle kMostStretchCycles = Cycle{1} << 32;

constexpr std::uint32_t kUnset = ~0u;       // the register was never loaded
constexpr std::uint32_t kOwn = kUnset - 1;  // or it has a descriptor that was changed

// Returns what the register held before the FIFO was placed.
isa::Descriptor unplaced(const Operand& operand) {
  isa::Descriptor descriptor = operand.descriptor;
  if (!operand.is_fifo()) return descriptor;
  descriptor.kind = isa::DescriptorKind::Fifo;
  descriptor.address = descriptor.ring = descriptor.position = 0;
  descriptor.stride = 0;
  return descriptor;
}

bool begins_at(const LoadedProgram& program, std::uint32_t pc) {
  return pc < program.code.size() && program.begins[pc] != 0;
}

// The descriptor registers that an instruction names, by operand; kOperandS: none.
std::array<std::uint32_t, 4> registers_of(const isa::Instruction& i) {
  const auto named = [](bool is_named, std::uint32_t number) {
    return is_named ? number : kOperandS;
  };
  return {named(i.destination_kind != 0, i.destination),
          named(i.source_a_operand() == isa::SourceKind::Descriptor, i.source_a),
          named(i.source_b_operand() == isa::SourceKind::Descriptor, i.source_b),
          named(i.mapped != 0, i.scalar)};
}

}  // namespace

template <class Archive>
void CoreState::pass(Archive& archive, PeId pe, Cycle now, Ahead ahead) {
  Core& core = peers_.cores[pe];
  pass_registers(archive, pe, core);
  archive.number(core.resume);
  archive.number(core.burst_cycle);
  archive.number(core.burst);
  archive.below(core.main, static_cast<std::uint64_t>(Core::Main::Halted) + 1);
  archive.number(core.awaited);
  archive.number(core.is_mid_stretch);
  pass_tasks(archive, core);
  pass_fifos(archive, core);
  pass_in_flight(archive, pe, core, now);
  archive.expect(may_be(core));
  if (core.main == Core::Main::Trapping) peers_.traps.pass(archive, pe);
  if (ahead == Ahead::Kept) pass_log(archive, pe, core, now);
  pass_succession(archive, pe, core, now, ahead);
}

// The main thread is at an instruction, and what it waits for is there to be looked at.
bool CoreState::may_be(const Core& core) {
  const LoadedProgram& program = *core.program;
  const bool is_in_vector = program.threads > 0 && core.in_flight.find(kMainThread) != nullptr;
  if (core.main == Core::Main::Vector && !is_in_vector) return false;
  if (core.main == Core::Main::Waiting && core.awaited >= program.threads) return false;
  return core.main == Core::Main::Halted || begins_at(program, core.state.pc);
}

// A program names only colours of which its PE has the ramps.
template <class Archive>
void CoreState::pass_descriptor(Archive& archive, PeId pe, isa::Descriptor& descriptor) {
  bool is_set = descriptor.kind != isa::DescriptorKind::None;
  archive.number(is_set);
  if (!is_set) return void(descriptor = {});
  isa::StoredDescriptor words = {};
  if constexpr (!Archive::kReads) words = isa::stored(descriptor);
  for (std::uint32_t& word : words) archive.number(word);
  if constexpr (Archive::kReads) {
    const auto read = isa::descriptor_of(words);
    archive.expect(read.has_value());
    descriptor = read.value_or(isa::Descriptor{});
    using Kind = isa::DescriptorKind;
    const bool is_fabric = descriptor.kind == Kind::FabricIn ||
                           descriptor.kind == Kind::FabricOut || descriptor.kind == Kind::Indexed;
    const std::uint32_t colours = parts_.channels.endpoints(pe);
    archive.expect(!is_fabric || (descriptor.colour < isa::kMaxColours &&
                                  (colours >> descriptor.colour & 1) != 0));
  }
}

template <class Archive>
void CoreState::pass_registers(Archive& archive, PeId pe, Core& core) {
  for (std::uint32_t& word : core.state.r) archive.number(word);
  archive.number(core.state.pc);
  archive.number(core.state.random);
  archive.number(core.state.left);
  if (core.state.d == nullptr) return;
  for (std::size_t number = 0; number < isa::kDescriptorRegisters; ++number) {
    pass_register(archive, pe, core, number);
  }
}

// A register that holds the descriptor of a literal shares it with other PEs. Others have one that
// was changed, which some share, too.
template <class Archive>
void CoreState::pass_register(Archive& archive, PeId pe, Core& core, std::size_t number) {
  const auto literals = static_cast<std::uint32_t>(core.program->program->descriptors.size());
  const isa::Descriptor* const* const shared = core.state.view->descriptors;
  isa::DescriptorRegisters& d = *core.state.d;
  std::uint32_t kind = kOwn;
  if constexpr (!Archive::kReads) {
    if (const isa::Descriptor* const here = d.shared(number)) {
      const auto* const literal = std::find(shared, shared + literals, here);
      if (literal != shared + literals) kind = static_cast<std::uint32_t>(literal - shared);
    }
    if (!d.is_loaded(number)) kind = kUnset;
  }
  archive.number(kind);
  archive.expect(kind >= kOwn || kind < literals);
  if (!archive.ok() || kind == kUnset) return;
  if (kind != kOwn) {
    if constexpr (Archive::kReads) d.share(number, *shared[kind]);
    return;
  }
  isa::Descriptor own = d[number];
  pass_descriptor(archive, pe, own);
  if constexpr (Archive::kReads) d.set(number, own);
}

template <class Archive>
void CoreState::pass_tasks(Archive& archive, Core& core) {
  const std::size_t tasks = core.program->program->tasks.size();
  archive.below(core.task, tasks);
  archive.number(core.picked);
  core.ids.pass(archive);
  archive.expect((core.ids.activated_at_last() & ~core.tasks->local()) == 0);
  bool has_rare = core.rare != nullptr;
  archive.number(has_rare);
  if (!has_rare) return;
  Core::Rare& rare = core.rarely();
  archive.list(rare.torn_down, 12, [&](TornDown& torn) {
    archive.below(torn.colour, isa::kMaxColours);
    archive.expect(core.tasks->teardown_at(torn.colour) != kNoTask);
    archive.number(torn.visible);
  });
  archive.list(rare.launched, 12, [&](LaunchedTask& launched) {
    archive.below(launched.task, tasks);
    archive.list(launched.arguments, 4, [&](std::uint32_t& word) { archive.number(word); });
    const isa::Task& task = (*core.tasks)[archive.ok() ? launched.task : 0];
    archive.expect(launched.arguments.size() == task.arguments.size());
  });
}

template <class Archive>
void CoreState::pass_fifos(Archive& archive, Core& core) {
  const std::vector<isa::Fifo>& fifos = core.program->program->fifos;
  for (std::size_t k = 0; k < fifos.size(); ++k) {
    archive.below(core.rarely().fifos[k].pushed, fifos[k].count);
    archive.below(core.rarely().fifos[k].popped, fifos[k].count);
  }
}

template <class Archive>
void CoreState::pass_plan(Archive& archive, PeId pe, const Plan*& plan, Plan*& own) {
  const Core& core = peers_.cores[pe];
  std::uint32_t pc = plan != nullptr ? plan->pc : kNoPc;
  archive.number(pc);
  if (!archive.ok() || pc == kNoPc) return;
  archive.expect(begins_at(*core.program, pc));
  if (!archive.ok()) return;
  archive.expect(isa::info(core.program->code[pc].op).is_vector());
  if (!archive.ok()) return;
  isa::DescriptorRegisters d;
  std::vector<FifoEnds> ends(core.fifos().begin(), core.fifos().end());
  const std::array<std::uint32_t, 4> registers = registers_of(core.program->code[pc]);
  for (std::size_t k = 0; k < registers.size(); ++k) {
    if (registers[k] == kOperandS) continue;
    isa::Descriptor held;
    if constexpr (!Archive::kReads) {
      const Operands& operands = plan->operands;
      held = unplaced(k < 3 ? *operands.all()[k] : operands.each);
    }
    pass_descriptor(archive, pe, held);
    d.set(registers[k], held);
    if (held.kind != isa::DescriptorKind::Fifo) continue;
    std::uint32_t position = 0;
    if constexpr (!Archive::kReads) position = plan->operands.all()[k]->descriptor.position;
    archive.number(position);
    archive.expect(held.fifo < ends.size());
    if (!archive.ok()) return;
    archive.expect(position < core.program->program->fifos[held.fifo].count);
    (k == 0 ? ends[held.fifo].pushed : ends[held.fifo].popped) = position;
  }
  if constexpr (Archive::kReads) {
    if (!archive.ok()) return;
    std::optional<Complaint> complaint;
    plan = peers_.plans.plan(*core.program, pc, &d, ends, own, complaint);
    archive.expect(plan != nullptr && plan->thread < core.program->threads);
  }
}

bool CoreState::fits(const Core& core, InFlight& f, Cycle now) {
  const Plan& plan = *f.plan;
  if (f.length != plan.length() && (f.length > plan.length() || f.is_moving())) return false;
  if (!f.is_moving() && (f.finish < f.drain || !is_within_reach(f.finish, now))) return false;
  const bool is_ahead = plan.thread == kMainThread && core.has_started_ahead(now);
  if (is_ahead && f.is_timer == 0 && !f.is_moving()) return false;
  if (f.is_timer != 0) {
    if (plan.thread != kMainThread || plan.flow.has_fabric() || f.is_moving()) return false;
    if (f.length != plan.length() || f.length == 0 || plan.is_unbounded()) return false;
    if (f.drains_from() < plan.issue_cycles) return false;
    const Cycle begin = f.drains_from() - plan.issue_cycles;
    if (is_ahead && begin < core.resume) return false;
    const std::uint64_t issued =
        now + 1 > begin ? std::min(plan.length(), plan.elements_in(now + 1 - begin)) : 0;
    return f.applied() <= issued;
  }
  if (plan.completion == isa::Completion::None) return true;
  return f.completes < isa::kTaskIds && (core.tasks->known() >> f.completes & 1) != 0;
}

template <class Archive>
void CoreState::pass_in_flight(Archive& archive, PeId pe, Core& core, Cycle now) {
  std::uint32_t count = 0;
  for ([[maybe_unused]] const InFlight& f : core.in_flight) ++count;
  archive.number(count);
  archive.expect(count <= core.program->threads);
  InFlight* next = core.in_flight.empty() ? nullptr : &*core.in_flight.begin();
  for (std::uint32_t k = 0; archive.ok() && k < count; ++k) {
    const Plan* plan = nullptr;
    Plan* own = nullptr;
    if constexpr (!Archive::kReads) plan = next->plan;
    pass_plan(archive, pe, plan, own);
    archive.expect(plan != nullptr);
    if (!archive.ok()) return;
    InFlight* f = nullptr;
    if constexpr (Archive::kReads) {
      archive.expect(core.in_flight.find(plan->thread) == nullptr);
      if (!archive.ok()) return;
      f = &core.in_flight.add(*plan);
      f->own_plan = own;
    } else {
      f = std::exchange(next, next->next);
    }
    std::uint32_t drain = f->drain;
    bool is_timer = f->is_timer != 0;
    bool stalls_ahead = f->stalls_ahead != 0;
    archive.number(f->finish);
    archive.number(f->length);
    archive.below(drain, std::uint64_t{InFlight::kMostDrain} + 1);
    archive.number(is_timer);
    archive.number(stalls_ahead);
    archive.number(f->completes);
    archive.number(f->accumulator);
    archive.number(f->scalar);
    for (std::uint32_t& word : f->word) archive.number(word);
    f->drain = drain & InFlight::kMostDrain;
    f->is_timer = is_timer ? 1 : 0;
    f->stalls_ahead = stalls_ahead ? 1 : 0;
    archive.expect(fits(core, *f, now));
  }
}

// Passes the log of a stretch that is not over, or whose stalls do not count yet.
template <class Archive>
void CoreState::pass_log(Archive& archive, PeId pe, Core& core, Cycle now) {
  StretchLog& log = core.log;
  bool is_there = (log.end > now || log.stalls > 0) && !isa::mutant(isa::Mutant::RestoredUnlogged);
  archive.number(is_there);
  if (!is_there) return;
  archive.number(log.begin);
  archive.number(log.end);
  for (std::uint32_t& word : log.r) archive.number(word);
  for (std::uint32_t* const word : {&log.pc, &log.random, &log.left}) archive.number(*word);
  archive.below(log.block_shift, 7);
  for (std::uint64_t* const count :
       {&log.instructions, &log.flops, &log.elements, &log.stalls, &log.first_stall}) {
    archive.number(*count);
  }
  archive.number(log.passed);
  archive.number(log.has_changes);
  // Where the machine stops it is run again up to there.
  archive.expect(begins_at(*core.program, log.pc) && log.begin <= log.end &&
                 log.begin + kMostStretchCycles > now && is_within_reach(log.end, now));
  if (!log.has_changes) return;
  if (log.changes == nullptr) log.changes = std::make_unique<StretchLog::Changes>();
  const std::uint32_t bytes = core.state.memory_bytes;
  std::uint64_t all = 0;
  archive.list(log.changes->blocks, 8, [&](StretchLog::Blocks& blocks) {
    archive.number(blocks.first);
    archive.number(blocks.end);
    const std::uint64_t first = std::uint64_t{blocks.first} << log.block_shift;
    const std::uint64_t end = std::uint64_t{blocks.end} << log.block_shift;
    archive.expect(first <= bytes && blocks.first <= blocks.end &&
                   end < std::uint64_t{bytes} + (1u << log.block_shift));
    all += std::min<std::uint64_t>(end, bytes) - std::min<std::uint64_t>(first, bytes);
  });
  archive.list(log.changes->bytes, 1, [&](std::byte& byte) { archive.number(byte); });
  archive.expect(log.changes->bytes.size() == all);
  archive.list(log.changes->descriptors, 4, [&](StretchLog::Held& held) {
    archive.below(held.number, isa::kDescriptorRegisters);
    archive.expect(core.state.d != nullptr);
    isa::Descriptor descriptor = held.shared != nullptr ? *held.shared : held.own;
    pass_descriptor(archive, pe, descriptor);
    if constexpr (Archive::kReads) held.own = descriptor;
  });
}

// The succession with which a stretch began is looked at only while it lasts.
template <class Archive>
void CoreState::pass_succession(Archive& archive, PeId pe, Core& core, Cycle now, Ahead ahead) {
  if (!peers_.successions.keeps(core)) return;
  KeptSuccession& kept = peers_.successions.of(core);
  pass_times(archive, pe, kept.after, now);
  if (ahead == Ahead::Kept && core.log.end > now) {
    pass_times(archive, pe, kept.at_stretch, core.log.begin);
  }
}

template <class Archive>
void CoreState::pass_times(Archive& archive, PeId pe, isa::Succession& after, Cycle since) {
  for (std::uint64_t* const time :
       {&after.drained, &after.settled, &after.same_from, &after.others_from}) {
    archive.number(*time);
    archive.expect(is_within_reach(*time, since));
  }
  const auto* former = after.others_from > since ? static_cast<const Plan*>(after.former) : nullptr;
  Plan* own = nullptr;
  pass_plan(archive, pe, former, own);
  if constexpr (Archive::kReads) after.former = former;  // one of its own stays with the machine
  if (Archive::kReads && isa::mutant(isa::Mutant::RestoredUndrained)) after = {};
}

template void CoreState::pass(StateWriter&, PeId, Cycle, Ahead);
template void CoreState::pass(StateReader&, PeId, Cycle, Ahead);

}  // namespace wse::vm
