// Places and counts of a PE, wherever they are kept.
#include "vm/ledger/line_cycles_state.h"

#include <algorithm>
#include <functional>

#include "isa/support/mutant.h"

namespace wse::vm {

std::vector<LineCyclesState::Written> LineCyclesState::places(const LineCycles::Pe& pe) const {
  const TagBits& tags = lines_.tags_;
  std::vector<Written> all;
  for (const LinePlace& place : lines_.queues_.all(pe.places)) {
    const std::uint32_t row = lines_.map_->first_row(pe.program) + tags.row(place.tag);
    all.push_back({place.from, row << 8 | static_cast<std::uint32_t>(place.phase),
                   static_cast<std::uint32_t>(lines_.stalls_of(pe, place))});
  }
  return all;
}

// The PE has one place, which is none of these.
void LineCyclesState::take(LineCycles::Pe& pe, const std::vector<Written>& places) {
  for (std::size_t k = 0; k < places.size(); ++k) {
    const std::uint32_t row = places[k].row() - lines_.map_->first_row(pe.program);
    const LinePlace place{places[k].from, lines_.tags_.tag(row, 0), places[k].phase()};
    k == 0 ? pe.places.near.begin_with(place) : lines_.queues_.add(pe.places, place);
    if (places[k].stalls > 0) lines_.stalls(pe, places[k].stalls);
  }
}

bool LineCyclesState::has(PeId pe, std::uint32_t row) const {
  const std::uint32_t program = lines_.of(pe).program;
  if (program == LineCycles::kNone) return false;
  return row >= lines_.map_->first_row(program) && row <= lines_.map_->halted(program);
}

template <class Archive>
void LineCyclesState::pass(Archive& archive, PeId id) {
  LineCycles::Pe& pe = lines_.of(id);
  std::vector<Written> places = this->places(pe);
  archive.list(places, sizeof(Written), [&](Written& place) {
    archive.number(place.from);
    archive.number(place.what);
    archive.number(place.stalls);
    archive.expect(has(id, place.row()) && place.phase() <= LinePhase::Halted);
  });
  archive.expect(!places.empty() && std::ranges::adjacent_find(places, std::greater_equal{},
                                                               &Written::from) == places.end());
  if (!archive.ok()) return;
  if constexpr (Archive::kReads) {
    if (isa::mutant(isa::Mutant::RestoredPlaces)) places.resize(1);
    take(pe, places);
  }
  for (std::uint32_t row = 0; row < lines_.map_->rows(pe.program); ++row) {
    std::uint64_t cycles = lines_.cycles_of(pe, row);
    archive.number(cycles);
    if constexpr (Archive::kReads) lines_.counts_.add(lines_.index_of(pe), row, cycles);
  }
}

template void LineCyclesState::pass(StateWriter&, PeId);
template void LineCyclesState::pass(StateReader&, PeId);

}  // namespace wse::vm
