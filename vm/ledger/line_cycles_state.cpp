// Places and counts of a PE, wherever they are kept.
#include "vm/ledger/line_cycles_state.h"

#include <algorithm>
#include <functional>

#include "isa/support/mutant.h"

namespace wse::vm {

std::vector<LinePlace> LineCyclesState::places(const LineCycles::Pe& pe) const {
  std::vector<LinePlace> all;
  LinePlaces rest = pe.places;
  for (; !rest.has_one(); rest.drop_first()) all.push_back(rest.first());
  all.push_back(rest.first());
  if (!pe.has_more) return all;
  const LineCycles::More& more = lines_.more_[pe.more];
  all.insert(all.end(), more.places.begin() + static_cast<std::ptrdiff_t>(more.first),
             more.places.end());
  return all;
}

bool LineCyclesState::has(PeId pe, std::uint32_t row) const {
  const std::uint32_t program = lines_.of(pe).program;
  if (program == LineCycles::kNone) return false;
  return row >= lines_.map_->first_row(program) && row <= lines_.map_->halted(program);
}

template <class Archive>
void LineCyclesState::pass(Archive& archive, PeId id) {
  LineCycles::Pe& pe = lines_.of(id);
  std::vector<LinePlace> places = this->places(pe);
  archive.list(places, sizeof(LinePlace), [&](LinePlace& place) {
    archive.number(place.from);
    archive.number(place.what);
    archive.number(place.stalls);
    archive.expect(has(id, place.row()) && place.phase() <= LinePhase::Halted);
  });
  archive.expect(!places.empty() && std::ranges::adjacent_find(places, std::greater_equal{},
                                                               &LinePlace::from) == places.end());
  if (!archive.ok()) return;
  if constexpr (Archive::kReads) {
    if (isa::mutant(isa::Mutant::RestoredPlaces)) places.resize(1);
    pe.places.begin_with(places.front());  // it has one, which is none of them
    for (std::size_t k = 1; k < places.size(); ++k) lines_.add_place(pe, places[k]);
  }
  const LineMap& map = *lines_.map_;
  for (std::uint32_t row = map.first_row(pe.program); row <= map.halted(pe.program); ++row) {
    std::uint64_t cycles = lines_.counts_[pe.first_count + row];
    archive.number(cycles);
    if constexpr (Archive::kReads) lines_.counts_.add(pe.first_count + row, cycles);
  }
}

template void LineCyclesState::pass(StateWriter&, PeId);
template void LineCyclesState::pass(StateReader&, PeId);

}  // namespace wse::vm
