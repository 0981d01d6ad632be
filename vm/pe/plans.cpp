// An open hash table.
#include "vm/pe/plans.h"

namespace wse::vm {

std::size_t Plans::hash(const Key& key) {
  // Descriptors and programs lie apart by more than 16 bytes.
  std::uint64_t sum = (reinterpret_cast<std::uintptr_t>(key.program) >> 4) + key.pc;
  for (const isa::Descriptor* d : key.d) {
    sum = sum * 0x9e3779b97f4a7c15u + (reinterpret_cast<std::uintptr_t>(d) >> 4);
  }
  return static_cast<std::size_t>(sum * 0x9e3779b97f4a7c15u >> 32);
}

std::optional<Plans::Key> Plans::key_of(const LoadedProgram& program, std::uint32_t pc,
                                        const isa::DescriptorRegisters& d) {
  const isa::Instruction& i = program.code[pc];
  Key key{.program = &program, .pc = pc};
  bool shared = true;
  const auto add = [&](std::size_t k, bool is_descriptor, std::uint32_t number) {
    if (!is_descriptor) return;
    key.d[k] = d.shared(number);
    shared &= key.d[k] != nullptr && key.d[k]->kind != isa::DescriptorKind::Fifo;
  };
  add(0, i.destination_kind != 0, i.destination);
  add(1, i.source_a_operand() == isa::SourceKind::Descriptor, i.source_a);
  add(2, i.source_b_operand() == isa::SourceKind::Descriptor, i.source_b);
  return shared ? std::optional(key) : std::nullopt;
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

const Plan* Plans::known(const LoadedProgram& program, std::uint32_t pc,
                         const isa::DescriptorRegisters* registers) const {
  const std::optional<Key> key = key_of(program, pc, registers != nullptr ? *registers : none_);
  return key ? find(*key).plan : nullptr;
}

const Plan* Plans::plan(const LoadedProgram& program, std::uint32_t pc,
                        const isa::DescriptorRegisters* registers, std::span<const FifoEnds> fifos,
                        Plan*& own, std::optional<Complaint>& complaint) {
  const isa::DescriptorRegisters& d = registers != nullptr ? *registers : none_;
  const std::optional<Key> key = key_of(program, pc, d);
  if (key) {
    const Entry& entry = find(*key);
    if (entry.plan != nullptr) return entry.plan;
  }
  Plan* const made = pool_.take();
  complaint = planner_.make(program, pc, d, fifos, *made);
  if (complaint) {
    pool_.give_back(made);
    return nullptr;
  }
  if (!key || kept_ == kMost) {
    own = made;
  } else {
    keep(*key, *made);
  }
  return made;
}

}  // namespace wse::vm
