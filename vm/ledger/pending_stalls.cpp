// Spans are packed in the order in which they were told, since there may be millions.
#include "vm/ledger/pending_stalls.h"

#include <algorithm>
#include <utility>

namespace wse::vm {

PendingStalls::Event PendingStalls::event(PeId pe, const StallSpan& span) {
  const Cycle last = span.from + 2 * span.count;
  if (span.from >= begin_ && span.from - begin_ <= UINT32_MAX && span.count <= Event::kMostCount &&
      span.finish >= last && span.finish - last <= Event::kMostAfter) {
    const auto after = static_cast<std::uint32_t>(span.finish - last);
    return {pe, static_cast<std::uint32_t>(span.from - begin_),
            after << Event::kCountBits | static_cast<std::uint32_t>(span.count)};
  }
  while (wide_.contains(next_wide_)) next_wide_ = (next_wide_ + 1) | Event::kWide;
  wide_.emplace(next_wide_, span);
  return {pe, 0, std::exchange(next_wide_, (next_wide_ + 1) | Event::kWide)};
}

bool PendingStalls::is_among(const std::vector<Forget>& forgets, std::size_t number,
                             Cycle from) const {
  const auto of_pe = std::ranges::equal_range(forgets, events_[number].pe, {}, &Forget::pe);
  return std::ranges::any_of(
      of_pe, [&](const Forget& forget) { return number < forget.events && from >= forget.from; });
}

void PendingStalls::begin_at(Cycle cycle) {
  if (cycle - begin_ <= Event::kWide) return;
  std::vector<std::pair<PeId, StallSpan>> spans;
  for (const Event& event : events_) spans.emplace_back(event.pe, span_of(event));
  wide_.clear();
  begin_ = cycle - kBefore;
  for (std::size_t k = 0; k < spans.size(); ++k) {
    events_[k] = event(spans[k].first, spans[k].second);
  }
}

}  // namespace wse::vm
