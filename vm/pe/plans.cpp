// An open hash table.
#include "vm/pe/plans.h"

#include <algorithm>
#include <bit>

#include "isa/support/mutant.h"

namespace wse::vm {
namespace {

// Registers that were changed share copy(descriptor), if there is one.
template <class Copy>
void share_each(isa::DescriptorRegisters& registers, Copy copy) {
  for (std::size_t number = 0; number < isa::kDescriptorRegisters; ++number) {
    if (registers.shared(number) != nullptr) continue;
    isa::Descriptor changed = registers[number];
    if (isa::mutant(isa::Mutant::CohortPosition)) changed.position = 0;
    if (const isa::Descriptor* const shared = copy(changed)) registers.share(number, *shared);
  }
}

}  // namespace

std::size_t Plans::hash(const Key& key) {
  // All of it has 16 bytes or more.
  const auto place = [](const void* at) { return reinterpret_cast<std::uintptr_t>(at) >> 4; };
  const std::uint64_t sum = place(key.program) + key.pc + place(key.d[0]) * 3 +
                            place(key.d[1]) * 5 + place(key.d[2]) * 7 + place(key.d[3]) * 9;
  return static_cast<std::size_t>(sum * 0x9e3779b97f4a7c15u >> 32);
}

std::uint32_t Plans::find_key(const LoadedProgram& program, std::uint32_t pc,
                              const isa::DescriptorRegisters& d, Key& key) {
  const isa::Instruction& i = program.code[pc];
  key.program = &program;
  key.pc = pc;
  std::uint32_t own = 0;
  const auto add = [&](std::size_t k, bool is_descriptor, std::uint32_t number) {
    if (!is_descriptor) return;
    key.d[k] = &d[number];
    if (!d.all_shared(1u << number)) own |= 1u << k;
  };
  add(0, i.destination_kind != 0, i.destination);
  add(1, i.source_a_operand() == isa::SourceKind::Descriptor, i.source_a);
  add(2, i.source_b_operand() == isa::SourceKind::Descriptor, i.source_b);
  add(3, i.mapped != 0, i.scalar);
  return own;
}

template <class Copies>
bool Plans::put_copies(Key& key, std::uint32_t own, Copies copies) {
  for (; own != 0; own &= own - 1) {
    const isa::Descriptor*& d = key.d[static_cast<std::size_t>(std::countr_zero(own))];
    d = copies(*d);
    if (d == nullptr) return false;
  }
  return true;
}

const Plans::Entry& Plans::find(const Key& key) const {
  const std::size_t mask = entries_.size() - 1;
  for (std::size_t k = hash(key) & mask;; k = (k + 1) & mask) {
    const Entry& entry = entries_[k];
    if (entry.plan == nullptr || entry.key == key) return entry;
  }
}

void Plans::keep(const Key& key, const Plan& plan) {
  const auto put = [this](const Entry& entry) {
    entries_[static_cast<std::size_t>(&find(entry.key) - entries_.data())] = entry;
  };
  put({key, &plan});
  if (2 * ++kept_ <= entries_.size()) return;
  std::vector<Entry> old(2 * entries_.size());
  old.swap(entries_);
  for (const Entry& entry : old) {
    if (entry.plan != nullptr) put(entry);
  }
}

const Plan* Plans::look_up(const LoadedProgram& program, std::uint32_t pc,
                           const isa::DescriptorRegisters* registers) {
  Key key;
  const std::uint32_t own = find_key(program, pc, registers != nullptr ? *registers : none_, key);
  const auto copy = [this](const isa::Descriptor& d) { return copies_.find(d); };
  if (!put_copies(key, own, copy)) return nullptr;
  const Plan* const plan = find(key).plan;
  if (plan != nullptr && !plan->is_mapped()) remember(key, *plan);
  return plan;
}

void Plans::remember(const Key& key, const Plan& plan) {
  const isa::Instruction& i = key.program->code[key.pc];
  const std::uint32_t numbers[] = {i.destination, i.source_a, i.source_b};
  const auto first = static_cast<std::size_t>(
      std::ranges::find_if(key.d, [](const auto* d) { return d != nullptr; }) - key.d.begin());
  if (first >= std::size(numbers)) return;  // names none
  std::array<Recent, kWays>& last = recent_[key.pc % kRecent];
  last[1] = last[0];
  Recent& recent = last[0];
  recent = {.program = key.program, .plan = &plan, .pc = key.pc};
  for (std::size_t k = 0; k < std::size(numbers); ++k) {
    const std::size_t from = key.d[k] != nullptr ? k : first;
    recent.d[k] = key.d[from];
    recent.number[k] = static_cast<std::uint8_t>(numbers[from]);
  }
}

const Plan* Plans::plan(const LoadedProgram& program, std::uint32_t pc,
                        const isa::DescriptorRegisters* registers, std::span<const FifoEnds> fifos,
                        Plan*& own, std::optional<Complaint>& complaint) {
  const Plan* const plan = known(program, pc, registers);
  return plan != nullptr ? plan : make(program, pc, registers, fifos, own, complaint);
}

const Plan* Plans::make(const LoadedProgram& program, std::uint32_t pc,
                        const isa::DescriptorRegisters* registers, std::span<const FifoEnds> fifos,
                        Plan*& own, std::optional<Complaint>& complaint) {
  const isa::DescriptorRegisters& d = registers != nullptr ? *registers : none_;
  Plan* const made = pool_.take();
  complaint = planner_.make(program, pc, d, fifos, *made);
  if (complaint) {
    pool_.give_back(made);
    return nullptr;
  }
  Key key;
  const std::uint32_t changed = find_key(program, pc, d, key);
  const auto copy = [this](const isa::Descriptor& one) { return copies_.keep(one); };
  const bool full = kept_ >= (changed != 0 ? kMostChanged : kMost);
  if (made->has_fifos || full || !put_copies(key, changed, copy)) {
    own = made;
  } else {
    keep(key, *made);
  }
  return made;
}

void Plans::share_copies(isa::DescriptorRegisters& registers) const {
  share_each(registers, [this](const isa::Descriptor& d) { return copies_.find(d); });
}

void Plans::make_and_share_copies(isa::DescriptorRegisters& registers) {
  share_each(registers, [this](const isa::Descriptor& d) { return copies_.keep(d); });
}

}  // namespace wse::vm
