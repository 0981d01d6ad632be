// Evaluates the values of filters PE by PE.
#include "vm/load/filters.h"

#include <fmt/format.h>

namespace wse::vm {
namespace {

isa::Result<FilterSetting> filter_at(const isa::Filter& filter, const isa::FormulaPlace& place) {
  std::vector<std::uint32_t> values;
  for (const isa::Formula& formula : filter.values) {
    const isa::Result<isa::Number> number = isa::evaluate(formula, place);
    if (!number) return std::unexpected(number.error());
    const isa::Result<std::uint32_t> bits = isa::to_bits(*number, isa::Type::U32);
    if (!bits) return std::unexpected(bits.error());
    values.push_back(*bits);
  }
  return filter_setting(filter.shape, values);
}

}  // namespace

isa::Status set_filters(const isa::Image& image, const isa::Topology& mesh,
                        const ChannelMap& channels,
                        const std::function<void(ChannelId, const FilterSetting&)>& set) {
  std::vector<isa::Number> globals;
  for (const isa::GlobalParameter& global : image.parameters) globals.push_back(global.value);
  isa::FormulaPlace place{
      .width = image.width, .height = image.height, .parameters = {}, .globals = globals};
  isa::Status status;
  for (const isa::Filter& filter : image.filters) {
    isa::for_each_until(filter.rect, [&](std::uint32_t x, std::uint32_t y) {
      place.x = x;
      place.y = y;
      const isa::Result<FilterSetting> made = filter_at(filter, place);
      if (made) {
        set(channels.find(mesh.pe_at(x, y), filter.colour), *made);
        return true;
      }
      status = isa::fail(fmt::format("the filter of colour {} at PE({}, {}): {}",
                                     image.colour_name(filter.colour), x, y, made.error()));
      return false;
    });
    if (!status) return status;
  }
  return status;
}

}  // namespace wse::vm
