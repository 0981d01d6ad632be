// Counts by slice and tile from sums that are read where slices end.
#include "vm/ledger/link_slices.h"

#include <algorithm>
#include <span>

#include "isa/support/mutant.h"
#include "vm/support/state_archive.h"

namespace wse::vm {

LinkSlices::LinkSlices(const isa::Topology& mesh, std::uint32_t wanted)
    : sums_(mesh), most_(Cycle{2} * wanted), rows_(sums_.rows().size()), before_(rows_) {
  counts_.reserve(most_ * rows_);  // touched as slices end
}

std::uint64_t LinkSlices::bytes(const isa::Topology& mesh, std::uint32_t wanted) {
  return std::uint64_t{2} * wanted * mesh.links() * SliceTiles(mesh).size() *
         sizeof(NarrowCounts::Low);
}

void LinkSlices::end_slice() {
  const std::size_t slice = slices_ * rows_;
  counts_.resize(slice + rows_);
  sums_.for_each_touched([&](std::size_t first, std::size_t end) {
    const auto some = [first, end](auto& all) {
      return std::span(all).subspan(first, end - first);
    };
    counts_.set_to_differences(slice + first, some(sums_.rows()), some(before_));
  });
  ++slices_;
  if (slices_ >= most_ && shift_ < sums_.tiles().most_shift()) merge_neighbours();
}

void LinkSlices::merge_neighbours() {
  const Cycle merged = slices_ / 2;
  for (Cycle slice = 0; slice < merged; ++slice) {
    sums_.for_each_touched([&](std::size_t first, std::size_t end) {
      const std::size_t from = 2 * slice * rows_ + first;
      counts_.set_to_sums(slice * rows_ + first, from, from + rows_, end - first);
    });
  }
  slices_ = merged;
  counts_.resize(slices_ * rows_);
  ++shift_;
}

template <class Archive>
void LinkSlices::pass(Archive& archive, Cycle now) {
  archive.below(shift_, std::uint64_t{sums_.tiles().most_shift()} + 1);
  archive.number(slices_);
  std::vector<std::uint32_t> counts(counts_.size());
  for (std::size_t k = 0; k < counts.size(); ++k) counts[k] = std::uint32_t(counts_[k]);
  archive.list(counts, sizeof(std::uint32_t), [&](std::uint32_t& count) { archive.number(count); });
  if constexpr (Archive::kReads) {
    sums_.touch_all();
    counts_.resize(counts.size());
    for (std::size_t k = 0; k < counts.size(); ++k) counts_.set(k, counts[k]);
  }
  for (std::uint64_t& sum : before_) archive.number(sum);
  archive.expect(counts_.size() % rows_ == 0 && counts_.size() / rows_ == slices_ &&
                 now < kNever >> 1 && due() > now);
}

void LinkSlices::add(const LinkSlices& part) {
  shift_ = part.shift_;
  slices_ = part.slices_;
  counts_.resize(part.counts_.size());
  for (std::size_t k = 0; k < counts_.size(); ++k) counts_.add(k, part.counts_[k]);
  for (std::size_t k = 0; k < before_.size(); ++k) before_[k] += part.before_[k];
}

template void LinkSlices::pass(StateWriter&, Cycle);
template void LinkSlices::pass(StateReader&, Cycle);

std::vector<std::uint64_t> LinkSlices::of_port(std::uint32_t port, const SliceFrame& frame,
                                               const std::vector<std::uint64_t>& sums) const {
  const std::size_t tiles = sums_.tiles().size();
  std::vector<std::uint64_t> links(frame.slices() * tiles);
  const auto add = [&](Cycle slice, std::size_t tile, std::uint64_t wavelets) {
    links[std::min<std::size_t>(slice, frame.slices() - 1) * tiles + tile] += wavelets;
  };
  const std::uint32_t coarser = frame.shift - shift_;
  const std::size_t first = port * tiles;
  for (Cycle slice = 0; slice < slices_; ++slice) {
    for (std::size_t tile = 0; tile < tiles; ++tile) {
      add(slice >> coarser, tile, counts_[slice * rows_ + first + tile]);
    }
  }
  if (isa::mutant(isa::Mutant::LinksEndEarly)) return links;
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    add(slices_ >> coarser, tile, sums[first + tile] - before_[first + tile]);
  }
  return links;
}

}  // namespace wse::vm
