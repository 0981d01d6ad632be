// PE by PE, in the order in which they were told; in place, since there may be millions.
#include "vm/ledger/pending_stalls.h"

#include <algorithm>
#include <tuple>

namespace wse::vm {

void PendingStalls::sort_out() {
  if (std::ranges::none_of(events_, &Event::forgets)) return;  // all stand
  std::ranges::sort(events_, {},
                    [](const Event& event) { return std::tuple(event.pe, event.turn); });
  std::size_t count = 0;  // of spans that stand
  for (const Event event : events_) {
    if (!event.forgets()) {
      events_[count++] = event;
      continue;
    }
    while (count > 0 && events_[count - 1].pe == event.pe &&
           events_[count - 1].span.from >= event.span.from) {
      --count;
    }
  }
  events_.resize(count);
}

void PendingStalls::count_anew() {
  for (std::size_t k = 0; k < events_.size(); ++k) {
    events_[k].turn = static_cast<std::uint32_t>(2 * k) + kSpan;
  }
}

}  // namespace wse::vm
