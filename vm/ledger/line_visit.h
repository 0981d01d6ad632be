// The places of a main thread before and after a visit of its PE: those of other PEs that do the
// same in it, and come from a place like its own, are the same after it.
#pragma once

#include <cstdint>

#include "vm/ledger/line_places.h"
#include "vm/support/time.h"

namespace wse::vm {

class LineCycles;

class LineVisit {
 public:
  // Around the visit, before which all earlier cycles of the PE are charged.
  void begin(const LineCycles& lines, PeId pe);
  void end(const LineCycles& lines, PeId pe);

  // Gives another PE the places after the visit. False if it does not come from an equal place;
  // then nothing has changed.
  bool give(LineCycles& lines, PeId pe) const;

 private:
  bool is_plain_ = false;  // others can have its places
  std::uint32_t tag_ = 0;  // of its one place before the visit
  LinePhase phase_ = LinePhase::NoTask;
  LinePlaces after_{};
};

}  // namespace wse::vm
