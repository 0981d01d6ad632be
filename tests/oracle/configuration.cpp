// Instructions about descriptor registers and about the PE's own router.
#include "tests/oracle/descriptors.h"
#include "tests/oracle/processor.h"

namespace wse::oracle {

// Dimensions beyond the first cost something each.
void Processor::charge_dimensions(Stretch& stretch, const isa::Descriptor& descriptor) const {
  for (int k = 0; k < descriptor.further; ++k) {
    charge(stretch, isa::CostClass::DescriptorDimension);
  }
}

// All scalar instructions that are neither control flow nor for people.
std::optional<isa::Trap> Processor::descriptor_code(const isa::Instruction& code,
                                                    Stretch& stretch) {
  const isa::InstructionInfo& row = isa::info(code.op);
  switch (row.format) {
    case isa::Format::Load:
    case isa::Format::LoadIndexed:
    case isa::Format::Store:
    case isa::Format::StoreIndexed: return access(code, row);
    case isa::Format::LoadDescriptor:
      descriptors_[code.destination] = descriptor_at(program_->descriptors[code.target], slots_);
      charge_dimensions(stretch, descriptors_[code.destination]);
      return std::nullopt;
    case isa::Format::DescriptorCopy:
      descriptors_[code.destination] = descriptors_[code.source_a];
      return std::nullopt;
    case isa::Format::DescriptorSet: return set_field(code);
    case isa::Format::DescriptorGet: get_field(code); return std::nullopt;
    case isa::Format::DescriptorLoad: return move_descriptor(code, true, stretch);
    case isa::Format::DescriptorStore: return move_descriptor(code, false, stretch);
    default: return arithmetic(code, row);
  }
}

// Between a descriptor register and its words in memory.
std::optional<isa::Trap> Processor::move_descriptor(const isa::Instruction& code, bool loads,
                                                    Stretch& stretch) {
  const std::uint32_t address = scalar_value(code);
  constexpr std::uint32_t kWord = 4;
  Words words;
  for (std::uint32_t k = 0; k < isa::kStoredDescriptorWords; ++k) {
    if (const auto cause = memory.refuses(address + kWord * k, kWord)) return cause;
    add_words(words, address + kWord * k, kWord);
  }
  if (is_of_fifo(words)) return isa::Trap::FifoMisuse;
  if (!(loads ? memory.may_read(words) : memory.may_write(words))) return isa::Trap::MemoryRace;
  isa::StoredDescriptor stored{};
  if (!loads) {
    stored = isa::stored(descriptors_[code.source_a]);
    for (std::uint32_t k = 0; k < isa::kStoredDescriptorWords; ++k) {
      memory.write(address + kWord * k, kWord, stored[k]);
    }
    charge_dimensions(stretch, descriptors_[code.source_a]);
    return std::nullopt;
  }
  for (std::uint32_t k = 0; k < isa::kStoredDescriptorWords; ++k) {
    stored[k] = memory.read(address + kWord * k, kWord);
  }
  const auto made = isa::descriptor_of(stored);
  if (!made) return isa::Trap::BadDescriptor;
  descriptors_[code.destination] = *made;
  charge_dimensions(stretch, *made);
  return std::nullopt;
}

std::optional<isa::Trap> Processor::set_field(const isa::Instruction& code) {
  isa::Descriptor& descriptor = descriptors_[code.destination];
  if (descriptor.kind == isa::DescriptorKind::None) return isa::Trap::UnsetDescriptor;
  const std::uint32_t value = scalar_value(code);
  switch (code.op) {
    case isa::Op::SetLength:
      if (value > isa::kMaxLength) return isa::Trap::BadDescriptor;
      descriptor.length = value;
      descriptor.options.endless = false;
      break;
    case isa::Op::SetBase: descriptor.address = value; break;
    case isa::Op::SetPosition: descriptor.position = value; break;
    case isa::Op::SetStride: descriptor.stride = static_cast<std::int32_t>(value); break;
    default: descriptor.colour = value;
  }
  return std::nullopt;
}

void Processor::get_field(const isa::Instruction& code) {
  const isa::Descriptor& descriptor = descriptors_[code.source_a];
  std::uint32_t value = descriptor.colour;
  switch (code.op) {
    case isa::Op::GetLength: value = descriptor.length; break;
    case isa::Op::GetBase: value = descriptor.address; break;
    case isa::Op::GetPosition: value = descriptor.position; break;
    case isa::Op::GetStride: value = static_cast<std::uint32_t>(descriptor.stride); break;
    default: break;
  }
  registers_[code.destination] = value;
}

std::uint32_t Processor::colour_of(const isa::Instruction& code) const {
  return code.colour_kind != 0 ? slots_[code.colour] : code.colour;
}

// Whether the router may be written is decided by the queues at the start of the cycle.
std::optional<isa::Trap> Processor::configure(const isa::Instruction& code) {
  Channel& channel = routers_.channel(pe_, colour_of(code));
  if (code.op == isa::Op::TeardownExit) {
    if (channel.torn_down) routers_.later([&channel] { channel.torn_down = false; });
    return std::nullopt;
  }
  if (!channel.torn_down && !channel.empty_before()) return isa::Trap::ConfigurationInUse;
  switch (code.op) {
    case isa::Op::SetRoute:
      routers_.later([&channel, routing = program_->routings[code.target].routing] {
        channel.routing = routing;
        channel.position = 0;
      });
      break;
    case isa::Op::SetSwitchPosition: {
      const std::uint32_t position = scalar_value(code);
      if (position >= channel.routing.positions.size()) return isa::Trap::BadPosition;
      routers_.later([&channel, position] { channel.position = position; });
      break;
    }
    default: {
      const isa::NamedFilter& named = program_->filters[code.target];
      FilterSetting setting{named.shape, {}};
      for (std::size_t k = 0; k < named.values.size(); ++k) {
        const isa::SlotValue& value = named.values[k];
        setting.values[k] = value.is_slot ? slots_[value.value] : value.value;
      }
      routers_.later([&channel, setting] { channel.set_filter(setting); });
    }
  }
  return std::nullopt;
}

}  // namespace wse::oracle
