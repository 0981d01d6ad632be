// Decodes the code of a program and looks through it for what loading must know.
#include "vm/load/loaded_program.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/instruction/awaited.h"
#include "isa/instruction/each_instruction.h"
#include "vm/load/configuration.h"

namespace wse::vm {
namespace {

constexpr std::uint32_t kDataAlignment = 8;
// Of much data: fewer PEs fill whole pages together.
constexpr std::uint32_t kWideAlignment = 64;
constexpr std::uint32_t kMuchData = 4096;

std::uint32_t stride_of(std::uint32_t data_bytes) {
  const std::uint32_t to = data_bytes >= kMuchData ? kWideAlignment : kDataAlignment;
  return (data_bytes + to - 1) / to * to;
}

// By slot: 1 if it is in the set.
class SlotSet {
 public:
  explicit SlotSet(std::size_t slots) : read_(slots) {}

  void add(std::uint32_t slot) { read_[slot] = 1; }
  void add(const isa::SlotValue& value) {
    if (value.is_slot) add(value.value);
  }
  void add(const isa::DescriptorLiteral& d) {
    for (const isa::SlotValue& value :
         {d.address, d.length, d.colour, d.index, d.task, d.ring, d.start}) {
      add(value);
    }
    for (const isa::DescriptorLiteral::Inner& inner : d.inner) add(inner.extent);
  }
  // The kinds of operands that its format does not have are zero, which is no slot.
  void add(const isa::Instruction& i) {
    if (i.scalar_operand() == isa::ScalarKind::Slot) add(i.scalar);
    if (i.colour_kind != 0) add(i.colour);
    if (i.completes_slot != 0) add(i.completes);
  }

  std::vector<std::uint8_t> take() { return std::move(read_); }

 private:
  std::vector<std::uint8_t> read_;
};

// All that the program reads but its initial data.
std::vector<std::uint8_t> slots_read(const isa::Program& program,
                                     std::span<const isa::Instruction> code) {
  SlotSet slots(program.slot_count());
  for (const isa::Instruction& i : code) slots.add(i);
  for (const isa::DescriptorLiteral& descriptor : program.descriptors) slots.add(descriptor);
  for (const isa::NamedFilter& filter : program.filters) {
    for (const isa::SlotValue& value : filter.values) slots.add(value);
  }
  for (const isa::Task& task : program.tasks) slots.add(task.id);
  for (const isa::PrintText& text : program.prints) {
    for (const isa::PrintPiece& piece : text) {
      if (piece.kind == isa::PrintPiece::Kind::Slot) slots.add(piece.value);
    }
  }
  return slots.take();
}

// The main thread is 0, microthread k 1 + k.
std::uint32_t threads_of(std::span<const isa::Instruction> code) {
  std::uint32_t threads = 0;
  for (const isa::Instruction& i : code) {
    const bool names_microthread = i.asynchronous != 0 || i.op == isa::Op::Wait;
    if (!isa::info(i.op).is_vector() && !names_microthread) continue;
    threads = std::max(threads, names_microthread ? 2 + i.microthread : 1);
  }
  return threads;
}

bool names_descriptors(std::span<const isa::Instruction> code) {
  return std::ranges::any_of(code, [](const isa::Instruction& i) {
    const isa::InstructionInfo& row = isa::info(i.op);
    const std::string_view operands = isa::info(row.format).operands;
    return row.is_vector() || operands.contains('E') || operands.contains('F');
  });
}

bool chooses_colours(std::span<const isa::Instruction> code) {
  return std::ranges::any_of(code, [](const isa::Instruction& i) {
    return i.op == isa::Op::SetColour || i.op == isa::Op::FetchDescriptor;
  });
}

}  // namespace

isa::Result<LoadedProgram> load_program(const isa::Program& program, const isa::Profile& profile) {
  LoadedProgram loaded{.program = &program,
                       .number = 0,
                       .code = {},
                       .begins = {},
                       .configurations = {},
                       .entry = 0,
                       .main = 0,
                       .data_bytes = program.data_bytes(),
                       .data_stride = stride_of(program.data_bytes()),
                       .slots_read = {},
                       .threads = 0,
                       .names_descriptors = false,
                       .chooses_colours = false,
                       .queues = {}};
  const std::uint64_t needed = loaded.data_bytes + program.code_bytes();
  if (needed > profile.memory_bytes) {
    return isa::fail(fmt::format("program {} needs {} bytes of PE memory, {} has {}", program.name,
                                 needed, profile.name, profile.memory_bytes));
  }
  loaded.code.resize(program.code.size());
  loaded.begins.resize(program.code.size());
  // All code of a verified image decodes.
  isa::for_each_instruction(program.code, [&](const isa::Instruction& i, std::uint32_t pc) {
    loaded.code[pc] = i;
    const std::uint32_t next = pc + isa::info(i.op).words();
    loaded.code[pc].is_awaited = isa::is_awaited(i, std::span(program.code).subspan(next));
    loaded.begins[pc] = 1;
  });
  loaded.configurations = configurations_of(loaded.code);
  loaded.slots_read = slots_read(program, loaded.code);
  loaded.threads = threads_of(loaded.code);
  loaded.names_descriptors = names_descriptors(loaded.code);
  loaded.chooses_colours = chooses_colours(loaded.code);
  loaded.waits_for_launches = program.exports_tasks();
  if (profile.queue_colours != 0 && loaded.chooses_colours) {
    loaded.queues = isa::colour_uses(program);
  }
  const auto main = std::ranges::find(program.tasks, isa::TaskKind::Main, &isa::Task::kind);
  if (main == program.tasks.end()) {
    return isa::fail(fmt::format("program {} has no task main", program.name));
  }
  loaded.entry = main->entry;
  loaded.main = static_cast<std::uint32_t>(main - program.tasks.begin());
  return loaded;
}

}  // namespace wse::vm
