// Succession: how long a vector instruction of the main thread waits for the one before it, on
// machines where that need not have finished.
#include <algorithm>

#include "tests/oracle/descriptors.h"
#include "tests/oracle/processor.h"

namespace wse::oracle {

// True if nothing waits for its finish: neither a register nor a FIFO tells of it.
bool Processor::goes_on(const Flight& flight) const {
  const bool has_fifo = std::ranges::any_of(flight.operands(), [](const Operand* operand) {
    return operand->kind == Operand::Kind::Fifo;
  });
  return profile_.vector_overlap == 1 && flight.thread() == 0 && !has_fifo &&
         flight.destination.kind != Operand::Kind::Register;
}

bool Processor::is_ordered(const Flight& flight) {
  return !flight.scalars && !flight.is_unbounded() &&
         std::ranges::none_of(flight.operands(), [](const Operand* operand) {
           return operand->kind == Operand::Kind::Indexed;
         });
}

bool Processor::drains(Cycle now) const {
  return std::ranges::any_of(drain_from_, [&](Cycle from) {
    return from <= now && now < from + profile_.vector_drain_cycles;
  });
}

// Notes that no element issues from `end` on.
void Processor::end_issues(Flight& flight, Cycle end) {
  flight.finish = end + profile_.vector_drain_cycles;
  if (profile_.vector_overlap == 0 || flight.thread() != 0) return;
  drained_ = std::max(drained_, *flight.finish);
  former_.reset();
  if (!goes_on(flight)) return;
  drain_from_.push_back(end);
  flight.finish = end;
  const Operand& to = flight.destination;
  const Words written = flight.words_of(to);
  if (flight.done == 0 || written.empty()) return;
  const std::uint64_t each = flight.scalars ? flight.per_scalar : flight.done;
  const std::uint64_t times = flight.done / each;
  const Cycle issues = times * ((each + flight.rate - 1) / flight.rate) * flight.issue_cycles +
                       (times - 1) * profile_.map_gap_cycles;
  Former former{.written = written,
                .ordered = is_ordered(flight),
                .addresses = {},
                .bytes = to.bytes,
                .same_from = end - issues + profile_.vector_latency_cycles,
                .others_from = end - 1 + profile_.vector_latency_cycles};
  for (std::uint64_t k = 0; former.ordered && k < flight.length; ++k) {
    former.addresses.push_back(address_of(to.descriptor, k, to.bytes));
  }
  former_ = std::move(former);
}

// Returns the first cycle in which an instruction that starts now may issue.
Cycle Processor::first_issue(const Flight& flight, Cycle now) const {
  if (profile_.vector_overlap == 0) return now + profile_.vector_start_cycles;
  Cycle from = std::max(now, settled_);
  if (!former_) return from;
  std::vector<const Operand*> operands = flight.operands();
  if (flight.scalars) operands.push_back(&*flight.scalars);
  const bool ordered = former_->ordered && is_ordered(flight);
  for (const Operand* operand : operands) {
    const bool meet = std::ranges::any_of(flight.words_of(*operand), [this](std::uint32_t word) {
      return former_->written.contains(word);
    });
    if (!meet) continue;
    bool same =
        ordered && operand->bytes == former_->bytes && flight.length == former_->addresses.size();
    for (std::uint64_t k = 0; same && k < flight.length; ++k) {
      same = address_of(operand->descriptor, k, operand->bytes) == former_->addresses[k];
    }
    from = std::max(from, same ? former_->same_from : former_->others_from);
  }
  return from;
}

bool Processor::sees_finish(const isa::InstructionInfo& row) {
  switch (row.format) {
    case isa::Format::Load:
    case isa::Format::LoadIndexed:
    case isa::Format::Store:
    case isa::Format::StoreIndexed:
    case isa::Format::DescriptorLoad:
    case isa::Format::DescriptorStore: return true;
    default: return row.mnemonic == "tsc" || row.mnemonic == "tsch" || row.mnemonic == "getleft";
  }
}

}  // namespace wse::oracle
