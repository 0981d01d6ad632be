// Where PEs of a placement have data in common, and much of it, they share the pages; what is left
// is cut into bands of rows, a thread for each. No two write the same PE.
#include "vm/load/initial_data.h"

#include <algorithm>
#include <future>
#include <numeric>
#include <system_error>
#include <vector>

#include "isa/placement_values.h"

namespace wse::vm {
namespace {

constexpr std::uint64_t kElementsOfAThread = 1'000'000;  // below, starting one takes longer

// Below so many bytes of a placement nothing is won: a page that is copied when it is written first
// takes longer than one that is filled at once.
constexpr std::size_t kSharedPlacement = std::size_t{16} << 20;
static_assert(kSharedPlacement >= kLargePlacement);

// A unit of shared pages: the host has a limit on mappings, and memory is to be saved.
constexpr std::size_t kMostUnits = 256;  // of one placement
constexpr std::size_t kSmallestUnit = std::size_t{1} << 20;
constexpr std::size_t kFewestUnits = 16;

constexpr std::size_t kTouchedAtOnce = std::size_t{1} << 18;  // bytes, which then lie in a cache

std::size_t rounded_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

// In a thread of its own, or when it is asked for if there are no more.
template <class Work>
std::future<isa::Status> start(Work work) {
  try {
    return std::async(std::launch::async, work);
  } catch (const std::system_error&) {
    return std::async(std::launch::deferred, work);
  }
}

class PlacementFiller {
 public:
  PlacementFiller(const isa::Image& image, const isa::Placement& placement,
                  const isa::Topology& mesh, Loaded& loaded)
      : image_(image),
        placement_(placement),
        rect_(placement.rect),
        mesh_(mesh),
        loaded_(loaded),
        pes_(static_cast<std::size_t>(rect_.x.count()) *
             static_cast<std::size_t>(rect_.y.count())) {
    const isa::PlacementValues values(image, placement);
    for (const isa::Symbol& symbol : image.programs[placement.program].symbols) {
      if (!symbol.initial) continue;
      all_.push_back(&symbol);
      if (!values.is_same_at_all_pes(symbol)) own_.push_back(&symbol);
      if (!values.is_same_in_a_row(symbol)) written_bytes_ += symbol.bytes();
    }
  }

  isa::Status fill(std::uint32_t threads) {
    if (all_.empty() || pes_ == 0) return {};
    first_ = mesh_.pe_at(rect_.x.first, rect_.y.first);
    stride_ = loaded_.program_at(first_)->data_stride;
    if (may_share()) {
      if (isa::Status status = share(); !status) return status;
    }
    if (shared_bytes_ == pes_ * stride_ && own_.empty()) return {};
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
  // What a PE writes of its own must leave the better part of its pages alone.
  bool may_share() const {
    const std::size_t page = PeMemory::page_bytes();
    std::size_t own_pages = 0;
    for (const isa::Symbol* symbol : own_) own_pages += rounded_up(symbol->bytes(), page) + page;
    return own_.size() < all_.size() && pes_ * stride_ >= kSharedPlacement &&
           2 * own_pages <= stride_ && pes_ * stride_ >= kFewestUnits * unit_bytes();
  }

  // Whole PEs in whole pages.
  std::size_t unit_bytes() const {
    const std::size_t wanted = std::max(kSmallestUnit, pes_ * stride_ / kMostUnits + 1);
    return rounded_up(wanted, std::lcm(std::size_t{stride_}, PeMemory::page_bytes()));
  }

  // Errors: of the first PE, in the order of its symbols.
  isa::Status share() {
    std::vector<std::byte> common(stride_);
    std::vector<std::byte> own(stride_);
    isa::PlacementValues values(image_, placement_);
    isa::Status status = values.move_to(mesh_.x_of(first_), mesh_.y_of(first_));
    for (const isa::Symbol* symbol : all_) {
      std::vector<std::byte>& data = values.is_same_at_all_pes(*symbol) ? common : own;
      if (status) status = values.fill(*symbol, data.data() + symbol->address);
    }
    const bool zero = std::ranges::all_of(common, [](std::byte b) { return b == std::byte{0}; });
    if (!status || zero) return status;
    const std::size_t unit = unit_bytes();
    const isa::Result<std::size_t> shared = loaded_.memory().repeat(
        loaded_.data_offset(first_), pes_ * stride_, unit, [&](std::byte* to) {
          for (std::size_t at = 0; at < unit; at += stride_) std::ranges::copy(common, to + at);
        });
    if (!shared) return std::unexpected(shared.error());
    shared_bytes_ = *shared;
    return {};
  }

  std::vector<isa::StridedRect> bands(std::uint64_t threads) const {
    std::uint64_t elements = 0;
    for (const isa::Symbol* symbol : shared_bytes_ > 0 ? own_ : all_) elements += symbol->count;
    const auto rows = static_cast<std::uint64_t>(rect_.y.count());
    const std::uint64_t count = std::min({threads, rows, elements * pes_ / kElementsOfAThread + 1});
    std::vector<isa::StridedRect> bands(count, rect_);
    for (std::uint64_t k = 0; k < count; ++k) {
      const auto row = [&](std::uint64_t number) {
        return rect_.y.first + static_cast<std::int32_t>(number) * rect_.y.step;
      };
      bands[k].y.first = row(rows * k / count);
      bands[k].y.last = row(rows * (k + 1) / count - 1);
    }
    return bands;
  }

  isa::Status fill_band(const isa::StridedRect& band) const {
    isa::PlacementValues values(image_, placement_);
    const std::byte* const shared_end = loaded_.data(first_) + shared_bytes_;
    const bool touches_all = 8 * written_bytes_ >= 7 * std::uint64_t{stride_};
    const std::byte* touched = nullptr;
    isa::Status status;
    isa::for_each_until(band, [&](std::uint32_t x, std::uint32_t y) {
      std::byte* const data = loaded_.data(mesh_.pe_at(x, y));
      if (touches_all && data + stride_ > touched) {
        touched = touch_ahead(data, loaded_.data(mesh_.pe_at(band.x.last, band.y.last)) + stride_);
      }
      status = values.move_to(x, y);
      for (const isa::Symbol* symbol : data < shared_end ? own_ : all_) {
        if (status) status = values.fill(*symbol, data + symbol->address);
      }
      return status.has_value();
    });
    return status;
  }

  static const std::byte* touch_ahead(std::byte* data, std::byte* end) {
    const auto left = static_cast<std::size_t>(end - data);
    std::byte* const until = data + std::min(left, kTouchedAtOnce);
    touch_pages(data, until);
    return until;
  }

  const isa::Image& image_;
  const isa::Placement& placement_;
  const isa::StridedRect& rect_;
  const isa::Topology& mesh_;
  Loaded& loaded_;
  std::size_t pes_;
  PeId first_ = 0;
  std::uint32_t stride_ = 0;
  std::vector<const isa::Symbol*> all_;  // with an initial value
  std::vector<const isa::Symbol*> own_;  // that is not the same at all PEs
  std::uint64_t written_bytes_ = 0;      // of a PE, for certain
  std::size_t shared_bytes_ = 0;         // from the first PE on: what all have is there
};

}  // namespace

isa::Status fill_initial_data(const isa::Image& image, const isa::Topology& mesh,
                              std::uint32_t threads, Loaded& loaded) {
  isa::Status status;
  for (const isa::Placement& placement : image.placements) {
    if (status) status = PlacementFiller(image, placement, mesh, loaded).fill(threads);
  }
  return status;
}

}  // namespace wse::vm
