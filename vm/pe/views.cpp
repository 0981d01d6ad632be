// Resolves the literals of a program once for each choice of values.
#include "vm/pe/views.h"

#include <algorithm>

namespace wse::vm {
namespace {

bool varies(const isa::DescriptorLiteral& d) {
  const auto has_slot = [](const auto& dimension) { return dimension.extent.is_slot; };
  return d.address.is_slot || d.length.is_slot || d.colour.is_slot || d.index.is_slot ||
         d.task.is_slot || d.ring.is_slot || d.start.is_slot ||
         std::ranges::any_of(d.inner, has_slot);
}

}  // namespace

Views::Views(const Loaded& loaded) {
  views_.reserve(loaded.instances().size());
  for (const ProgramInstance& instance : loaded.instances()) {
    const LoadedProgram& program = *instance.program;
    views_.push_back({.literals = program.program->literals.data(),
                      .slots = instance.slots,
                      .descriptors = table_of(instance).data(),
                      .begins = program.begins.data(),
                      .code_words = static_cast<std::uint32_t>(program.begins.size())});
  }
}

const Views::Table& Views::table_of(const ProgramInstance& instance) {
  const std::vector<isa::DescriptorLiteral>& literals = instance.program->program->descriptors;
  Descriptors& known = descriptors_[instance.program];
  if (known.table != nullptr && known.varying.empty()) return *known.table;
  const auto place = [&](std::uint32_t number) {
    const isa::Descriptor made = isa::resolve(literals[number], instance.slots);
    return &known.made.try_emplace(isa::stored(made), made).first->second;
  };
  Table& table =
      tables_.emplace_back(known.table != nullptr ? *known.table : Table(literals.size()));
  if (known.table == nullptr) {
    for (std::uint32_t number = 0; number < literals.size(); ++number) {
      table[number] = place(number);
      if (varies(literals[number])) known.varying.push_back(number);
    }
  }
  for (const std::uint32_t number : known.varying) table[number] = place(number);
  known.table = &table;
  return table;
}

}  // namespace wse::vm
