// Reads code from its first line to its last, as if nothing jumped.
#include "vm/run/wafer_worth.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <vector>

#include "isa/descriptor/descriptor.h"
#include "isa/instruction/instruction.h"
#include "vm/planes/bits/grid.h"

namespace wse::vm {
namespace {

// Words of a message from which on a train costs no more than its words one by one. In a row of 512
// PEs that is so from 32 words on, where many PEs work from 4; in a chain through many blocks, one
// or two of which work at a time, from 64 to 128. Measured by tests/bench/transports.sh.
constexpr std::uint32_t kLongMessage = 32;
constexpr std::uint32_t kLongMessageOfMany = 4;
constexpr std::uint32_t kLongMessageOfChains = 128;
constexpr std::size_t kManyPes = 1024;
// The length assumed where no descriptor names one: it is computed, or ends with its message.
constexpr std::uint32_t kUnknownLength = kLongMessageOfMany;
// Times the words of a long message that one message counts at most in the average of all.
constexpr std::uint32_t kMostCounted = 4;
// PEs that send or take such messages: of a machine, and of a block on average. With fewer planes
// are mostly empty.
constexpr std::size_t kFewPes = 64;

// A long message where many PEs run their text once and end: there the stepper takes longer to be
// made than to run.
constexpr std::uint32_t kLongMessageOfManyOnce = 1;

// The known contents of descriptor registers where the code has come to.
using Registers = std::array<std::optional<isa::Descriptor>, isa::kDescriptorRegisters>;

// A vector instruction with a fabric operand.
struct Message {
  std::uint32_t length = kUnknownLength;  // elements
  bool takes = false;
  std::optional<std::uint32_t> sends = {};  // on this colour
};

std::optional<Message> message_of(const isa::Instruction& instruction, const Registers& registers) {
  Message message;
  std::optional<std::uint32_t> length;
  bool is_known = true;
  const auto look_at = [&](std::uint32_t number) {
    const std::optional<isa::Descriptor>& descriptor = registers[number];
    if (!descriptor) {
      is_known = false;
      return;
    }
    message.takes |= isa::receives(descriptor->kind);
    if (descriptor->kind == isa::DescriptorKind::FabricOut) message.sends = descriptor->colour;
    if (!descriptor->is_unbounded()) {
      length = std::min(length.value_or(descriptor->length), descriptor->length);
    }
  };
  if (instruction.destination_kind != 0) look_at(instruction.destination);
  if (instruction.source_a_operand() == isa::SourceKind::Descriptor) look_at(instruction.source_a);
  if (instruction.source_b_operand() == isa::SourceKind::Descriptor) look_at(instruction.source_b);
  if (!message.takes && !message.sends) return std::nullopt;
  if (is_known) message.length = length.value_or(kUnknownLength);
  return message;
}

// Follows what the instruction does to descriptor registers.
void follow(const isa::Instruction& instruction, const ProgramInstance& instance,
            Registers& registers) {
  switch (instruction.op) {
    case isa::Op::LoadDescriptor:
      registers[instruction.destination] =
          isa::resolve(instance.program->program->descriptors[instruction.target], instance.slots);
      break;
    case isa::Op::CopyDescriptor:
      registers[instruction.destination] = registers[instruction.source_a];
      break;
    case isa::Op::SetLength:
      if (auto& set = registers[instruction.destination]) {
        set->length = kUnknownLength;
        set->options.endless = false;
      }
      break;
    default: break;
  }
}

// The use that the code makes of the fabric.
struct Habits {
  bool has_long_messages = false;  // at least half of all, or as many words as if it were so
  bool passes_on = false;          // takes the first one, and all that it sends goes one way
};

// Whether no instruction can run twice: no task but main, and no way back in the text.
bool runs_once(const LoadedProgram& program) {
  if (!program.program->has_main_only()) return false;
  for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
    if (program.begins[pc] == 0) continue;
    const isa::Instruction& instruction = program.code[pc];
    const isa::Format format = isa::info(instruction.op).format;
    if (format == isa::Format::Call || format == isa::Format::Return) return false;
    const bool jumps = format == isa::Format::Jump || format == isa::Format::Branch;
    if (jumps && instruction.target <= pc) return false;
  }
  return true;
}

// `words`: of a long message.
Habits habits_of(const ProgramInstance& instance, std::uint32_t words) {
  const LoadedProgram& program = *instance.program;
  if (words == kLongMessageOfMany && runs_once(program)) words = kLongMessageOfManyOnce;
  Registers registers;
  std::size_t messages = 0;
  std::size_t long_ones = 0;
  std::size_t all_words = 0;
  bool takes_first = false;
  std::set<std::uint32_t> colours;  // on which it sends
  for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
    if (program.begins[pc] == 0) continue;
    const isa::Instruction& instruction = program.code[pc];
    follow(instruction, instance, registers);
    if (!isa::info(instruction.op).is_vector()) continue;
    const std::optional<Message> message = message_of(instruction, registers);
    if (!message) continue;
    if (messages == 0) takes_first = message->takes;
    ++messages;
    long_ones += message->length >= words ? 1 : 0;
    all_words += std::min(message->length, kMostCounted * words);
    if (message->sends) colours.insert(*message->sends);
  }
  const bool has_many = 2 * long_ones >= messages || all_words >= words * messages;
  return {.has_long_messages = long_ones > 0 && has_many,
          .passes_on = takes_first && colours.size() == 1};
}

// Blocks of the wafer in which some of the PEs lie. All ascend.
std::size_t blocks_with(const std::vector<PeId>& some, const isa::Topology& mesh,
                        const std::vector<PeId>& placed) {
  auto next = placed.begin();
  const wafer::Box box =
      wafer::Box::around(mesh, {placed.front(), placed.back() + 1}, [&](PeId pe) {
        while (*next < pe) ++next;
        return *next == pe;
      });
  const wafer::Grid grid(mesh, box);
  std::vector<bool> has(grid.blocks());
  for (const PeId pe : some) has[grid.block_of(pe)] = true;
  return static_cast<std::size_t>(std::ranges::count(has, true));
}

// PEs that have long messages.
struct Busy {
  std::vector<PeId> pes;
  std::size_t chained = 0;  // of them, those that pass on what comes
};

Busy busy_pes(const Loaded& loaded, std::uint32_t words) {
  std::vector<Habits> habits;
  for (const ProgramInstance& instance : loaded.instances()) {
    habits.push_back(habits_of(instance, words));
  }
  Busy busy;
  for (const PeId pe : loaded.placed()) {
    const Habits& own = habits[loaded.instance_of(pe)];
    if (!own.has_long_messages) continue;
    busy.pes.push_back(pe);
    busy.chained += own.passes_on ? 1 : 0;
  }
  return busy;
}

}  // namespace

WaferWorth wafer_worth(const isa::Image& image, const isa::Topology& mesh, const Loaded& loaded) {
  const std::size_t placed = loaded.placed().size();
  if (placed < kFewPes) return {};
  const Busy busy = busy_pes(loaded, placed < kManyPes ? kLongMessage : kLongMessageOfMany);
  if (busy.pes.empty()) return {false, "messages of few words"};
  const std::size_t blocks = blocks_with(busy.pes, mesh, loaded.placed());
  if (busy.pes.size() < kFewPes * blocks) return {false, "few PEs that send much"};
  if (image.streams.empty() && busy.pes.size() - busy.chained < blocks) {
    const Busy with_longer_ones = busy_pes(loaded, kLongMessageOfChains);
    if (with_longer_ones.pes.size() < busy.pes.size()) {
      return {false, "chains of messages of few words"};
    }
  }
  return {true, "long messages of many PEs"};
}

}  // namespace wse::vm
