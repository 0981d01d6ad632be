// Offers every candidate and keeps the best.
#include "vm/pe/picker.h"

#include <algorithm>

#include "isa/machine/control_word.h"
#include "isa/support/mutant.h"

namespace wse::vm {
namespace {

class Picker {
 public:
  Picker(PeId pe, Core& core, const ChannelMap& channels, const Transport& transport, Cycle now)
      : pe_(pe),
        core_(core),
        tasks_(*core.tasks),
        channels_(channels),
        transport_(transport),
        now_(now) {
    open_ = ~core.ids.blocked(now);
    if (isa::mutant(isa::Mutant::BlockAtOnce)) open_ = ~core.ids.blocked_at_last();
  }

  std::optional<Pick> run() {
    for_each_id(core_.ids.activated(now_) & open_ & tasks_.local(),
                [this](std::uint32_t id) { offer({.task = tasks_.at(id), .id = id, .rank = id}); });
    for_each_id(tasks_.data() & open_, [this](std::uint32_t id) { offer_data(id); });
    if (transport_.has_controls(pe_)) offer_controls();
    if ((open_ & id_bit(isa::kTeardownId)) != 0) offer_teardown();
    return best_;
  }

 private:
  // A wavelet whose instruction started in the cycle of the `block` is no longer the task's.
  void offer_data(std::uint32_t id) {
    const ChannelId channel = channels_.find(pe_, id);
    if (transport_.head(channel, now_) != Transport::Head::Data) return;
    const bool taken =
        std::ranges::any_of(core_.in_flight, [id](const InFlight& f) { return f.receives(id); });
    if (taken) return;
    offer({.task = tasks_.at(id), .id = id, .rank = tasks_.data_rank(id), .channel = channel});
  }

  void offer_controls() {
    const IdMask taken = core_.controls();
    for_each_id(channels_.colours(pe_) & open_ & ~taken, [this](std::uint32_t colour) {
      const ChannelId place = channels_.find(pe_, colour);
      if (transport_.head(place, now_) != Transport::Head::Control) return;
      const std::uint32_t entry = isa::entry_of(transport_.head_data(place));
      const bool bound = (tasks_.control() & id_bit(entry)) != 0;
      if (bound && (open_ & id_bit(entry)) == 0) return;
      const std::uint32_t task = bound ? tasks_.at(entry) : kNoTask;
      offer({.task = task, .id = entry, .rank = entry, .channel = place});
    });
  }

  void offer_teardown() {
    if (core_.rare == nullptr) return;
    for (const TornDown& torn : core_.rare->torn_down) {
      if (torn.visible > now_) continue;
      offer({.task = tasks_.teardown_at(torn.colour),
             .id = isa::kTeardownId,
             .rank = isa::kTeardownId,
             .torn_down = torn.colour});
    }
  }

  // An entry that nothing binds comes first: it is a trap as soon as it could be taken.
  // Takes the first that is offered among those of one rank: a data task before a control task,
  // which it meets only as a queue.
  std::pair<std::uint32_t, std::uint32_t> order(const Pick& pick) const {
    if (pick.task == kNoTask) return {0, 0};
    const std::uint32_t rank =
        isa::mutant(isa::Mutant::TaskOrder) ? isa::kTaskIds - pick.rank : pick.rank;
    return {tasks_[pick.task].high ? 1u : 2u, rank};
  }
  void offer(const Pick& pick) {
    if (!best_ || order(pick) < order(*best_)) best_ = pick;
  }

  PeId pe_;
  Core& core_;
  const TaskTable& tasks_;
  const ChannelMap& channels_;
  const Transport& transport_;
  Cycle now_;
  IdMask open_ = 0;
  std::optional<Pick> best_;
};

}  // namespace

std::optional<Pick> next_pick(PeId pe, Core& core, const ChannelMap& channels,
                              const Transport& transport, Cycle now) {
  return Picker(pe, core, channels, transport, now).run();
}

}  // namespace wse::vm
