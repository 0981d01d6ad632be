// Data with an error keep their name, so that their uses are not reported too.
#include "asm/program/data_declarer.h"

#include <algorithm>

#include "asm/program/data_address.h"
#include "asm/program/views.h"
#include "asm/syntax/rewrites.h"

namespace wse::assembler {
namespace {

using Level = FormulaScope::Level;

isa::Symbol symbol_of(const DataSyntax& data) {
  isa::Symbol symbol;
  symbol.name = std::string(data.data.name.text);
  symbol.type = data.data.type;
  symbol.exported = data.exported;
  symbol.where = data.line;
  symbol.is_array = data.counted || !data.extents.empty();
  return symbol;
}

}  // namespace

void DataDeclarer::declare(const DataSyntax& data) {
  isa::Symbol symbol = symbol_of(data);
  if (!set_shape(data, symbol)) c_.broken_names.insert(data.data.name.text);
  if (!c_.define(data.data.name, NameKind::Data, c_.program.symbols.size())) return;
  c_.data.add(std::move(symbol), data_address(c_, data), data);
}

void DataDeclarer::declare_view(const DataSyntax& data) {
  isa::Symbol symbol = symbol_of(data);
  symbol.is_view = true;
  if (!set_extents(data, symbol) || !lay_view(c_, data, symbol)) {
    c_.broken_names.insert(data.data.name.text);
  }
  if (!c_.define(data.data.name, NameKind::Data, c_.program.symbols.size())) return;
  c_.data.add_view(std::move(symbol), data);
}

bool DataDeclarer::set_shape(const DataSyntax& data, isa::Symbol& symbol) {
  if (!set_extents(data, symbol)) return false;
  return data.counted ? count_list(data, symbol) : !has_too_many(data, symbol);
}

bool DataDeclarer::set_extents(const DataSyntax& data, isa::Symbol& symbol) {
  if (data.extents.size() > isa::kMaxDimensions) {
    const Named& name = data.data.name;
    const auto count = static_cast<std::int64_t>(data.extents.size());
    c_.reporter.report(Problem::ManyDimensions, name.where, name.text, counted(count, "dimension"),
                       isa::kMaxDimensions);
    return false;
  }
  std::int64_t room = ~0u;  // what the dimensions so far leave to the next
  std::int64_t count = 1;
  for (const ExprId id : data.extents) {
    const std::optional<std::int64_t> extent =
        c_.formulas(Level::Fixed).whole(id, "the number of elements", 0, room);
    if (!extent) {
      symbol.count = 0;
      symbol.shape.clear();
      return false;
    }
    count *= *extent;
    room /= std::max<std::int64_t>(1, *extent);
    if (data.extents.size() > 1) symbol.shape.push_back(static_cast<std::uint32_t>(*extent));
  }
  symbol.count = static_cast<std::uint32_t>(count);
  return true;
}

bool DataDeclarer::count_list(const DataSyntax& data, isa::Symbol& symbol) {
  const Named& name = data.data.name;
  symbol.count = static_cast<std::uint32_t>(data.list.size());
  if (data.list.empty()) c_.reporter.report(Problem::NoList, name.where, name.text);
  return !data.list.empty();
}

bool DataDeclarer::has_too_many(const DataSyntax& data, const isa::Symbol& symbol) {
  if (data.list.size() <= symbol.count) return false;
  const Named& name = data.data.name;
  const std::string elements = counted(symbol.count, "element");
  const bool can_count = data.extents.size() <= 1;
  c_.reporter.report(Problem::ListTooLong, c_.unit[data.list[symbol.count]].where, name.text,
                     elements, data.list.size(), can_count ? name.text : "");
  if (!can_count) return true;
  c_.reporter.spells(data.extents.empty() ? Edit{.where = name.where, .closing = "[]"}
                                          : replaced(c_.unit[data.extents[0]], ""));
  return true;
}

void DataDeclarer::set_initial_values() {
  for (std::size_t k = 0; k < c_.program.symbols.size(); ++k) {
    const DataSyntax& data = c_.data.line(k);
    isa::Symbol& symbol = c_.program.symbols[k];
    if (data.list.size() > 1 && data.list.size() <= symbol.count) set_list(data, symbol);
    const ExprId value = data.list.size() == 1 ? data.list[0] : data.data.value;
    if (value == kNoExpr || symbol.is_view) continue;
    symbol.initial = c_.formulas(Level::Placed, true).build(value);
    if (symbol.initial) constant_bits(*symbol.initial, value, symbol.type);
  }
}

void DataDeclarer::set_list(const DataSyntax& data, isa::Symbol& symbol) {
  FormulaBuilder builder = c_.formulas(Level::Placed, true);
  symbol.values.assign(data.list.size(), 0);
  for (std::uint32_t k = 0; k < data.list.size(); ++k) {
    std::optional<isa::Formula> made = builder.build(data.list[k]);
    if (!made) continue;
    if (made->is_constant()) {
      symbol.values[k] = constant_bits(*made, data.list[k], symbol.type);
    } else {
      symbol.formulas.push_back({k, std::move(*made)});
    }
  }
}

// Returns the bits of a constant; 0 for another formula, and after an error, which is reported.
std::uint32_t DataDeclarer::constant_bits(const isa::Formula& formula, ExprId id, isa::Type type) {
  if (!formula.is_constant()) return 0;
  const auto bits = isa::to_bits(formula.nodes[0].constant, type);
  if (!bits) c_.reporter.report(Problem::BadValue, c_.unit[id].where, bits.error());
  return bits.value_or(0);
}

}  // namespace wse::assembler
