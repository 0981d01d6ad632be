// The checks at the start of a vector instruction and at scalar accesses beside one.
#include "vm/pe/checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/support/mutant.h"
#include "vm/pe/core.h"
#include "vm/pe/fifos.h"
#include "vm/pe/mapped_checks.h"

namespace wse::vm {
namespace {

using Failed = std::optional<Complaint>;

// Checks that an operand has as many elements as its instruction, `length`.
Failed check_length(const Operand& operand, std::uint64_t length) {
  if (!operand.is_memory()) return std::nullopt;
  const isa::Descriptor& d = operand.descriptor;
  const bool is_ring = d.kind == isa::DescriptorKind::Circular;
  if (length == kNoBound && !is_ring) {
    return Complaint{
        isa::Trap::ShortOperand,
        fmt::format("a memory operand of {} elements in an instruction without bound", d.length)};
  }
  if (length != kNoBound && d.length < length) {
    return Complaint{
        isa::Trap::ShortOperand,
        fmt::format("a memory operand of {} elements in an instruction of {}", d.length, length)};
  }
  return std::nullopt;
}

// Checks a memory operand and tells in `words` what its `length` elements touch.
Failed check_memory(const isa::Descriptor& d, std::uint32_t length, std::uint32_t element_bytes,
                    std::uint32_t memory_bytes, WordSet& words) {
  if (d.address % element_bytes != 0) {
    return Complaint{isa::Trap::Misaligned, fmt::format("byte address {} of a {}-bit operand",
                                                        d.address, 8 * element_bytes)};
  }
  const bool is_ring = d.kind == isa::DescriptorKind::Circular;
  if (is_endless(d) && (length > 0 || is_ring)) {
    return Complaint{isa::Trap::BadDescriptor,
                     fmt::format("a {} of 0 elements", is_ring ? "ring" : "row")};
  }
  if (length == 0) return std::nullopt;
  words = WordSet(ElementPath(d, element_bytes), length, element_bytes);
  if (words.low() < 0 || words.high() > memory_bytes) {
    return Complaint{isa::Trap::OutsideMemory,
                     fmt::format("bytes {}..{} of {} bytes of data", words.low(), words.high() - 1,
                                 memory_bytes)};
  }
  return std::nullopt;
}

// The array whose elements wavelets name is claimed as a whole.
Failed check_indexed(const isa::Descriptor& d, std::uint32_t element_bytes,
                     std::uint32_t memory_bytes, WordSet& words) {
  const isa::Descriptor array{.kind = isa::DescriptorKind::Memory,
                              .address = d.address,
                              .length = d.ring,
                              .stride = d.stride};
  return check_memory(array, d.ring, element_bytes, memory_bytes, words);
}

// Of source k, or of the destination.
// `length` elements for each of `groups` scalars; one whose position is not saved begins again.
Failed check_operand(const Operand& operand, std::uint64_t length, std::uint64_t groups,
                     std::uint32_t element_bytes, std::uint32_t memory_bytes, WordSet& words) {
  const isa::Descriptor& d = operand.descriptor;
  if (operand.is_fifo()) words = WordSet(ElementPath(d, element_bytes), 0, element_bytes);
  if (operand.is_indexed()) return check_indexed(d, element_bytes, memory_bytes, words);
  if (!operand.is_memory()) return std::nullopt;
  // An instruction without bound goes through a ring once.
  std::uint32_t count = length == kNoBound ? d.ring : static_cast<std::uint32_t>(length);
  if (operand.saves() || groups == 0) count *= static_cast<std::uint32_t>(groups);
  return check_memory(d, count, element_bytes, memory_bytes, words);
}

// Checks that a last element exists where one advances a switch or is half of a wavelet.
Failed check_end(const Operands& operands, std::uint64_t length) {
  const Operand& to = operands.destination;
  if (to.kind != Operand::Kind::FabricOut) return std::nullopt;
  if (!to.descriptor.options.advance && !to.descriptor.options.packed) return std::nullopt;
  const bool terminates = std::ranges::any_of(operands.source, [](const Operand& source) {
    return source.on_control() == isa::OnControl::Terminate;
  });
  if (!terminates && length != kNoBound) return std::nullopt;
  return Complaint{isa::Trap::BadDescriptor,
                   fmt::format("an output with {} needs an instruction of known length",
                               to.descriptor.options.advance ? "advance" : "packed")};
}

Failed check_kinds(const Operands& operands) {
  const auto wrong = [](std::string_view text) {
    return Complaint{isa::Trap::UnsetDescriptor, std::string(text)};
  };
  if (operands.destination.kind == Operand::Kind::Unset) {
    return wrong("the descriptor register of the destination was never loaded");
  }
  if (operands.destination.kind == Operand::Kind::FabricIn) {
    return wrong("the destination is a fabric input");
  }
  for (const Operand& source : operands.source) {
    if (source.kind == Operand::Kind::Unset) {
      return wrong("the descriptor register of a source was never loaded");
    }
    if (source.kind == Operand::Kind::FabricOut) return wrong("a source is a fabric output");
  }
  return check_mapped_kinds(operands);
}

// Only elements of 16 bits leave room in a wavelet.
Failed check_wavelets(const Operands& operands, const isa::InstructionInfo& row) {
  const auto fits = [](const Operand& operand, std::uint32_t element_bytes) {
    const isa::FabricOptions& options = operand.descriptor.options;
    return !operand.is_fabric() || element_bytes == 2 || (!options.packed && !options.indexed);
  };
  if (fits(operands.destination, row.result_bytes()) &&
      fits(operands.source[0], row.source_bytes(0)) &&
      fits(operands.source[1], row.source_bytes(1))) {
    return std::nullopt;
  }
  return Complaint{isa::Trap::BadDescriptor, "packed or indexed wavelets of 32-bit elements"};
}

// A microthread is there to wait for wavelets, room or a FIFO.
Failed check_thread(const Plan& starting) {
  const auto operands = starting.operands.all();
  if (starting.thread == kMainThread || std::ranges::any_of(operands, &Operand::is_stream)) {
    return std::nullopt;
  }
  return Complaint{
      isa::Trap::BadDescriptor,
      "an asynchronous instruction on memory alone; it needs a fabric operand or a FIFO"};
}

// The length by the rule of the machine, or nothing if only fabric operands could give one.
std::optional<std::uint64_t> length_of(const Operands& operands) {
  for (const Operand* operand : {&operands.source[0], &operands.source[1], &operands.destination}) {
    if (!operand->has_length()) continue;
    return operand->is_unbounded() ? kNoBound : std::uint64_t{operand->descriptor.length};
  }
  if (std::ranges::count_if(operands.all(), &Operand::is_stream) > 1) return std::nullopt;
  return 1;
}

std::string line_text(const isa::Image& image, const isa::Program& program, const InFlight& f) {
  return fmt::format("the instruction at {} on {}", image.place_text(program.line_of(f.pc())),
                     f.thread() == kMainThread ? "the main thread"
                                               : fmt::format("microthread {}", f.thread() - 1));
}

Failed check_fabric(const Plan& starting, const Surroundings& around) {
  const auto& [in_flight, image, program, tasks, blocked] = around;
  const Operands& operands = starting.operands;
  for (const InFlight& other : in_flight) {
    if ((starting.sends & other.plan->sends) == 0) continue;
    const std::uint32_t colour = operands.destination.descriptor.colour;
    return Complaint{isa::Trap::TwoProducers,
                     fmt::format("{} still sends on colour {}", line_text(image, program, other),
                                 image.colour_name(colour))};
  }
  const auto twice = [&](std::uint32_t colour, std::string_view who) {
    return Complaint{isa::Trap::TwoConsumers,
                     fmt::format("{} receives from colour {}", who, image.colour_name(colour))};
  };
  std::uint32_t own = 0;  // colours from which it receives, as bits
  for (const Operand* source : operands.in_order()) {
    if (!source->receives()) continue;
    const std::uint32_t colour = source->descriptor.colour;
    for (const InFlight& other : in_flight) {
      if (other.receives(colour)) {
        return twice(colour, line_text(image, program, other) + " still");
      }
    }
    if ((own & 1u << colour) != 0) return twice(colour, "another operand of the same instruction");
    own |= 1u << colour;
    if ((tasks.data() & ~blocked & id_bit(colour)) != 0) {
      const isa::Task& task = tasks[tasks.at(colour)];
      return twice(colour, fmt::format("task {} at {}, which is not blocked,", task.name,
                                       image.place_text(program.line_of(task.entry))));
    }
  }
  return std::nullopt;
}

Failed check_own_fifos(const Plan& starting, const isa::Program& program) {
  for (const WordSet* words :
       {&starting.reads[0], &starting.reads[1], &starting.reads[2], &starting.writes}) {
    const isa::Fifo* fifo = fifo_at(program, *words);
    if (fifo == nullptr) continue;
    return Complaint{isa::Trap::FifoMisuse, fmt::format("bytes {}..{} touch {}", words->low(),
                                                        words->high() - 1, fifo->name)};
  }
  if (!pops_twice(starting.operands)) return std::nullopt;
  return Complaint{isa::Trap::FifoMisuse, "both sources are the same FIFO"};
}

// One pusher and one popper, and nobody else in their storage.
Failed check_fifos(const Plan& starting, const Surroundings& around) {
  if (around.program.fifos.empty()) return std::nullopt;
  for (const InFlight& other : around.in_flight) {
    const std::optional<std::uint32_t> fifo = shared_fifo(starting.operands, other.operands());
    if (!fifo) continue;
    return Complaint{isa::Trap::FifoMisuse,
                     fmt::format("{} still uses the same end of {}",
                                 line_text(around.image, around.program, other),
                                 around.program.fifos[*fifo].name)};
  }
  return check_own_fifos(starting, around.program);
}

Failed check_overlap(const Plan& f) {
  for (std::size_t k = 0; k < 2; ++k) {
    const WordSet& read = f.reads[k];
    const bool named = f.operands.destination.is_indexed() || f.operands.source[k].is_indexed();
    if (!intersect(f.writes, read) || (!named && same_elements(f.writes, read))) continue;
    return Complaint{isa::Trap::Overlap,
                     fmt::format("destination bytes {}..{} and source bytes {}..{}", f.writes.low(),
                                 f.writes.high() - 1, read.low(), read.high() - 1)};
  }
  return check_each(f);
}

bool races(const WordSet& reads, const WordSet& writes, const InFlight& other) {
  const Plan& plan = *other.plan;
  if (intersect(reads, plan.writes)) return true;
  if (writes.empty()) return false;
  return intersect(writes, plan.writes) ||
         std::ranges::any_of(plan.reads,
                             [&](const WordSet& read) { return intersect(writes, read); });
}

}  // namespace

Surroundings surroundings_of(const Core& core, const isa::Image& image) {
  return {core.in_flight, image, *core.program->program, *core.tasks, core.ids.blocked_at_last()};
}

Failed check_operands(Plan& starting, std::uint32_t memory_bytes) {
  Operands& operands = starting.operands;
  if (Failed failed = check_kinds(operands)) return failed;
  const std::optional<std::uint64_t> length = length_of(operands);
  if (!length) {
    return Complaint{isa::Trap::NoLength,
                     "none of the fabric operands says how many elements; give one a length"};
  }
  static_assert(isa::kMaxLength < kNoBound);
  if (*length > isa::kMaxLength && *length != kNoBound) {
    return Complaint{isa::Trap::BadDescriptor,
                     fmt::format("a length that is negative or beyond {}", isa::kMaxLength)};
  }
  starting.flow.length = *length;
  if (Failed failed = set_groups(starting)) return failed;
  const isa::InstructionInfo& row = isa::info(starting.op);
  if (Failed failed = check_wavelets(operands, row)) return failed;
  if (Failed failed = check_end(operands, *length)) return failed;
  const std::uint64_t groups = operands.each.is_memory() ? operands.each.descriptor.length : 1;
  for (const Operand* const operand :
       {&operands.source[0], &operands.source[1], &operands.destination}) {
    if (Failed failed = check_length(*operand, *length)) return failed;
  }
  for (std::size_t k = 0; k < 2; ++k) {
    Failed failed = check_operand(operands.source[k], *length, groups, row.source_bytes(k),
                                  memory_bytes, starting.reads[k]);
    if (failed) return failed;
  }
  if (Failed failed = check_operand(operands.destination, *length, groups, row.result_bytes(),
                                    memory_bytes, starting.writes)) {
    return failed;
  }
  if (operands.each.is_memory()) {
    const auto count = static_cast<std::uint32_t>(*length > 0 ? groups : 0);
    Failed failed =
        check_memory(operands.each.descriptor, count, row.source_bytes(row.last_source()),
                     memory_bytes, starting.reads[2]);
    if (failed) return failed;
  }
  return check_thread(starting);
}

static_assert(isa::info(&isa::Profile::fabric_inputs).most == kInputs);

Failed check_inputs(const Operands& operands, const isa::Profile& profile) {
  const auto all = operands.all();
  const auto count = static_cast<std::uint32_t>(std::ranges::count_if(all, &Operand::receives));
  if (count <= profile.fabric_inputs || isa::mutant(isa::Mutant::FabricInputs)) return std::nullopt;
  return Complaint{isa::Trap::BadDescriptor,
                   fmt::format("{} fabric inputs of one instruction; {} has at most {}", count,
                               profile.name, profile.fabric_inputs)};
}

Failed check_queues(const Operands& operands, const isa::ColourUses& queues,
                    const std::uint32_t* slots, const isa::Image& image) {
  const std::uint32_t received = isa::colours_of(queues.received, slots);
  const std::uint32_t sent = isa::colours_of(queues.sent, slots);
  for (const Operand* operand : operands.all()) {
    const bool out = operand->kind == Operand::Kind::FabricOut;
    if (!out && !operand->receives()) continue;
    const std::uint32_t colour = operand->descriptor.colour;
    if (((out ? sent : received) >> colour & 1) != 0) continue;
    return Complaint{isa::Trap::BadDescriptor,
                     fmt::format("colour {} has no {} queue: no {} of the program names it",
                                 image.colour_name(colour), out ? "output" : "input",
                                 out ? "fabout" : "fabin or data task")};
  }
  return std::nullopt;
}

bool clashes_with_itself(const Plan& starting, const isa::Program& program) {
  std::uint32_t own = 0;  // colours from which it receives, as bits
  for (const Operand* source : starting.operands.all()) {
    if (!source->receives()) continue;
    const std::uint32_t colour = 1u << source->descriptor.colour;
    if ((own & colour) != 0) return true;
    own |= colour;
  }
  return check_own_fifos(starting, program) || check_overlap(starting);
}

Failed check_start(const Plan& starting, const Surroundings& around, Cycle now) {
  const isa::Image& image = around.image;
  const isa::Program& program = around.program;
  for (const InFlight& other : around.in_flight) {
    if (other.thread() != starting.thread) continue;
    return Complaint{isa::Trap::BusyMicrothread,
                     fmt::format("{} has not finished", line_text(image, program, other))};
  }
  if (Failed failed = check_fabric(starting, around)) return failed;
  if (Failed failed = check_fifos(starting, around)) return failed;
  if (Failed failed = check_overlap(starting)) return failed;
  for (const InFlight& other : around.in_flight) {
    if (now >= other.claims_until()) continue;
    const bool race =
        races(starting.reads[0], starting.writes, other) ||
        (!isa::mutant(isa::Mutant::RaceOneSource) && races(starting.reads[1], WordSet{}, other));
    if (race) {
      return Complaint{isa::Trap::MemoryRace,
                       fmt::format("{} uses the same memory", line_text(image, program, other))};
    }
  }
  return std::nullopt;
}

Failed check_task(isa::Op op, std::uint32_t id, const Surroundings& around, Cycle from) {
  const bool activates = op == isa::Op::Activate;
  const IdMask allowed = activates ? around.tasks.local() : around.tasks.known();
  if (id >= isa::kTaskIds || (allowed & id_bit(id)) == 0) {
    return Complaint{isa::Trap::UnboundTask,
                     fmt::format("id {} is that of {}", static_cast<std::int32_t>(id),
                                 activates ? "no local task, and no other can be activated"
                                           : "no task and no colour")};
  }
  if (op != isa::Op::Unblock || (around.tasks.data() & id_bit(id)) == 0) return std::nullopt;
  for (const InFlight& other : around.in_flight) {
    if (!other.receives(id) || other.finish <= from) continue;
    return Complaint{
        isa::Trap::TwoConsumers,
        fmt::format("task {} would receive from colour {}, and so does {}",
                    around.tasks[around.tasks.at(id)].name, around.image.colour_name(id),
                    line_text(around.image, around.program, other))};
  }
  return std::nullopt;
}

Failed check_access(const Access& access, const InFlightList& in_flight, const isa::Image& image,
                    const isa::Program& program, Cycle now) {
  const WordSet word = WordSet::of_bytes(access.address, access.bytes);
  if (const isa::Fifo* fifo = fifo_at(program, word)) {
    return Complaint{isa::Trap::FifoMisuse,
                     fmt::format("byte address {} belongs to {}", access.address, fifo->name)};
  }
  for (const InFlight& other : in_flight) {
    if (now >= other.claims_until()) continue;
    if (!races(word, access.writes ? word : WordSet{}, other)) continue;
    return Complaint{isa::Trap::MemoryRace,
                     fmt::format("byte address {} belongs to {}", access.address,
                                 line_text(image, program, other))};
  }
  return std::nullopt;
}

}  // namespace wse::vm
