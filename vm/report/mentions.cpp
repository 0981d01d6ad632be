// One pass over the code of a program, with what its descriptor registers were loaded with last.
#include "vm/report/mentions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "vm/load/configuration.h"

namespace wse::vm {
namespace {

using isa::Instruction;
using isa::Op;

constexpr std::size_t kShownLines = 3;

// The contents of a descriptor register, as far as the order of the code tells.
struct Held {
  const isa::DescriptorLiteral* literal = nullptr;  // nullptr: not known
  bool any_colour = false;                          // `setdcolour` changed it
};

class MentionSearch {
 public:
  MentionSearch(const Scene& scene, PeId pe, Mention what, std::uint32_t number)
      : loaded_(*scene.loaded.program_at(pe)),
        program_(*loaded_.program),
        slots_(scene.loaded.slots(pe)),
        what_(what),
        number_(number) {}

  std::vector<isa::SourceLine> run() {
    for_each([this](std::uint32_t pc) { add(program_.line_of(pc)); });
    return std::move(found_);
  }

  // Calls visit(pc) for the instructions that do so, in the order of the code.
  template <class Visit>
  void for_each(Visit visit) {
    for (std::uint32_t pc = 0; pc < loaded_.code.size(); ++pc) {
      if (loaded_.begins[pc] == 0) continue;
      const Instruction& i = loaded_.code[pc];
      follow(i);
      if (mentions(i)) visit(pc);
    }
  }

 private:
  void add(const isa::SourceLine& line) {
    if (line.line != 0 && std::ranges::find(found_, line) == found_.end()) found_.push_back(line);
  }

  void follow(const Instruction& i) {
    switch (i.op) {
      case Op::LoadDescriptor: held_[i.destination] = {&program_.descriptors[i.target]}; break;
      case Op::CopyDescriptor: held_[i.destination] = held_[i.source_a]; break;
      case Op::SetColour: held_[i.destination].any_colour = true; break;
      case Op::FetchDescriptor: held_[i.destination] = {}; break;
      default: break;
    }
  }

  bool mentions(const Instruction& i) const {
    const isa::InstructionInfo& row = isa::info(i.op);
    if (row.is_vector()) return vector_mentions(i, row);
    switch (what_) {
      case Mention::Activates: return i.op == Op::Activate && names(i);
      case Mention::Blocks: return i.op == Op::Block && names(i);
      case Mention::Unblocks: return i.op == Op::Unblock && names(i);
      case Mention::ExitsTeardown:
        return i.op == Op::TeardownExit && configured_colour(i, slots_) == number_;
      default: return false;
    }
  }

  bool names(const Instruction& i) const {
    switch (i.scalar_operand()) {
      case isa::ScalarKind::Register: return true;
      case isa::ScalarKind::Immediate: return static_cast<std::uint32_t>(i.immediate()) == number_;
      case isa::ScalarKind::Literal: return program_.literals[i.scalar] == number_;
      case isa::ScalarKind::Slot: return slots_[i.scalar] == number_;
    }
    return false;
  }

  bool vector_mentions(const Instruction& i, const isa::InstructionInfo& row) const {
    if (completes(i)) return true;
    if (i.destination_kind != 0 && destination_mentions(held_[i.destination])) return true;
    const bool second = row.format != isa::Format::Vector1;
    const bool from_a = i.source_a_operand() == isa::SourceKind::Descriptor;
    const bool from_b = second && i.source_b_operand() == isa::SourceKind::Descriptor;
    return (from_a && source_mentions(held_[i.source_a])) ||
           (from_b && source_mentions(held_[i.source_b]));
  }

  bool completes(const Instruction& i) const {
    const std::uint32_t id = i.completes_slot != 0 ? slots_[i.completes] : i.completes;
    if (id != number_) return false;
    const isa::Completion action = i.completion_action();
    return (what_ == Mention::Activates && action == isa::Completion::Activate) ||
           (what_ == Mention::Unblocks && action == isa::Completion::Unblock);
  }

  bool destination_mentions(const Held& held) const {
    if (held.literal == nullptr) return false;
    const isa::DescriptorLiteral& d = *held.literal;
    const bool leaves = d.kind == isa::DescriptorKind::FabricOut && is_colour(held);
    switch (what_) {
      case Mention::Sends: return leaves && !d.options.control;
      case Mention::Controls: return leaves && (d.options.control || d.options.advance);
      case Mention::Pushes: return is_fifo(d) && d.fifo == number_;
      case Mention::Activates: return tells(d) || fifo_activates(d, true);
      default: return input_mentions(held);
    }
  }

  bool source_mentions(const Held& held) const {
    if (held.literal == nullptr) return false;
    const isa::DescriptorLiteral& d = *held.literal;
    switch (what_) {
      case Mention::Pops: return is_fifo(d) && d.fifo == number_;
      case Mention::Activates: return tells(d) || fifo_activates(d, false);
      default: return input_mentions(held);
    }
  }

  bool input_mentions(const Held& held) const {
    const isa::DescriptorLiteral& d = *held.literal;
    if (what_ == Mention::Receives) return isa::receives(d.kind) && is_colour(held);
    return what_ == Mention::Unblocks && tells(d);
  }

  bool is_colour(const Held& held) const {
    return held.any_colour || isa::value_of(held.literal->colour, slots_) == number_;
  }
  static bool is_fifo(const isa::DescriptorLiteral& d) {
    return d.kind == isa::DescriptorKind::Fifo;
  }
  // Its control wavelets activate or unblock the task, as is asked for.
  bool tells(const isa::DescriptorLiteral& d) const {
    const isa::OnControl action = d.options.on_control;
    const bool asked = (what_ == Mention::Activates && action == isa::OnControl::Activate) ||
                       (what_ == Mention::Unblocks && action == isa::OnControl::Unblock);
    return asked && isa::value_of(d.task, slots_) == number_;
  }
  // A push may leave the FIFO not empty, a pop not full.
  bool fifo_activates(const isa::DescriptorLiteral& d, bool pushes) const {
    if (!is_fifo(d)) return false;
    const isa::Fifo& fifo = program_.fifos[d.fifo];
    return (pushes ? fifo.on_leaving_empty : fifo.on_leaving_full) == number_;
  }

  const LoadedProgram& loaded_;
  const isa::Program& program_;
  const std::uint32_t* slots_;
  Mention what_;
  std::uint32_t number_;
  std::array<Held, isa::kDescriptorRegisters> held_{};
  std::vector<isa::SourceLine> found_;
};

// The code words at which instructions begin that may be executed from `entry` on, but for what
// follows a return.
std::vector<bool> reached_from(const LoadedProgram& program, std::uint32_t entry) {
  std::vector<bool> reached(program.code.size(), false);
  std::vector<std::uint32_t> open = {entry};
  while (!open.empty()) {
    const std::uint32_t pc = open.back();
    open.pop_back();
    if (pc >= reached.size() || reached[pc]) continue;
    reached[pc] = true;
    const Instruction& i = program.code[pc];
    const isa::InstructionInfo& row = isa::info(i.op);
    const bool jumps = row.format == isa::Format::Jump;
    const bool ends = i.op == Op::Halt || i.op == Op::EndTask || row.format == isa::Format::Return;
    if (jumps || row.format == isa::Format::Branch || row.format == isa::Format::Call) {
      open.push_back(i.target);
    }
    if (!jumps && !ends) open.push_back(pc + row.words());
  }
  return reached;
}

bool may_move(const Scene& scene, PeId pe, std::uint32_t colour,
              std::vector<isa::SlotValue> isa::ColourUses::* which) {
  const LoadedProgram* program = scene.loaded.program_at(pe);
  if (program == nullptr) return false;
  if (program->chooses_colours) return true;
  const isa::ColourUses uses = isa::colour_uses(*program->program);
  return (isa::colours_of(uses.*which, scene.loaded.slots(pe)) >> colour & 1) != 0;
}

}  // namespace

std::vector<isa::SourceLine> mentions(const Scene& scene, PeId pe, Mention what,
                                      std::uint32_t number) {
  if (scene.loaded.program_at(pe) == nullptr) return {};
  return MentionSearch(scene, pe, what, number).run();
}

bool is_in_task(const Scene& scene, PeId pe, Mention what, std::uint32_t number,
                std::uint32_t task) {
  const LoadedProgram& program = *scene.loaded.program_at(pe);
  const std::vector<bool> reached = reached_from(program, program.program->tasks[task].entry);
  bool found = false;
  MentionSearch(scene, pe, what, number).for_each([&](std::uint32_t pc) { found |= reached[pc]; });
  return found;
}

std::string mentions_text(const Scene& scene, PeId pe, Mention what, std::uint32_t number) {
  const std::vector<isa::SourceLine> lines = mentions(scene, pe, what, number);
  std::string out;
  for (std::size_t k = 0; k < std::min(lines.size(), kShownLines); ++k) {
    const bool same_file = k > 0 && lines[k].file == lines[k - 1].file;
    if (k > 0) out += ", ";
    out += same_file ? fmt::format("{}", lines[k].line) : scene.image.place_text(lines[k]);
  }
  if (lines.size() <= kShownLines) return out;
  const std::size_t more = lines.size() - kShownLines;
  return out + fmt::format(" and {} more line{}", more, more == 1 ? "" : "s");
}

bool may_receive(const Scene& scene, PeId pe, std::uint32_t colour) {
  return may_move(scene, pe, colour, &isa::ColourUses::received);
}

bool may_send(const Scene& scene, PeId pe, std::uint32_t colour) {
  return may_move(scene, pe, colour, &isa::ColourUses::sent);
}

}  // namespace wse::vm
