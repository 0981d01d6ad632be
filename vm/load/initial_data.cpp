// Each placement is cut into bands of rows, a thread for each; no two write the same PE.
#include "vm/load/initial_data.h"

#include <algorithm>
#include <future>
#include <system_error>
#include <vector>

#include "isa/placement_values.h"

namespace wse::vm {
namespace {

constexpr std::uint64_t kElementsOfAThread = 1'000'000;  // below, starting one takes longer

isa::Status fill_band(const isa::Image& image, const isa::Placement& placement,
                      const isa::StridedRect& band, const isa::Topology& mesh, Loaded& loaded) {
  isa::PlacementValues values(image, placement);
  isa::Status status;
  isa::for_each_until(band, [&](std::uint32_t x, std::uint32_t y) {
    status = values.move_to(x, y);
    std::byte* const data = loaded.data(mesh.pe_at(x, y));
    for (const isa::Symbol& symbol : image.programs[placement.program].symbols) {
      if (status) status = values.fill(symbol, data + symbol.address);
    }
    return status.has_value();
  });
  return status;
}

std::uint64_t initial_elements(const isa::Program& program) {
  std::uint64_t elements = 0;
  for (const isa::Symbol& symbol : program.symbols) elements += symbol.initial ? symbol.count : 0;
  return elements;
}

std::vector<isa::StridedRect> bands_of(const isa::StridedRect& rect, std::uint64_t elements,
                                       std::uint64_t threads) {
  const auto rows = static_cast<std::uint64_t>(rect.y.count());
  const std::uint64_t count = std::min({threads, rows, elements / kElementsOfAThread + 1});
  std::vector<isa::StridedRect> bands(count, rect);
  for (std::uint64_t k = 0; k < count; ++k) {
    const auto row = [&](std::uint64_t number) {
      return rect.y.first + static_cast<std::int32_t>(number) * rect.y.step;
    };
    bands[k].y.first = row(rows * k / count);
    bands[k].y.last = row(rows * (k + 1) / count - 1);
  }
  return bands;
}

// In a thread of its own, or when it is asked for if there are no more.
template <class Work>
std::future<isa::Status> start(Work work) {
  try {
    return std::async(std::launch::async, work);
  } catch (const std::system_error&) {
    return std::async(std::launch::deferred, work);
  }
}

isa::Status fill_placement(const isa::Image& image, const isa::Placement& placement,
                           const isa::Topology& mesh, std::uint32_t threads, Loaded& loaded) {
  const std::uint64_t elements = initial_elements(image.programs[placement.program]);
  if (elements == 0 || placement.rect.empty()) return {};
  const auto pes = static_cast<std::uint64_t>(placement.rect.x.count() * placement.rect.y.count());
  std::vector<std::future<isa::Status>> parts;
  for (const isa::StridedRect& band : bands_of(placement.rect, elements * pes, threads)) {
    parts.push_back(start([&, band] { return fill_band(image, placement, band, mesh, loaded); }));
  }
  isa::Status first;
  for (std::future<isa::Status>& part : parts) {
    isa::Status status = part.get();
    if (first) first = std::move(status);
  }
  return first;
}

}  // namespace

isa::Status fill_initial_data(const isa::Image& image, const isa::Topology& mesh,
                              std::uint32_t threads, Loaded& loaded) {
  isa::Status status;
  for (const isa::Placement& placement : image.placements) {
    if (status) status = fill_placement(image, placement, mesh, threads, loaded);
  }
  return status;
}

}  // namespace wse::vm
