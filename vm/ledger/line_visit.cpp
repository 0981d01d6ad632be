// Keeps places, and gives them.
#include "vm/ledger/line_visit.h"

#include "vm/ledger/line_cycles.h"

namespace wse::vm {

void LineVisit::begin(const LineCycles& lines, PeId id) {
  const PlaceQueues::Queue& places = lines.pes_[lines.range_.index(id)].places;
  is_plain_ = lines.queues_.has_one(places);
  const LinePlace place = places.near.last();
  tag_ = place.tag;
  phase_ = place.phase;
}

void LineVisit::end(const LineCycles& lines, PeId id) {
  const PlaceQueues::Queue& places = lines.pes_[lines.range_.index(id)].places;
  is_plain_ &= !places.has_list && lines.many_stalls_.empty();
  after_ = places.near;
}

// They may differ in when a place began that has lasted up to now, which does not matter any more.
bool LineVisit::give(LineCycles& lines, PeId id) const {
  LineCycles::Pe& pe = lines.of(id);
  const bool may_have = lines.queues_.has_one(pe.places) && lines.many_stalls_.empty();
  if (!is_plain_ || !may_have) return false;
  const LinePlace place = pe.places.near.last();
  if (place.tag != tag_ || place.phase != phase_) return false;
  const std::uint32_t row = lines.tags_.row(place.tag);
  pe.places.near = after_;
  const std::uint32_t mask = lines.tags_.row_mask();
  if ((after_.first(mask).tag & mask) != row) lines.enter_pending(pe, row);
  return true;
}

}  // namespace wse::vm
