// One colour, one queue, on each side.
#include "asm/names/queue_uses.h"

namespace wse::assembler {

bool QueueUses::pin(Side side, std::uint32_t queue, const isa::Formula& colour,
                    std::string_view name, const isa::SourceRange& where, Reporter& reporter) {
  const std::string_view side_text = side == Side::Input ? "input" : "output";
  for (const Use& use : uses_) {
    if (use.side != side) continue;
    const bool same_colour = use.colour == colour;
    const bool same_queue = use.queue == queue;
    if (same_colour && same_queue) return true;
    if (!same_colour && !same_queue) continue;
    if (same_queue) {
      reporter.report(Problem::SameQueue, where, side_text, queue, use.name);
    } else {
      reporter.report(Problem::OtherQueue, where, name, side_text, use.queue);
    }
    reporter.note(Remark::PinnedHere, use.where, use.queue);
    return false;
  }
  uses_.push_back({side, queue, colour, name, where});
  return true;
}

}  // namespace wse::assembler
