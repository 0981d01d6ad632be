// Finds regions: a walk along what may follow each instruction.
#include "jit/region.h"

#include <algorithm>
#include <array>
#include <bit>
#include <deque>

#include "isa/support/mutant.h"
#include "vm/pe/scalar_step.h"

namespace wse::jit {
namespace {

using isa::Format;

constexpr bool kAlwaysStops[] = {
#define INSTRUCTION(name, ...) isa::semantics::always_stops<isa::Op::name>(),
#include "isa/instruction/instructions.def"
#undef INSTRUCTION
};

// Always, or unless it can be passed.
bool may_stop(const isa::Instruction& i) { return kAlwaysStops[static_cast<int>(i.op)]; }

std::uint32_t after(const isa::Instruction& i, std::uint32_t pc) {
  return pc + isa::info(i.op).words();
}

bool jumps(Format format) {
  return format == Format::Branch || format == Format::Jump || format == Format::Call;
}

// Its place in the region is where it stops.
bool ends_there(const RegionCode& code, std::uint32_t pc) {
  return always_stops(code.words[pc]) || code.starts[pc] == Start::Stops;
}

// Returns the places that may follow where it ends in Step::Next.
std::vector<std::uint32_t> followers(const RegionCode& code, std::uint32_t pc) {
  const isa::Instruction& i = code.words[pc];
  const Format format = isa::info(i.op).format;
  std::vector<std::uint32_t> next;
  if (jumps(format)) next.push_back(i.target);
  const bool goes_on = format != Format::Jump && format != Format::Call &&
                       format != Format::Return && !ends_there(code, pc);
  if (goes_on && (next.empty() || next.front() != after(i, pc))) next.push_back(after(i, pc));
  return next;
}

// Where the walk continues; after a stop point the next stretch begins.
std::vector<std::uint32_t> reached(const RegionCode& code, std::uint32_t pc) {
  const isa::Instruction& i = code.words[pc];
  std::vector<std::uint32_t> pcs = followers(code, pc);
  const bool calls = isa::info(i.op).format == Format::Call;
  if (calls || ends_there(code, pc)) pcs.push_back(after(i, pc));
  return pcs;
}

// Calls visit(pc) for all that is reached from there, `start` itself if execution comes again;
// nothing is reached from where it says no.
template <class Visit>
void walk(const RegionCode& code, std::uint32_t start, Visit visit) {
  std::vector<std::uint8_t> seen(code.words.size());
  std::deque<std::uint32_t> open = {start};
  while (!open.empty()) {
    const std::uint32_t pc = open.front();
    open.pop_front();
    for (const std::uint32_t next : reached(code, pc)) {
      if (next >= seen.size() || code.begins[next] == 0 || seen[next] != 0) continue;
      seen[next] = 1;
      if (visit(next)) open.push_back(next);
    }
  }
}

// Whether execution that begins at `pc` goes round there, and never comes to `start`. No more is
// looked at than a region has: what reaches further may come anywhere.
bool is_loop_of_its_own(const RegionCode& code, std::uint32_t pc, std::uint32_t start) {
  bool again = false;
  bool may_come_back = false;
  std::size_t seen = 0;
  walk(code, pc, [&](std::uint32_t next) {
    again |= next == pc;
    may_come_back |= next == start || ++seen > kMostInstructions;
    return !may_come_back;
  });
  return again && !may_come_back;
}

// Steps until the next check, for each from the last to the first: what jumps back leads to one.
void count_steps(Region& region) {
  std::vector<std::uint32_t> steps(region.instructions.size());
  for (std::size_t k = region.instructions.size(); k-- > 0;) {
    RegionInstruction& member = region.instructions[k];
    std::uint32_t longest = 0;
    for (const std::uint32_t pc : member.next) {
      const RegionInstruction* const to = region.find(pc);
      if (to == nullptr || to->is_entry) continue;
      // A jump back to no entry leads to a stop point.
      const auto at = static_cast<std::size_t>(to - region.instructions.data());
      longest = std::max(longest, to->pc <= member.pc ? 1 : steps[at]);
    }
    steps[k] = 1 + longest;
    if (member.is_entry) member.most = isa::mutant(isa::Mutant::RegionBudget) ? 1 : steps[k];
  }
}

// Whether there is an instruction from which it need not leave: a jump back makes no loop if each
// way round leads through a stop point.
bool finds_loop(const Region& region) {
  std::vector<std::uint8_t> leaves(region.instructions.size());
  const auto left_by = [&](std::uint32_t pc) {
    const RegionInstruction* const to = region.find(pc);
    return to == nullptr || leaves[static_cast<std::size_t>(to - region.instructions.data())] != 0;
  };
  for (bool more = true; more;) {
    more = false;
    for (std::size_t k = leaves.size(); k-- > 0;) {
      const RegionInstruction& member = region.instructions[k];
      if (leaves[k] != 0 || member.returns || !std::ranges::all_of(member.next, left_by)) continue;
      leaves[k] = 1;
      more = true;
    }
  }
  return std::ranges::find(leaves, 0) != leaves.end();
}

}  // namespace

bool always_stops(const isa::Instruction& i) { return may_stop(i) && !vm::may_be_passed(i); }

std::vector<Start> guess_starts(std::span<const isa::Instruction> code,
                                std::span<const std::uint8_t> begins,
                                std::span<const isa::DescriptorLiteral> literals) {
  std::vector<Start> starts(code.size(), Start::Unknown);
  std::array<Start, isa::kDescriptorRegisters> loaded = {};
  for (std::uint32_t pc = 0; pc < code.size(); ++pc) {
    if (begins[pc] == 0) continue;
    const isa::Instruction& i = code[pc];
    if (isa::info(i.op).format == Format::LoadDescriptor) {
      const isa::DescriptorLiteral& literal = literals[i.target];
      loaded[i.destination] =
          is_memory(literal.kind) && !literal.saves ? Start::Passes : Start::Stops;
    } else if (vm::writes_descriptor(isa::info(i.op).format)) {
      loaded[i.destination] = Start::Stops;
    } else if (isa::info(i.op).is_vector()) {
      if (i.asynchronous != 0) starts[pc] = Start::Stops;
      for (std::uint32_t set = vm::descriptor_registers(i); set != 0; set &= set - 1) {
        starts[pc] = std::max(starts[pc], loaded[static_cast<std::size_t>(std::countr_zero(set))]);
      }
    }
  }
  return starts;
}

std::vector<std::uint8_t> region_heads(const RegionCode& code) {
  std::vector<std::uint8_t> heads(code.words.size());
  const auto mark = [&](std::uint32_t pc) {
    if (pc < heads.size() && code.begins[pc] != 0 && !ends_there(code, pc)) heads[pc] = 1;
  };
  for (std::uint32_t pc = 0; pc < heads.size(); ++pc) {
    if (code.begins[pc] == 0) continue;
    const isa::Instruction& i = code.words[pc];
    const Format format = isa::info(i.op).format;
    if (jumps(format) && i.target <= pc) mark(i.target);
    const bool stops = may_stop(i) && code.starts[pc] != Start::Passes;
    if (format == Format::Call || stops) mark(after(i, pc));
  }
  return heads;
}

namespace {

// The part of an instruction in the bound of a region with a loop, where its meaning is inlined:
// as many scalar ones are as long.
std::size_t weight_of(const RegionCode& code, std::uint32_t pc) {
  const isa::Instruction& i = code.words[pc];
  if (code.starts[pc] == Start::Stops) return 1;
  if (isa::info(i.op).is_vector()) return kStartWeight;
  return vm::uses_descriptor(isa::info(i.op).format) ? kDescriptorWeight : 1;
}

// Finds what is reached from there, until the weights of all come to the bound.
template <class Weight>
Region region_within(const RegionCode& code, std::span<const std::uint8_t> heads,
                     std::span<const std::uint8_t> native, std::uint32_t start, Weight weight) {
  Region region{.start = start, .instructions = {}};
  std::size_t sum = weight(start);
  const auto add = [&](std::uint32_t pc) {
    const isa::Instruction& i = code.words[pc];
    region.instructions.push_back({.pc = pc,
                                   .instruction = i,
                                   .next = followers(code, pc),
                                   .returns = isa::info(i.op).format == Format::Return,
                                   .is_entry = pc == start || heads[pc] != 0,
                                   .expects_stop = code.starts[pc] == Start::Stops});
  };
  add(start);
  walk(code, start, [&](std::uint32_t pc) {
    if (pc == start || sum + weight(pc) > kMostInstructions) return false;
    if (native[pc] != 0 && is_loop_of_its_own(code, pc, start)) return false;
    sum += weight(pc);
    add(pc);
    return true;
  });
  std::ranges::sort(region.instructions, {}, &RegionInstruction::pc);
  count_steps(region);
  region.has_loop = finds_loop(region);
  return region;
}

}  // namespace

Region find_region(const RegionCode& code, std::span<const std::uint8_t> heads,
                   std::span<const std::uint8_t> native, std::uint32_t start) {
  const auto one = [](std::uint32_t) -> std::size_t { return 1; };
  Region region = region_within(code, heads, native, start, one);
  const auto weight = [&code](std::uint32_t pc) { return weight_of(code, pc); };
  return region.has_loop ? region_within(code, heads, native, start, weight) : region;
}

}  // namespace wse::jit
