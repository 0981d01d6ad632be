// The loop over cycles.
#include "vm/planes/wafer.h"

#include <algorithm>
#include <array>
#include <span>

#include "isa/support/checked.h"
#include "isa/support/mutant.h"

namespace wse::vm::wafer {
Wafer::Wafer(const Parts& parts)
    : trap_(parts.trap),
      counters_(parts.ledger.counters),
      pes_(parts.pes),
      border_(parts.link, parts.field.grid, parts.ends),
      grid_(parts.field.grid),
      channels_(parts.field.channels),
      table_(parts.field.table),
      threads_(parts.pes),
      fifos_(parts.pes, threads_),
      run_lists_(messages_),
      loans_(messages_, border_),
      words_({table_, threads_, fifos_, border_, messages_, run_lists_, loans_, relay_}),
      rests_(table_, parts.field.issue, counters_),
      activity_(table_, rests_),
      disturbances_({table_, border_, activity_, rests_}),
      controls_(pes_, grid_),
      switches_({parts.profile, table_, run_lists_, parts.ledger.history, relay_}),
      arrivals_({parts.image, parts.profile, border_, counters_, table_, run_lists_, loans_, words_,
                 disturbances_, controls_, relay_}),
      marked_({table_, run_lists_, switches_, arrivals_}),
      down_ramps_({table_, parts.field.issue, threads_, run_lists_, words_, activity_, rests_,
                   controls_, relay_}),
      configuration_(table_, switches_, rests_),
      peaks_(table_),
      routers_({parts.image, parts.profile, border_, counters_, parts.trap, table_,
                parts.field.issue, run_lists_, activity_, disturbances_, switches_, marked_,
                down_ramps_, peaks_, relay_}),
      moving_(grid_.blocks()),
      held_({pes_, grid_, parts.field.issue, rests_}),
      starting_({parts.profile, pes_, table_, parts.field.issue, threads_, fifos_, run_lists_,
                 words_, rests_, moving_}),
      ending_(
          {parts.ledger, table_, parts.field.issue, threads_, fifos_, run_lists_, words_, relay_}),
      passed_({table_, parts.field.issue, threads_, messages_, run_lists_, words_, rests_, moving_,
               relay_}),
      control_slots_({table_, parts.field.issue, threads_, run_lists_, words_, arrivals_,
                      down_ramps_, relay_}),
      activities_(grid_, parts.field.issue, parts.ledger.activity),
      slots_({grid_, parts.ledger, parts.field.issue, activities_, threads_, words_, rests_,
              moving_, routers_, activity_, controls_, control_slots_, ending_, relay_}),
      order_(
          {grid_,
           held_,
           starting_,
           slots_,
           routers_,
           activity_,
           configuration_,
           rests_,
           ending_,
           passed_,
           {border_, table_, parts.field.issue, threads_, messages_, run_lists_, loans_, rests_}}),
      view_({grid_, channels_, table_, configuration_, down_ramps_, run_lists_, words_, threads_,
             parts.field.issue, fifos_}),
      queue_counts_({pes_, table_, rests_, peaks_, ending_, counters_}),
      taken_({parts.profile,
              pes_,
              border_,
              table_,
              peaks_,
              activity_,
              disturbances_,
              order_,
              queue_counts_,
              counters_,
              {table_, messages_, run_lists_, controls_},
              {grid_, threads_, parts.field.issue, fifos_, held_, starting_, ending_, moving_}}),
      state_({pes_, table_, threads_, parts.field.issue, fifos_, held_, peaks_, messages_,
              run_lists_, words_, taken_}) {}

void Wafer::connect(TransportClient& client) {
  relay_.client = &client;
  threads_.open();
  starting_.make_planes();
}

Cycle Wafer::run(Cycle from, Cycle until, const std::atomic<bool>* stop) {
  relay_.told = false;
  const auto is_over = [&] {
    return relay_.told || trap_.first() ||
           (stop != nullptr && stop->load(std::memory_order_relaxed));
  };
  from = std::max(from, order_.following());  // cores may act twice in a cycle
  if (meets()) {                              // in any case, as others may send something here
    if (from < until) order_.decide(from);
    return until;
  }
  Cycle now = activity_.due().any() || configuration_.has_writes() || rests_.has_called()
                  ? from
                  : std::max(from, next());
  if (now > from && is_over()) return from + 1;
  for (; now < until; now = std::max(now + 1, next())) {
    order_.decide(now);
    order_.settle(now);
    if (is_over()) return now + 1;
  }
  return until;
}

void Wafer::meet(Cycle now) {
  border_.turn();
  arrivals_.read_letters(now);
  if (now < order_.following()) return;
  routers_.update_border();
  order_.settle(now);
}

void Wafer::take_in() {
  if (!meets()) return;
  border_.turn();
  loans_.give_back_copies();
  arrivals_.read_letters(order_.following());
}

void Wafer::flush(Cycle end, bool reads_memory) {
  activities_.part();
  rests_.settle(end);
  if (reads_memory) ending_.apply_issued();
}

}  // namespace wse::vm::wafer
