// Data and descriptors as the assembler reads them: elements, slices, mem(...), circular(...).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "isa/image/disassembler.h"

namespace wse::isa {
namespace {

std::vector<std::string> parameter_names(const Program& program) {
  std::vector<std::string> names;
  for (const Parameter& parameter : program.parameters) names.push_back(parameter.name);
  return names;
}

std::vector<std::string> global_names(const Image& image) {
  std::vector<std::string> names;
  for (const GlobalParameter& parameter : image.parameters) names.push_back(parameter.name);
  return names;
}

// "v[0:7:2]" for constant elements within one array; empty for others. An array of several
// dimensions is named as a whole only.
std::string slice_text(const Program& program, const DescriptorLiteral& d) {
  if (d.address.is_slot || d.length.is_slot || d.stride == 0 || d.further > 0) return {};
  const Symbol* symbol = symbol_at(program, d.address.value);
  if (symbol == nullptr || !symbol->is_array) return {};
  const std::int64_t first =
      (d.address.value - symbol->address) / std::int64_t{info(symbol->type).bytes};
  const std::int64_t length = d.length.value;
  const std::int64_t last = first + (length - 1) * d.stride;
  if (length > 0 && (last < 0 || last >= symbol->count)) return {};
  const std::int64_t end = length == 0 ? first : last + (d.stride > 0 ? 1 : -1);
  if (d.stride == 1 && first == 0 && end == symbol->count) return symbol->name;
  if (symbol->dimensions() > 1) return {};
  if (d.stride == 1) return fmt::format("{}[{}:{}]", symbol->name, first, end);
  return fmt::format("{}[{}:{}:{}]", symbol->name, first, end, d.stride);
}

class DescriptorPrinter {
 public:
  DescriptorPrinter(const Image& image, const Program& program)
      : image_(image), program_(program) {}

  std::string text(const DescriptorLiteral& d) const {
    if (d.saves) return fmt::format("save({})", unsaved(d));
    return unsaved(d);
  }

 private:
  std::string unsaved(const DescriptorLiteral& d) const {
    switch (d.kind) {
      case DescriptorKind::Memory: return memory(d);
      case DescriptorKind::Circular: return circular(d);
      case DescriptorKind::Fifo: return program_.fifos[d.fifo].name;
      case DescriptorKind::Indexed:
        return fmt::format("indexed({}, {})", plain(d, d.ring), fabric(d, "fabin"));
      case DescriptorKind::FabricIn: return fabric(d, "fabin");
      default: return fabric(d, "fabout");
    }
  }

  std::string memory(const DescriptorLiteral& d) const {
    std::string slice = slice_text(program_, d);
    if (!slice.empty()) return slice;
    std::vector<std::string> lengths{value(d.length)};
    std::vector<std::int32_t> strides{d.stride};
    for (std::uint32_t k = 0; k < d.further; ++k) {
      lengths.push_back(value(d.inner[k].extent));
      strides.push_back(d.inner[k].stride);
    }
    const std::string_view open = d.further > 0 ? "[" : "";
    const std::string_view close = d.further > 0 ? "]" : "";
    return fmt::format("mem({}, length={}{}{}, stride={}{}{})", value(d.address), open,
                       fmt::join(lengths, ", "), close, open, fmt::join(strides, ", "), close);
  }

  std::string circular(const DescriptorLiteral& d) const {
    const bool at_first = d.start == SlotValue{};
    return fmt::format("circular({}, length={}{})", plain(d, d.ring), value(d.length),
                       at_first ? "" : fmt::format(", start={}", value(d.start)));
  }

  // The elements that a ring runs through, or that an index names.
  std::string plain(const DescriptorLiteral& d, const SlotValue& elements) const {
    DescriptorLiteral array;
    array.address = d.address;
    array.length = elements;
    array.stride = d.stride;
    return memory(array);
  }

  std::string on_control(const DescriptorLiteral& d) const {
    if (d.options.on_control == OnControl::Leave) return {};
    const std::string_view text = kOnControlTexts[static_cast<std::size_t>(d.options.on_control)];
    const std::string task = d.options.tells_task() ? fmt::format("({})", value(d.task)) : "";
    return fmt::format(", on_control={}{}", text, task);
  }

  std::string fabric(const DescriptorLiteral& d, std::string_view call) const {
    const std::string colour =
        d.colour.is_slot ? value(d.colour) : image_.colour_name(d.colour.value);
    const FabricOptions& options = d.options;
    const std::string words = options.endless ? std::string(kEndlessText) : number(d.length);
    const std::string length = words.empty() ? "" : ", length=" + words;
    const std::string index = options.indexed ? fmt::format(", index={}", value(d.index)) : "";
    return fmt::format("{}({}{}{}{}{}{}{})", call, colour, length, options.packed ? ", packed" : "",
                       options.control ? ", control" : "", options.advance ? ", advance" : "",
                       index, on_control(d));
  }

  // Prints the length of a fabric operand; empty without one. The number that no source may have as
  // a literal is a sum.
  std::string number(const SlotValue& length) const {
    if (length == SlotValue{false, kNoLength}) return {};
    if (length != SlotValue{false, kReservedLength}) return value(length);
    return fmt::format("{} + 1", kReservedLength - 1);
  }

  std::string value(const SlotValue& v) const {
    return v.is_slot ? slot_text(image_, program_, v.value) : fmt::format("{}", v.value);
  }

  const Image& image_;
  const Program& program_;
};

}  // namespace

std::string fifo_text(const Program& program, const Fifo& fifo) {
  const Symbol& array = program.symbols[fifo.symbol];
  const bool whole = fifo.count == array.count;
  std::string out = fmt::format(
      "{} = {}{}", fifo.name, array.name,
      whole ? "" : fmt::format("[{}:{}]", fifo.first, std::uint64_t{fifo.first} + fifo.count));
  if (fifo.on_leaving_full) out += fmt::format(" on_leaving_full={}", *fifo.on_leaving_full);
  if (fifo.on_leaving_empty) out += fmt::format(" on_leaving_empty={}", *fifo.on_leaving_empty);
  return out;
}

const Symbol* symbol_at(const Program& program, std::uint32_t address, std::uint32_t bytes) {
  for (const Symbol& symbol : program.symbols) {
    if (address < symbol.address || address - symbol.address >= symbol.bytes()) continue;
    const std::uint32_t own = info(symbol.type).bytes;
    if ((address - symbol.address) % own == 0 && (bytes == 0 || bytes == own)) return &symbol;
  }
  return nullptr;
}

std::string view_text(const Program& program, const Symbol& view) {
  const Symbol* symbol = symbol_at(program, view.address);
  if (symbol != nullptr && !symbol->is_view && symbol->address == view.address &&
      symbol->bytes() == view.bytes()) {
    return fmt::format("view({})", symbol->name);
  }
  const auto own = symbol == nullptr ? 1 : std::uint64_t{info(symbol->type).bytes};
  const bool fits = symbol != nullptr && !symbol->is_view && symbol->dimensions() == 1 &&
                    view.bytes() % own == 0 &&
                    view.address + view.bytes() <= symbol->address + symbol->bytes();
  if (!fits) return fmt::format("view(mem({}, length={}))", view.address, view.count);
  const std::uint64_t first = (view.address - symbol->address) / own;
  return fmt::format("view({}[{}:{}])", symbol->name, first, first + view.bytes() / own);
}

std::string shape_text(const Symbol& symbol) {
  if (!symbol.is_array) return {};
  if (symbol.shape.empty()) return fmt::format("[{}]", symbol.count);
  return fmt::format("[{}]", fmt::join(symbol.shape, ", "));
}

std::string element_text(const Symbol& symbol, std::uint32_t index) {
  if (!symbol.is_array) return symbol.name;
  std::vector<std::uint32_t> subscripts;
  for (std::size_t k = symbol.dimensions(); k-- > 1;) {
    subscripts.insert(subscripts.begin(), index % symbol.extent(k));
    index /= symbol.extent(k);
  }
  subscripts.insert(subscripts.begin(), index);
  return fmt::format("{}[{}]", symbol.name, fmt::join(subscripts, ", "));
}

std::string plain_slot_text(const Image& image, const Program& program, std::uint32_t slot) {
  if (slot < kBuiltinSlotCount) return std::string(kBuiltinSlots[slot]);
  const std::size_t index = slot - kBuiltinSlotCount;
  if (index < program.parameters.size()) return program.parameters[index].name;
  const DerivedSlot& derived = program.derived[index - program.parameters.size()];
  return to_text(derived.formula, parameter_names(program), global_names(image));
}

std::string slot_text(const Image& image, const Program& program, std::uint32_t slot) {
  const std::string text = plain_slot_text(image, program, slot);
  return program.find_symbol(text) == nullptr ? text : "(" + text + ")";
}

std::string descriptor_text(const Image& image, const Program& program,
                            const DescriptorLiteral& d) {
  return DescriptorPrinter(image, program).text(d);
}

}  // namespace wse::isa
