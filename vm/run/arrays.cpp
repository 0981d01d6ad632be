// Memory of a machine from outside: exported arrays over rectangles of PEs, symbols of one PE.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "vm/run/parts.h"

namespace wse::vm {
namespace {

const isa::Symbol* exported_symbol(const LoadedProgram* program, std::string_view name) {
  if (program == nullptr) return nullptr;
  const isa::Symbol* symbol = program->program->find_symbol(name);
  return symbol != nullptr && symbol->exported ? symbol : nullptr;
}

// The elements of a symbol as words, 16-bit ones zero-extended, and back.
void read_elements(const std::byte* data, const isa::Symbol& symbol, std::uint32_t* out) {
  if (symbol.count == 0) return;
  const std::byte* const from = data + symbol.address;
  const std::size_t bytes = isa::info(symbol.type).bytes;
  if (bytes == sizeof *out) {
    std::memcpy(out, from, symbol.bytes());
    return;
  }
  std::fill_n(out, symbol.count, 0u);
  for (std::size_t k = 0; k < symbol.count; ++k) std::memcpy(out + k, from + k * bytes, bytes);
}

// Writes only what is not there already, so that pages stay untouched or shared.
void write_elements(std::byte* data, const isa::Symbol& symbol, const std::uint32_t* in) {
  if (symbol.count == 0) return;
  std::byte* const to = data + symbol.address;
  const std::size_t bytes = isa::info(symbol.type).bytes;
  if (bytes == sizeof *in) {
    if (std::memcmp(to, in, symbol.bytes()) != 0) std::memcpy(to, in, symbol.bytes());
    return;
  }
  for (std::size_t k = 0; k < symbol.count; ++k) {
    if (std::memcmp(to + k * bytes, in + k, bytes) != 0) std::memcpy(to + k * bytes, in + k, bytes);
  }
}

std::size_t words_in(const ArrayInfo& place) {
  return std::size_t{place.width} * place.height * place.count;
}

// Calls visit(pe, its place in the rectangle, the symbol) for all that export it, row by row, until
// it wants no more.
template <class Parts, class Visit>
void visit_symbols(const Parts& parts, const ArrayInfo& array, std::string_view name,
                   const Visit& visit) {
  std::size_t place = 0;
  for (std::uint32_t y = 0; y < array.height; ++y) {
    for (std::uint32_t x = 0; x < array.width; ++x, ++place) {
      const PeId pe = parts.mesh.pe_at(array.x0 + x, array.y0 + y);
      const isa::Symbol* symbol = exported_symbol(parts.loaded.program_at(pe), name);
      if (symbol != nullptr && !visit(pe, place, *symbol)) return;
    }
  }
}

// Returns the array of a stream: one column or row of the grid's edge, or every step-th PE of it,
// close together.
ArrayInfo array_of(const isa::Stream& stream) {
  const isa::StridedRect& rect = stream.rect;
  return {stream.type,
          stream.is_array,
          stream.count,
          static_cast<std::uint32_t>(rect.x.first),
          static_cast<std::uint32_t>(rect.y.first),
          static_cast<std::uint32_t>(rect.x.count()),
          static_cast<std::uint32_t>(rect.y.count())};
}

}  // namespace

isa::Result<ArrayInfo> Machine::array(std::string_view name) const {
  const Parts& p = *parts_;
  if (const isa::Stream* stream = p.streams.find(name)) return array_of(*stream);
  ArrayInfo array;
  const isa::Symbol* first = nullptr;
  std::uint32_t x1 = 0;
  std::uint32_t y1 = 0;
  for (const PeId pe : p.loaded.placed()) {
    const isa::Symbol* symbol = exported_symbol(p.loaded.program_at(pe), name);
    if (symbol == nullptr) continue;
    const std::uint32_t x = p.mesh.x_of(pe);
    const std::uint32_t y = p.mesh.y_of(pe);
    if (first == nullptr) {
      first = symbol;
      array = {symbol->type, symbol->is_array, symbol->count, x, y, 0, 0, symbol->shape};
    }
    if (symbol->type != first->type || symbol->count != first->count ||
        symbol->shape != first->shape) {
      return isa::fail(
          fmt::format("array '{}' has different types or sizes in different programs", name));
    }
    array.x0 = std::min(array.x0, x);
    x1 = std::max(x1, x);
    y1 = std::max(y1, y);
  }
  if (first == nullptr) {
    return isa::fail(
        fmt::format("no program on the grid exports '{}'; write 'exported' after its "
                    "name in the program",
                    name));
  }
  array.width = x1 - array.x0 + 1;
  array.height = y1 - array.y0 + 1;
  return array;
}

isa::Result<std::vector<std::uint32_t>> Machine::read_array(std::string_view name) const {
  const isa::Result<ArrayInfo> array = this->array(name);
  if (!array) return std::unexpected(array.error());
  if (const isa::Stream* stream = parts_->streams.find(name)) {
    return parts_->streams.words(*stream);
  }
  std::vector<std::uint32_t> words(words_in(*array));
  visit_symbols(*parts_, *array, name, [&](PeId pe, std::size_t place, const isa::Symbol& symbol) {
    read_elements(parts_->loaded.data(pe), symbol, words.data() + place * array->count);
    return true;
  });
  return words;
}

isa::Status Machine::read_array_by_pe(std::string_view name, const LookAtWords& look) const {
  const isa::Result<ArrayInfo> array = this->array(name);
  if (!array) return std::unexpected(array.error());
  const auto look_at = [&](std::size_t place, std::span<const std::uint32_t> words) {
    const auto x = static_cast<std::uint32_t>(place % array->width);
    const auto y = static_cast<std::uint32_t>(place / array->width);
    return look(array->x0 + x, array->y0 + y, words);
  };
  if (const isa::Stream* stream = parts_->streams.find(name)) {
    const std::span<const std::uint32_t> all = parts_->streams.words(*stream);
    for (std::size_t k = 0; k < std::size_t{array->width} * array->height; ++k) {
      if (!look_at(k, all.subspan(k * array->count, array->count))) break;
    }
    return {};
  }
  std::vector<std::uint32_t> words(array->count);
  visit_symbols(*parts_, *array, name, [&](PeId pe, std::size_t place, const isa::Symbol& symbol) {
    read_elements(parts_->loaded.data(pe), symbol, words.data());
    return look_at(place, words);
  });
  return {};
}

isa::Status Machine::write_array(std::string_view name, const ArrayInfo& place,
                                 std::span<const std::uint32_t> words) {
  const std::size_t count = place.count;
  if (words.size() != words_in(place)) {
    return isa::fail(fmt::format("array '{}' needs {} words, {} are given", name, words_in(place),
                                 words.size()));
  }
  return write_array_by_pe(name, place, [&](std::uint32_t x, std::uint32_t y) {
    const std::size_t pe = std::size_t{y - place.y0} * place.width + (x - place.x0);
    return words.subspan(pe * count, count);
  });
}

isa::Status Machine::write_array_by_pe(std::string_view name, const ArrayInfo& place,
                                       const WordsOfPe& words_of) {
  Parts& p = *parts_;
  const isa::Stream* const stream = p.streams.find(name);
  std::uint32_t* of_stream = nullptr;
  if (stream != nullptr) {
    std::vector<std::uint32_t>& all = p.streams.words(*stream);
    if (all.size() != words_in(place)) {
      return isa::fail(
          fmt::format("stream '{}' has {} words, {} are given", name, all.size(), words_in(place)));
    }
    of_stream = all.data();
  }
  for (std::uint32_t y = place.y0; y < place.y0 + place.height; ++y) {
    for (std::uint32_t x = place.x0; x < place.x0 + place.width; ++x) {
      if (stream != nullptr) {
        of_stream = std::ranges::copy(words_of(x, y), of_stream).out;
        continue;
      }
      const PeId pe = p.mesh.pe_at(x, y);
      const isa::Symbol* symbol = exported_symbol(p.loaded.program_at(pe), name);
      if (symbol == nullptr || !p.strips.pes().contains(pe)) continue;
      write_elements(p.loaded.data(pe), *symbol, words_of(x, y).data());
    }
  }
  return {};
}

isa::Result<SymbolValue> Machine::read_symbol(std::uint32_t x, std::uint32_t y,
                                              std::string_view name) const {
  const Parts& p = *parts_;
  if (x >= p.mesh.width() || y >= p.mesh.height()) {
    return isa::fail(fmt::format("PE({}, {}) lies outside the grid of {} x {}", x, y,
                                 p.mesh.width(), p.mesh.height()));
  }
  const PeId pe = p.mesh.pe_at(x, y);
  const LoadedProgram* program = p.loaded.program_at(pe);
  if (program == nullptr) return isa::fail(fmt::format("PE({}, {}) has no program", x, y));
  const isa::Symbol* symbol = program->program->find_symbol(name);
  if (symbol == nullptr) {
    return isa::fail(fmt::format("program {} at PE({}, {}) has no symbol '{}'",
                                 program->program->name, x, y, name));
  }
  SymbolValue value{symbol->type, symbol->is_array, std::vector<std::uint32_t>(symbol->count)};
  read_elements(p.loaded.data(pe), *symbol, value.words.data());
  return value;
}

}  // namespace wse::vm
