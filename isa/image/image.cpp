// Small questions about an image. Its file format is in image_format.cpp, its checks in
// image_verify.cpp.
#include "isa/image/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace wse::isa {

std::uint32_t Program::data_bytes() const {
  std::uint64_t end = 0;
  for (const Symbol& symbol : symbols) end = std::max(end, symbol.address + symbol.bytes());
  return static_cast<std::uint32_t>(end);
}

std::uint64_t Program::code_bytes() const {
  return 4 * (code.size() + literals.size() + std::uint64_t{slot_count()}) + descriptor_bytes();
}

// 16 bytes, and 8 for each further dimension, the ring or the array that is indexed.
std::uint64_t Program::descriptor_bytes() const {
  std::uint64_t bytes = 0;
  for (const DescriptorLiteral& d : descriptors) {
    bytes += 16 + 8 * std::uint64_t{d.has_ring() ? 1 : d.further};
  }
  return bytes;
}

const Symbol* Program::find_symbol(std::string_view symbol) const {
  const auto found = std::ranges::find(symbols, symbol, &Symbol::name);
  return found == symbols.end() ? nullptr : &*found;
}

SourceLine Program::line_of(std::uint32_t pc) const {
  const auto after = std::ranges::upper_bound(lines, pc, {}, &LineEntry::pc);
  return after == lines.begin() ? SourceLine{} : std::prev(after)->where;
}

bool Program::has_main_only() const {
  return std::ranges::all_of(tasks, [](const Task& task) { return task.kind == TaskKind::Main; });
}

std::string argument_text(const Task& task) {
  std::string text;
  for (const Type type : task.argument_types) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", info(type).text);
  }
  return text;
}

bool Program::exports_tasks() const { return std::ranges::any_of(tasks, &Task::exported); }

std::string Image::colour_name(std::uint32_t colour) const {
  const bool named = colour < colours.size() && !colours[colour].empty();
  return named ? colours[colour] : fmt::format("{}", colour);
}

std::string Image::place_text(const SourceLine& where) const {
  if (where.line == 0 || where.file >= sources.size()) return {};
  return fmt::format("{}:{}", sources[where.file], where.line);
}

Status set_parameter(Image& image, std::string_view name, std::string_view value) {
  const auto found = std::ranges::find(image.parameters, name, &GlobalParameter::name);
  if (found == image.parameters.end()) return fail(fmt::format("no parameter '{}'", name));
  Number number;
  const char* const end = value.data() + value.size();
  const auto whole = std::from_chars(value.data(), end, number.integer);
  if (whole.ptr != end || whole.ec != std::errc{}) {
    number = Number::of(0.0);
    const auto [rest, error] = std::from_chars(value.data(), end, number.real);
    if (rest != end || error != std::errc{}) {
      return fail(fmt::format("parameter '{}': '{}' is not a number", name, value));
    }
  }
  const Result<std::uint32_t> bits = to_bits(number, found->type);
  if (!bits) return fail(fmt::format("parameter '{}': {}", name, bits.error()));
  found->value = from_bits(*bits, found->type);
  return {};
}

}  // namespace wse::isa
