// Parts of exported arrays, and symbols of one PE, copied to a host and back.
#include "vm/run/array_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "vm/run/parts.h"

namespace wse::vm {
namespace {

// Finds the symbol of a name, in one program after the other: neighbours mostly have one.
class ExportedSymbols {
 public:
  explicit ExportedSymbols(std::string_view name) : name_(name) {}

  const isa::Symbol* of(const LoadedProgram* program) {
    if (program == nullptr) return nullptr;
    if (program == last_) return symbol_;
    last_ = program;
    symbol_ = program->program->find_symbol(name_);
    if (symbol_ != nullptr && !symbol_->exported) symbol_ = nullptr;
    return symbol_;
  }

 private:
  std::string_view name_;
  const LoadedProgram* last_ = nullptr;
  const isa::Symbol* symbol_ = nullptr;
};

// Calls visit(pe, its number in the part, symbol or null), row by row.
template <class Parts, class Visit>
void visit_part(Parts& parts, std::string_view name, const PeRect& rect, const Visit& visit) {
  ExportedSymbols symbols(name);
  std::size_t number = 0;
  for (std::uint32_t y = rect.y; y < rect.y + rect.height; ++y) {
    for (std::uint32_t x = rect.x; x < rect.x + rect.width; ++x, ++number) {
      const PeId pe = parts.mesh.pe_at(x, y);
      visit(pe, number, symbols.of(parts.loaded.program_at(pe)));
    }
  }
}

// Whether first .. first + count - 1 lies in that of a larger one.
bool lies_in(std::uint32_t first, std::uint32_t count, std::uint32_t from, std::uint32_t all) {
  return count > 0 && first >= from && first - from < all && count <= all - (first - from);
}

}  // namespace

isa::Result<PartShape> ArrayParts::shape(std::string_view name, const ArrayPart& part) const {
  const isa::Result<ArrayInfo> array = machine_.array(name);
  if (!array) return std::unexpected(array.error());
  const PeRect whole{array->x0, array->y0, array->width, array->height};
  PartShape shape{.type = array->type,
                  .is_array = array->is_array,
                  .first = 0,
                  .count = array->count,
                  .rect = part.rect.value_or(whole)};
  const PeRect& rect = shape.rect;
  if (!lies_in(rect.x, rect.width, whole.x, whole.width) ||
      !lies_in(rect.y, rect.height, whole.y, whole.height)) {
    return isa::fail(
        fmt::format("{} x {} PEs from ({}, {}) on are no part of array '{}', which has {} x {} "
                    "from ({}, {}) on",
                    rect.width, rect.height, rect.x, rect.y, name, whole.width, whole.height,
                    whole.x, whole.y));
  }
  if (!part.elements) return shape;
  const auto [first, end] = *part.elements;
  if (first >= end || end > array->count) {
    return isa::fail(fmt::format("elements {}..{} are no part of array '{}', which has {}", first,
                                 std::int64_t{end} - 1, name, array->count));
  }
  shape.first = first;
  shape.count = end - first;
  return shape;
}

void ArrayParts::read(std::string_view name, const PartShape& shape,
                      std::span<std::byte> bytes) const {
  const std::size_t size = isa::info(shape.type).bytes;
  const std::size_t of_pe = shape.count * size;
  const Machine::Parts& p = *machine_.parts_;
  visit_part(p, name, shape.rect, [&](PeId pe, std::size_t number, const isa::Symbol* symbol) {
    std::byte* const to = bytes.data() + number * of_pe;
    if (symbol == nullptr) {
      std::fill_n(to, of_pe, std::byte{0});
    } else {
      std::memcpy(to, p.loaded.data(pe) + symbol->address + shape.first * size, of_pe);
    }
  });
}

// Writes only what is not there already, so that pages stay untouched or shared.
void ArrayParts::write(std::string_view name, const PartShape& shape,
                       std::span<const std::byte> bytes) {
  const std::size_t size = isa::info(shape.type).bytes;
  const std::size_t of_pe = shape.count * size;
  Machine::Parts& p = *machine_.parts_;
  visit_part(p, name, shape.rect, [&](PeId pe, std::size_t number, const isa::Symbol* symbol) {
    if (symbol == nullptr) return;
    const std::byte* const from = bytes.data() + number * of_pe;
    std::byte* const to = p.loaded.data(pe) + symbol->address + shape.first * size;
    if (std::memcmp(to, from, of_pe) != 0) std::memcpy(to, from, of_pe);
  });
}

isa::Status ArrayParts::write_symbol(std::uint32_t x, std::uint32_t y, std::string_view name,
                                     std::span<const std::uint32_t> words) {
  const isa::Result<SymbolValue> value = machine_.read_symbol(x, y, name);
  if (!value) return std::unexpected(value.error());
  if (words.size() != value->words.size()) {
    return isa::fail(fmt::format("symbol '{}' at PE({}, {}) has {} elements, {} are given", name, x,
                                 y, value->words.size(), words.size()));
  }
  Machine::Parts& p = *machine_.parts_;
  const PeId pe = p.mesh.pe_at(x, y);
  const isa::Symbol& symbol = *p.loaded.program_at(pe)->program->find_symbol(name);
  const std::size_t size = isa::info(symbol.type).bytes;
  std::byte* to = p.loaded.data(pe) + symbol.address;
  for (const std::uint32_t& word : words) {
    std::memcpy(to, &word, size);
    to += size;
  }
  return {};
}

}  // namespace wse::vm
