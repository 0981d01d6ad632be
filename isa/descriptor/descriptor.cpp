// Descriptors from literals and from memory. Words read from memory are never trusted.
#include "isa/descriptor/descriptor.h"

#include <algorithm>

#include "isa/support/limits.h"

namespace wse::isa {
namespace {

// Bits of the first stored word, above kind and further.
constexpr std::uint32_t kSavesFlag = 1u << 16;
constexpr std::uint32_t kPackedFlag = 1u << 17;
constexpr std::uint32_t kControlFlag = 1u << 18;
constexpr std::uint32_t kAdvanceFlag = 1u << 19;
constexpr std::uint32_t kIndexedFlag = 1u << 20;
constexpr std::uint32_t kOnControlShift = 21;  // two bits
constexpr std::uint32_t kEndlessFlag = 1u << 23;
constexpr std::uint32_t kTaskShift = 24;  // up to the top

std::uint32_t bits(std::int32_t value) { return static_cast<std::uint32_t>(value); }

bool is_stride(std::int32_t stride) { return stride >= -kMaxStride && stride <= kMaxStride; }

// The same of what is no plain memory.
bool is_possible_fabric(const Descriptor& d) {
  Descriptor plain{.kind = d.kind, .length = d.length, .stride = d.stride};
  if (d.kind == DescriptorKind::Fifo) {
    plain.fifo = d.fifo;
    return d == plain && d.length == kNoLength && d.fifo < most(Limit::Fifos);
  }
  plain.colour = d.colour;
  plain.options = d.options;
  plain.index = d.index;
  plain.task = d.task;
  if (d.kind == DescriptorKind::Indexed) {
    plain.address = d.address;
    plain.ring = d.ring;
  }
  const bool index = d.options.indexed ? d.index <= 0xffffu : d.index == 0;
  const bool task = d.options.tells_task() || d.task == 0;
  const bool length = !d.options.endless || d.length == kNoLength;
  return d == plain && d.colour < kMaxColours && may_have(d.kind, d.options) && index && task &&
         length && is_stride(d.stride);
}

// Whether every field has a value that a setd could have given it.
bool is_possible(const Descriptor& d) {
  if (d.kind == DescriptorKind::None) return false;
  if (!is_memory(d.kind)) return is_possible_fabric(d);
  const bool circular = d.kind == DescriptorKind::Circular;
  const bool strides =
      is_stride(d.stride) && std::ranges::all_of(d.inner, is_stride, &Descriptor::Inner::stride);
  const bool shape = circular ? d.further == 0 : d.ring == 0 && d.further < kMaxDimensions;
  const bool fabric =
      d.colour != 0 || d.index != 0 || d.options != FabricOptions{} || d.task != 0 || d.fifo != 0;
  return strides && shape && !fabric && d.length != kNoLength;
}

std::uint32_t flags_of(const Descriptor& d) {
  return (d.saves ? kSavesFlag : 0) | (d.options.packed ? kPackedFlag : 0) |
         (d.options.control ? kControlFlag : 0) | (d.options.advance ? kAdvanceFlag : 0) |
         (d.options.indexed ? kIndexedFlag : 0) | (d.options.endless ? kEndlessFlag : 0) |
         static_cast<std::uint32_t>(d.options.on_control) << kOnControlShift |
         std::uint32_t{d.task} << kTaskShift;
}

}  // namespace

bool may_have(DescriptorKind kind, const FabricOptions& options) {
  const bool of_output = options.control || options.advance || options.indexed;
  const int payloads = options.packed + options.control + options.indexed;  // bits mean one thing
  const bool packs = kind == DescriptorKind::FabricIn || kind == DescriptorKind::FabricOut;
  return (kind == DescriptorKind::FabricOut || !of_output) && (packs || !options.packed) &&
         payloads <= 1 && (receives(kind) || options.on_control == OnControl::Leave) &&
         (has_colour(kind) || !options.endless);
}

Descriptor resolve(const DescriptorLiteral& literal, const std::uint32_t* slots) {
  Descriptor d{.kind = literal.kind,
               .colour = value_of(literal.colour, slots),
               .address = value_of(literal.address, slots),
               .length = value_of(literal.length, slots),
               .stride = literal.stride,
               .options = literal.options,
               .index = value_of(literal.index, slots) & 0xffffu,
               .saves = literal.saves,
               .further = static_cast<std::uint8_t>(literal.further),
               .task = static_cast<std::uint8_t>(std::min(value_of(literal.task, slots), 0xffu)),
               .fifo = static_cast<std::uint8_t>(literal.fifo)};
  // A parameter gives a length, though perhaps none that an instruction can have.
  if (literal.length.is_slot) d.length = std::min(d.length, kNoLength - 1);
  for (std::uint32_t k = 0; k < literal.further; ++k) {
    const DescriptorLiteral::Inner& inner = literal.inner[k];
    d.inner[k] = {value_of(inner.extent, slots), inner.stride};
    const std::uint64_t product = std::uint64_t{d.length} * d.inner[k].extent;
    d.length = static_cast<std::uint32_t>(std::min<std::uint64_t>(product, kNoLength - 1));
  }
  d.ring = value_of(literal.ring, slots);
  d.position = value_of(literal.start, slots);
  return d;
}

StoredDescriptor stored(const Descriptor& d) {
  StoredDescriptor words{
      static_cast<std::uint32_t>(d.kind) | std::uint32_t{d.further} << 8 | flags_of(d),
      d.colour,
      d.address,
      d.length,
      bits(d.stride),
      d.kind == DescriptorKind::Fifo ? d.fifo : d.index,
      d.ring,
      d.position};
  std::size_t next = kStoredDescriptorWords - 2 * d.inner.size();
  for (const Descriptor::Inner& inner : d.inner) {
    words[next++] = inner.extent;
    words[next++] = bits(inner.stride);
  }
  return words;
}

std::optional<Descriptor> descriptor_of(const StoredDescriptor& words) {
  const std::uint32_t kind = words[0] & 0xffu;
  if (kind >= kDescriptorKinds) return std::nullopt;
  const bool is_fifo = kind == static_cast<std::uint32_t>(DescriptorKind::Fifo);
  Descriptor d{.kind = static_cast<DescriptorKind>(kind),
               .colour = words[1],
               .address = words[2],
               .length = words[3],
               .stride = static_cast<std::int32_t>(words[4]),
               .options = {.packed = (words[0] & kPackedFlag) != 0,
                           .control = (words[0] & kControlFlag) != 0,
                           .advance = (words[0] & kAdvanceFlag) != 0,
                           .indexed = (words[0] & kIndexedFlag) != 0,
                           .endless = (words[0] & kEndlessFlag) != 0,
                           .on_control = static_cast<OnControl>(words[0] >> kOnControlShift & 3)},
               .index = is_fifo ? 0 : words[5],
               .saves = (words[0] & kSavesFlag) != 0,
               .further = static_cast<std::uint8_t>(words[0] >> 8),
               .task = static_cast<std::uint8_t>(words[0] >> kTaskShift),
               .fifo = static_cast<std::uint8_t>(is_fifo ? words[5] : 0),
               .ring = words[6],
               .position = words[7]};
  std::size_t next = kStoredDescriptorWords - 2 * d.inner.size();
  for (Descriptor::Inner& inner : d.inner) {
    inner.extent = words[next++];
    inner.stride = static_cast<std::int32_t>(words[next++]);
  }
  if (!is_possible(d) || stored(d) != words) return std::nullopt;  // flags that nobody knows
  return d;
}

}  // namespace wse::isa
