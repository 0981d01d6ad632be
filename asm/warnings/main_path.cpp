// Instruction by instruction, with a bit for every register whose value is known.
#include "asm/warnings/main_path.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "isa/instruction/codec.h"
#include "isa/semantics/execute.h"

namespace wse::assembler {
namespace {

using isa::Format;
using isa::Instruction;
using isa::InstructionInfo;
using isa::Op;

using Executor = isa::Step (*)(isa::ScalarState&, const Instruction&, const isa::CostTable&);

// By Op; vector rows end at once, at their stop point.
constexpr Executor kExecutors[] = {
#define INSTRUCTION(name, ...) isa::execute<Op::name>,
#include "isa/instruction/instructions.def"
#undef INSTRUCTION
};

constexpr std::uint32_t kAll = ~0u;

// Whether its result follows from registers, literals and slots alone.
constexpr bool is_followed(Format format) {
  switch (format) {
    case Format::Reg2:
    case Format::Reg3:
    case Format::Reg4:
    case Format::Branch:
    case Format::Jump:
    case Format::Call:
    case Format::Return:
    case Format::LoadDescriptor:
    case Format::DescriptorCopy:
    case Format::DescriptorSet: return true;
    default: return false;
  }
}

constexpr bool goes_elsewhere(Format format) {
  return format == Format::Branch || format == Format::Return;
}

std::optional<std::uint64_t> total_of(const std::vector<WordUse>& uses, std::uint32_t may_be_more,
                                      std::uint32_t colour) {
  if ((may_be_more >> colour & 1) != 0) return std::nullopt;
  const auto found = std::ranges::find(uses, colour, &WordUse::colour);
  return found == uses.end() ? 0 : found->words;
}

class Follower {
 public:
  Follower(const isa::Program& program, const std::uint32_t* slots, std::size_t& steps)
      : program_(program), steps_(steps), begins_(program.code.size(), 1) {
    descriptors_at_.reserve(program.descriptors.size());
    for (const isa::DescriptorLiteral& literal : program.descriptors) {
      descriptors_at_.push_back(isa::resolve(literal, slots));
      places_.push_back(&descriptors_at_.back());
    }
    // A return into the middle of an instruction traps in a run; what is followed then is no
    // matter.
    view_ = {.literals = program.literals.data(),
             .slots = slots,
             .descriptors = places_.data(),
             .begins = begins_.data(),
             .code_words = static_cast<std::uint32_t>(program.code.size())};
    state_.view = &view_;
    state_.d = &d_;
  }

  MainPath run() {
    const auto main = std::ranges::find(program_.tasks, isa::TaskKind::Main, &isa::Task::kind);
    if (main == program_.tasks.end()) return {};
    state_.pc = main->entry;
    path_.may_receive_more = path_.may_send_more = 0;
    while (step()) {
    }
    // Other tasks are not followed.
    path_.has_main_only = program_.has_main_only();
    if (!ended_) add_unknown(kAll, kAll);
    if (!path_.has_main_only) path_.may_receive_more = path_.may_send_more = kAll;
    return std::move(path_);
  }

 private:
  // False where main ends, or where nothing more is certain.
  bool step() {
    if (steps_ == 0 || state_.pc >= program_.code.size()) return false;
    --steps_;
    const auto instruction = isa::decode(std::span(program_.code).subspan(state_.pc));
    if (!instruction) return false;
    const InstructionInfo& row = isa::info(instruction->op);
    if (instruction->op == Op::Halt || instruction->op == Op::EndTask) {
      ended_ = true;
      return false;
    }
    if (row.is_vector()) return follow_vector(*instruction, row);
    if (is_followed(row.format) && knows_inputs(*instruction, row)) {
      learn_outputs(*instruction, row);
      return kExecutors[static_cast<std::size_t>(row.op)](state_, *instruction, costs_) ==
             isa::Step::Next;
    }
    if (goes_elsewhere(row.format)) return false;
    forget_outputs(*instruction, row);
    state_.pc += row.words();
    return true;
  }

  bool knows(std::uint32_t registers, std::uint32_t number) const {
    return (registers >> number & 1) != 0;
  }

  bool knows_inputs(const Instruction& i, const InstructionInfo& row) const {
    const bool sets = row.format == Format::DescriptorSet;
    return std::ranges::all_of(isa::info(row.format).operands, [&](char letter) {
      switch (letter) {
        case 'a': return knows(registers_, i.source_a);
        case 'b': return knows(registers_, i.source_b);
        case 'S':
          return i.scalar_operand() != isa::ScalarKind::Register || knows(registers_, i.scalar);
        case 'F': return knows(descriptors_, i.source_a);
        case 'E': return !sets || knows(descriptors_, i.destination);
        default: return true;
      }
    });
  }

  void learn_outputs(const Instruction& i, const InstructionInfo& row) {
    mark_outputs(i, row, true);
  }
  void forget_outputs(const Instruction& i, const InstructionInfo& row) {
    mark_outputs(i, row, false);
  }
  void mark_outputs(const Instruction& i, const InstructionInfo& row, bool known) {
    const std::string_view letters = isa::info(row.format).operands;
    if (letters.starts_with('d')) mark(registers_, i.destination, known);
    if (letters.starts_with('E')) mark(descriptors_, i.destination, known);
  }
  static void mark(std::uint32_t& registers, std::uint32_t number, bool known) {
    registers = known ? registers | 1u << number : registers & ~(1u << number);
  }

  // The descriptors of its operands: the first source, the second one, the destination.
  bool follow_vector(const Instruction& i, const InstructionInfo& row) {
    std::vector<const isa::Descriptor*> operands;
    bool known = true;
    const auto add = [&](std::uint32_t number) {
      known &= knows(descriptors_, number);
      operands.push_back(&d_[number]);
    };
    if (i.source_a_operand() == isa::SourceKind::Descriptor) add(i.source_a);
    if (i.source_b_operand() == isa::SourceKind::Descriptor) add(i.source_b);
    if (i.destination_kind != 0) {
      add(i.destination);
    } else {
      mark(registers_, i.destination, false);
    }
    if (!known) {
      add_unknown(kAll, kAll);
    } else if (!count_words(operands, i.asynchronous != 0)) {
      return false;  // it traps
    }
    state_.pc += row.words();
    return true;
  }

  // From here on it may move any number of words of these colours.
  void add_unknown(std::uint32_t received, std::uint32_t sent) {
    path_.may_receive_more |= received;
    path_.may_send_more |= sent;
    path_.steps.push_back({.pc = state_.pc, .may_receive = received, .may_send = sent});
  }

  bool count_words(const std::vector<const isa::Descriptor*>& operands, bool asynchronous) {
    const auto has = [&operands](auto property) {
      return std::ranges::any_of(operands,
                                 [property](const isa::Descriptor* d) { return property(*d); });
    };
    if (has([](const auto& d) { return d.kind == isa::DescriptorKind::None; })) return false;
    const std::optional<std::uint32_t> length = length_of(operands);
    if (!length) return false;
    const bool pushes = has([](const auto& d) { return d.kind == isa::DescriptorKind::Fifo; });
    const bool terminates =
        has([](const auto& d) { return d.options.on_control == isa::OnControl::Terminate; });
    const bool certain = !pushes && !terminates && !unbounded_;
    FabricStep made{.pc = state_.pc, .elements = *length, .asynchronous = asynchronous};
    for (const isa::Descriptor* d : operands) {
      if (!isa::has_colour(d->kind) || d->colour >= isa::kMaxColours) continue;
      const bool waits = certain ? *length > 0 : terminates && !pushes && *length > 0;
      count(*d, certain ? *length : 0, certain, waits);
      made.operands.push_back(
          {.colour = d->colour, .receives = isa::receives(d->kind), .packed = d->options.packed});
      (isa::receives(d->kind) ? made.may_receive : made.may_send) |= 1u << d->colour;
    }
    if (made.operands.empty()) return true;
    if (certain) {
      made.may_receive = made.may_send = 0;
    } else {
      made.operands.clear();
    }
    path_.steps.push_back(std::move(made));
    return true;
  }

  // Returns the length by the rule of the machine. FIFOs have none; nothing if no operand has one.
  std::optional<std::uint32_t> length_of(const std::vector<const isa::Descriptor*>& operands) {
    std::size_t waiting = 0;
    unbounded_ = false;
    for (const isa::Descriptor* d : operands) {
      waiting += isa::is_memory(d->kind) ? 0 : 1;
      if (!isa::has_length(d->kind) || !d->bounds_instruction()) continue;
      unbounded_ = d->is_unbounded();
      if (unbounded_) return 1;  // at least, for it waits
      if (d->length > isa::kMaxLength) return std::nullopt;
      return d->length;
    }
    return waiting > 1 ? std::nullopt : std::optional(1u);
  }

  void count(const isa::Descriptor& d, std::uint64_t elements, bool certain, bool waits) {
    const bool receives = isa::receives(d.kind);
    const std::uint32_t bit = 1u << d.colour;
    if (d.options.control) path_.controls |= bit;
    if (!certain || d.options.control) {
      (receives ? path_.may_receive_more : path_.may_send_more) |= bit;
    }
    if (!waits || d.options.control) return;
    std::vector<WordUse>& uses = receives ? path_.received : path_.sent;
    auto use = std::ranges::find(uses, d.colour, &WordUse::colour);
    if (use == uses.end()) use = uses.insert(use, {.colour = d.colour, .pc = state_.pc});
    use->words += d.options.packed ? (elements + 1) / 2 : elements;
  }

  const isa::Program& program_;
  std::size_t& steps_;
  std::vector<std::uint8_t> begins_;
  std::vector<isa::Descriptor> descriptors_at_;  // by literal
  std::vector<const isa::Descriptor*> places_;   // theirs
  isa::ProgramView view_;
  isa::DescriptorRegisters d_;
  isa::ScalarState state_;
  const isa::CostTable costs_{isa::Profile{}};  // time is unknown, so nothing need cost any
  std::uint32_t registers_ = kAll;              // those that are known: at first all are 0
  std::uint32_t descriptors_ = kAll;
  bool unbounded_ = false;  // the present instruction has no bound
  bool ended_ = false;      // main was followed to its end
  MainPath path_;
};

}  // namespace

std::optional<std::uint64_t> MainPath::all_received(std::uint32_t colour) const {
  return total_of(received, may_receive_more, colour);
}

std::optional<std::uint64_t> MainPath::all_sent(std::uint32_t colour) const {
  return total_of(sent, may_send_more, colour);
}

MainPath follow_main(const isa::Program& program, const std::uint32_t* slots, std::size_t& steps) {
  return Follower(program, slots, steps).run();
}

}  // namespace wse::assembler
