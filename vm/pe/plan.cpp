// From an instruction and its descriptors to what a start needs to know.
#include "vm/pe/plan.h"

#include <algorithm>

#include "isa/support/mutant.h"
#include "vm/pe/checks.h"
#include "vm/pe/rates.h"

namespace wse::vm {
namespace {

// Fills in what is taken from operand k, in the order of the inputs.
void add_input(Flow& flow, std::size_t k, const Operand& operand) {
  const isa::Descriptor& d = operand.descriptor;
  if (operand.is_fifo() && k != kDestinationIndex) flow.fifo_in[k] = d.fifo;
  if (!operand.receives()) return;
  flow.in[k] = d.colour;
  flow.on_control[k] = d.options.on_control;
  flow.controllable |= d.options.on_control != isa::OnControl::Leave;
  flow.named |= operand.is_indexed();
  flow.at_once |= operand.is_indexed();
  if (k != kDestinationIndex) flow.packed_in[k] = d.options.packed;
}

// All but length and rate.
void fill_flow(const Operands& operands, bool on_main_thread, Flow& flow) {
  for (std::size_t k = 0; k < kInputs; ++k) add_input(flow, k, *operands.in_order()[k]);
  const Operand& to = operands.destination;
  if (to.is_fifo()) flow.fifo_out = to.descriptor.fifo;
  flow.may_end_early = flow.has_fifo() && on_main_thread;
  flow.at_once |= flow.has_fifo();
  if (to.kind != Operand::Kind::FabricOut) return;
  flow.out = to.descriptor.colour;
  flow.packed_out = to.descriptor.options.packed;
  flow.control = to.descriptor.options.control;
  flow.advance = to.descriptor.options.advance;
}

// The colours of the operands of which `is` holds.
template <class Is>
std::uint32_t colours(const Operands& operands, Is is) {
  std::uint32_t set = 0;
  for (const Operand* operand : operands.all()) {
    if (is(*operand)) set |= 1u << operand->descriptor.colour;
  }
  return set;
}

// True unless no byte of one lies between the bytes of the other.
bool may_meet(const WordSet& a, const WordSet& b) {
  return !a.empty() && !b.empty() && a.low() < b.high() && b.low() < a.high();
}

// Where a register or a FIFO tells of its end, the thread waits for that.
bool tells_of_its_end(const Plan& plan) {
  return plan.has_fifos || plan.operands.destination.kind == Operand::Kind::Register;
}

}  // namespace

bool may_clash(const Plan& one, const Plan& other) {
  return one.thread == other.thread || (one.sends & other.sends) != 0 ||
         (one.receives & other.receives) != 0 || (one.has_fifos && other.has_fifos) ||
         may_meet(one.writes, other.writes) || may_meet(one.writes, other.reads[0]) ||
         may_meet(one.writes, other.reads[1]) || may_meet(one.writes, other.reads[2]) ||
         may_meet(one.reads[0], other.writes) || may_meet(one.reads[1], other.writes) ||
         may_meet(one.reads[2], other.writes);
}

void Plan::count_issues() {
  const std::uint64_t group = is_mapped() ? flow.group : flow.length;
  issues = groups() * ((group + flow.elements_per_issue - 1) / flow.elements_per_issue);
  issue_cycles = issues * flow.cycles_per_issue + (groups() - 1) * flow.gap_cycles;
}

std::uint64_t Plan::elements_in(std::uint64_t cycles) const {
  const std::uint64_t group = is_mapped() ? flow.group : flow.length;
  const std::uint64_t begun = (cycles % turn() + flow.cycles_per_issue - 1) / flow.cycles_per_issue;
  return cycles / turn() * group + std::min(group, begun * flow.elements_per_issue);
}

std::uint64_t Plan::stalls_before(std::uint64_t cycles) const {
  if (!is_mapped()) {
    return std::min(stalls(), cycles * (flow.cycles_per_issue - 1) / flow.cycles_per_issue);
  }
  const std::uint64_t of_turn = issues / groups() * (flow.cycles_per_issue - 1);
  return cycles / turn() * of_turn +
         std::min(of_turn, cycles % turn() * (flow.cycles_per_issue - 1) / flow.cycles_per_issue);
}

bool Plan::can_be_passed() const {
  return is_steady() && is_even() && saved == 0 && !clashes_with_itself;
}

std::uint32_t start_cycles(const isa::Profile& profile) {
  return profile.vector_overlap != 0 ? 0 : profile.vector_start_cycles;
}

std::uint32_t drain_cycles(const isa::Profile& profile) {
  return isa::mutant(isa::Mutant::DrainMissing) ? 0 : profile.vector_drain_cycles;
}

Passage Planner::passage_of(const Plan& plan) const {
  Passage passage;
  const std::uint64_t first_issue = start_cycles(profile_);
  passage.price = {.cycles = first_issue + plan.issue_cycles + plan.drain,
                   .elements = plan.length(),
                   .flops = plan.length() * plan.flow.flops,
                   .stalls = plan.stalls(),
                   .first_issue = first_issue};
  passage.first_written = static_cast<std::uint32_t>(plan.writes.low());
  passage.written = static_cast<std::uint32_t>(plan.writes.high() - plan.writes.low());
  const WordSet* const words[] = {&plan.writes, &plan.reads[0], &plan.reads[1]};
  passage.registers = plan.operands.descriptor_registers();
  passage.is_linear = !plan.is_mapped();
  for (std::size_t k = 0; k < std::size(words); ++k) {
    if (!plan.operands.all()[k]->is_memory()) continue;
    const ElementRun run = words[k]->path().run_at(0);
    passage.range[k] = {run.first, run.step};
    passage.is_linear &= run.count >= plan.length();
  }
  return passage;
}

std::optional<Complaint> Planner::make(const LoadedProgram& program, std::uint32_t pc,
                                       const isa::DescriptorRegisters& d,
                                       std::span<const FifoEnds> fifos, Plan& plan) const {
  const isa::Instruction& instruction = program.code[pc];
  const isa::InstructionInfo& row = isa::info(instruction.op);
  plan.op = instruction.op;
  plan.pc = pc;
  plan.thread = instruction.asynchronous != 0 ? 1 + instruction.microthread : kMainThread;
  plan.completion = instruction.completion_action();
  plan.function = executor_.range(instruction.op);
  plan.operands = operands_of(d, instruction);
  Operands& operands = plan.operands;
  plan.saved = operands.saved_registers();
  plan.controls =
      colours(operands, [](const Operand& o) { return o.on_control() != isa::OnControl::Leave; });
  plan.receives = colours(operands, [](const Operand& o) { return o.receives(); });
  plan.sends =
      colours(operands, [](const Operand& o) { return o.kind == Operand::Kind::FabricOut; });
  for (std::size_t k = 0; k < operands.all().size(); ++k) {
    const Operand& operand = *operands.all()[k];
    const bool has_words = operand.is_fabric() && !operand.descriptor.options.control;
    if (has_words) plan.word_operands |= 1u << k;
  }
  plan.has_fifos = std::ranges::any_of(operands.all(), &Operand::is_fifo);
  plan.has_indices = std::ranges::any_of(operands.all(), &Operand::is_indexed);
  if (auto failed = place_fifos(operands, row, *program.program, fifos)) {
    return Complaint{isa::Trap::BadDescriptor, std::move(*failed)};
  }
  if (auto complaint = check_operands(plan, program.data_bytes)) return complaint;
  if (auto complaint = check_inputs(operands, profile_)) return complaint;
  plan.ends_quietly = plan.thread != kMainThread && plan.sends != 0 && plan.receives == 0 &&
                      plan.saved == 0 && !plan.has_fifos &&
                      plan.completion == isa::Completion::None;
  plan.clears_destination = row.result_bytes() == 2 && !operands.destination.is_memory();
  plan.clashes_with_itself = clashes_with_itself(plan, *program.program);
  fill_flow(operands, plan.thread == kMainThread, plan.flow);
  plan.flow.flops = row.flops;
  plan.is_followed = profile_.vector_overlap != 0 && plan.thread == kMainThread;
  plan.goes_on = plan.is_followed && !tells_of_its_end(plan);
  (plan.goes_on ? plan.later_drain : plan.drain) = drain_cycles(profile_);
  plan.latency = isa::mutant(isa::Mutant::NoLatency) ? 0 : profile_.vector_latency_cycles;
  if (plan.flow.length == 0) return std::nullopt;
  const Rate rate = rate_of(profile_, costs_.of(row.cost).simd, row, operands);
  plan.flow.elements_per_issue = rate.elements_per_issue;
  plan.flow.cycles_per_issue = rate.cycles_per_issue;
  plan.flow.gap_cycles =
      isa::mutant(isa::Mutant::MapGap) || !plan.is_mapped() ? 0 : profile_.map_gap_cycles;
  plan.flow.set_course();
  plan.count_issues();
  if (profile_.noop_share == 0 && plan.can_be_passed()) plan.passage = passage_of(plan);
  return std::nullopt;
}

}  // namespace wse::vm
