// PEs of a region share the data that they have in common, where that saves memory. Other data are
// cut into bands of rows, a thread for each. No two write the same PE.
#include "vm/load/initial_data.h"

#include <algorithm>
#include <future>
#include <system_error>
#include <vector>

#include "isa/image/placement_values.h"
#include "vm/support/large_pages.h"

namespace wse::vm {
namespace {

using Symbols = std::vector<const isa::Symbol*>;

constexpr std::uint64_t kElementsOfAThread = 1'000'000;       // below, starting one takes longer
constexpr std::size_t kTouchedAtOnce = std::size_t{1} << 18;  // bytes, which then lie in a cache

// In a thread of its own, or when it is asked for if there are no more.
template <class Work>
std::future<isa::Status> start(Work work) {
  try {
    return std::async(std::launch::async, work);
  } catch (const std::system_error&) {
    return std::async(std::launch::deferred, work);
  }
}

// The common data of a period of a region; nothing if they are zeros, or if a formula has no value,
// which is told where PEs are filled one by one.
std::vector<std::byte> common_data(const isa::Image& image, const DataRegion& region) {
  const isa::Placement& placement = image.placements[region.placements.front()];
  isa::PlacementValues values(image, placement);
  std::vector<std::byte> data(region.period * region.stride);
  std::byte* to = data.data();
  isa::Status status;
  isa::for_each_until(placement.rect, [&](std::uint32_t x, std::uint32_t y) {
    if (to == data.data() + data.size()) return false;
    status = values.move_to(x, y);
    for (const isa::Symbol* symbol : region.common) {
      if (status) status = values.fill(*symbol, to + symbol->address);
    }
    to += region.stride;
    return status.has_value();
  });
  const bool zeros = std::ranges::all_of(data, [](std::byte b) { return b == std::byte{0}; });
  return status && !zeros ? data : std::vector<std::byte>();
}

// How many bytes of the region hold the common data now, from its begin on.
isa::Attempt<std::size_t> share(const isa::Image& image, const DataRegion& region,
                                PeMemory& memory) {
  if (!region.shares) return 0;
  const std::vector<std::byte> data = common_data(image, region);
  if (data.empty()) return 0;
  const std::size_t unit = region.unit_bytes();
  return memory.repeat(region.offset, region.bytes(), unit, [&](std::byte* to) {
    for (std::size_t at = 0; at < unit; at += data.size()) std::ranges::copy(data, to + at);
  });
}

// Returns the placement without the rows of other PEs.
isa::Placement own_part(isa::Placement placement, const PeRange& own, const isa::Topology& mesh) {
  isa::StridedRange& rows = placement.rect.y;
  const auto first = static_cast<std::int32_t>(own.first / mesh.width());
  const auto end = static_cast<std::int32_t>((own.end + mesh.width() - 1) / mesh.width());
  if (rows.first < first)
    rows.first += (first - rows.first + rows.step - 1) / rows.step * rows.step;
  rows.last = std::min(rows.last, end - 1);
  return placement;
}

// The PEs of one placement.
class PlacementFiller {
 public:
  // From `shared_end` on, in memory, PEs lack the common data too.
  PlacementFiller(const isa::Image& image, const isa::Placement& placement,
                  const DataRegion& region, const std::byte* shared_end, const isa::Topology& mesh,
                  Loaded& loaded)
      : image_(image),
        placement_(placement),
        region_(region),
        shared_end_(shared_end),
        mesh_(mesh),
        loaded_(loaded),
        all_(region.common) {
    all_.insert(all_.end(), region.own.begin(), region.own.end());
    std::ranges::sort(all_);  // as the program has them: the first error is told
  }

  isa::Status fill(std::uint32_t threads) const {
    const isa::StridedRect& rect = placement_.rect;
    if (all_.empty() || rect.empty()) return {};
    const std::byte* const last = data_at(rect.x.end(), rect.y.end());
    if (region_.own.empty() && last < shared_end_) return {};
    std::vector<std::future<isa::Status>> parts;
    for (const isa::StridedRect& band : bands(threads)) {
      parts.push_back(start([this, band] { return fill_band(band); }));
    }
    isa::Status first;
    for (std::future<isa::Status>& part : parts) {
      isa::Status status = part.get();
      if (first) first = std::move(status);
    }
    return first;
  }

 private:
  std::byte* data_at(std::int64_t x, std::int64_t y) const {
    return loaded_.data(mesh_.pe_at(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)));
  }
  const Symbols& missing(const std::byte* data) const {
    return data < shared_end_ ? region_.own : all_;
  }

  std::vector<isa::StridedRect> bands(std::uint64_t threads) const {
    const isa::StridedRect& rect = placement_.rect;
    std::uint64_t elements = 0;
    for (const isa::Symbol* symbol : missing(data_at(rect.x.first, rect.y.first))) {
      elements += symbol->count;
    }
    const auto rows = static_cast<std::uint64_t>(rect.y.count());
    const std::uint64_t pes = rows * static_cast<std::uint64_t>(rect.x.count());
    const std::uint64_t count = std::min({threads, rows, elements * pes / kElementsOfAThread + 1});
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

  isa::Status fill_band(const isa::StridedRect& band) const {
    isa::PlacementValues values(image_, placement_);
    const bool touches_all = writes_all(values);
    std::byte* const end = data_at(band.x.end(), band.y.end()) + region_.stride;
    std::byte* const begin = data_at(band.x.first, band.y.first);
    if (touches_all) prefer_large_pages(begin, end);
    const std::byte* touched = begin;
    isa::Status status;
    isa::for_each_until(band, [&](std::uint32_t x, std::uint32_t y) {
      std::byte* const data = data_at(x, y);
      if (touches_all && data + region_.stride > touched) {
        std::byte* const until =
            data + std::min(static_cast<std::size_t>(end - data), kTouchedAtOnce);
        touch_pages(data, until);
        touched = until;
      }
      status = values.move_to(x, y);
      for (const isa::Symbol* symbol : missing(data)) {
        if (status) status = values.fill(*symbol, data + symbol->address);
      }
      return status.has_value();
    });
    return status;
  }

  // Whether next to no byte is left as it is: what depends on the column is written as a whole.
  bool writes_all(const isa::PlacementValues& values) const {
    std::uint64_t bytes = 0;
    for (const isa::Symbol* symbol : region_.own) {
      if (!values.is_same_in_a_row(*symbol)) bytes += symbol->bytes();
    }
    return 8 * bytes >= 7 * std::uint64_t{region_.stride};
  }

  const isa::Image& image_;
  const isa::Placement& placement_;
  const DataRegion& region_;
  const std::byte* shared_end_;
  const isa::Topology& mesh_;
  Loaded& loaded_;
  Symbols all_;
};

}  // namespace

isa::Attempt<void> fill_initial_data(const isa::Image& image, const isa::Topology& mesh,
                                     const PeRange& own, std::uint32_t threads, Loaded& loaded) {
  struct Part {  // of a placement
    const DataRegion* region = nullptr;
    const std::byte* shared_end = nullptr;
  };
  std::vector<Part> parts(image.placements.size());
  for (const DataRegion& region : loaded.regions()) {
    const isa::Attempt<std::size_t> shared = share(image, region, loaded.memory());
    if (!shared) return std::unexpected(shared.error());
    const std::byte* const end = loaded.memory().data() + region.offset + *shared;
    for (const std::uint32_t k : region.placements) parts[k] = {&region, end};
  }
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const isa::Placement placement = own_part(image.placements[k], own, mesh);
    if (placement.rect.empty()) continue;
    const PlacementFiller filler(image, placement, *parts[k].region, parts[k].shared_end, mesh,
                                 loaded);
    if (isa::Status status = filler.fill(threads); !status) return std::unexpected(status.error());
  }
  return {};
}

}  // namespace wse::vm
