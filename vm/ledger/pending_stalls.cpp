// PE by PE, in the order in which they were told.
#include "vm/ledger/pending_stalls.h"

#include <algorithm>

namespace wse::vm {

std::vector<PendingStalls::Event> PendingStalls::standing() const {
  std::vector<Event> sorted = events_;
  std::ranges::stable_sort(sorted, {}, &Event::pe);
  std::vector<Event> standing;
  for (const Event& event : sorted) {
    if (!event.forgets) {
      standing.push_back(event);
      continue;
    }
    while (!standing.empty() && standing.back().pe == event.pe &&
           standing.back().span.from >= event.span.from) {
      standing.pop_back();
    }
  }
  return standing;
}

}  // namespace wse::vm
