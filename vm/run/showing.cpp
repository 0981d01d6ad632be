// A machine that has stopped is shown as it was at the end of its last cycle, and continues from
// what it was.
//
//     flush         what has issued is applied, which stays so
//     put_down      the ledger is kept
//     rewind, ...   all else is for those who look
//     hide          and is undone
#include <algorithm>

#include "vm/run/parts.h"

namespace wse::vm {

void Machine::Parts::flush(bool reads_memory) {
  for (const auto& strip : strips) {
    strip->transport->flush(now + 1, reads_memory);
    strip->cores->flush(now + 1);
  }
}

void Machine::Parts::show(bool reads_memory) {
  communicator->work_alone(true);
  flush(reads_memory);
  StripReport report;
  report.finish = strips.counters().latest_finish;
  const Cycle finish = communicator->join_others(report).finish;
  is_shown = true;
  for (const auto& strip : strips) {
    strip->ledger.counters.finished(finish);
    if (goes_on()) strip->ledger.put_down();
    strip->transport->counts().count_unfinished();
    // Cores that are put back ask for cycles that are over.
    if (goes_on()) strip->kept_agenda = std::exchange(strip->agenda, Agenda(strip->pes));
    rewind(*strip);
    strip->cores->rewinder().show_ends(now);
  }
  close_ledgers();
}

// Puts PEs that ran ahead of the clock back to its cycle.
void Machine::Parts::rewind(Strip& strip) {
  if (status == RunStatus::Trap) strip.cores->rewinder().rewind(now, now);
  if (can_continue()) strip.cores->rewinder().rewind(now + 1, now);
}

// A machine that was stopped has done no more cycles than that, whatever has been planned.
void Machine::Parts::close_ledgers() {
  const Cycle finish = strips.counters().latest_finish;
  const bool is_stopped = status != RunStatus::Halted && status != RunStatus::Deadlock;
  cycles = is_stopped ? std::min(finish, now + 1) : finish;
  for (const auto& strip : strips) strip->ledger.counters.finished(finish);
  strips.at_once([this](std::size_t k) { strips[k].cores->close_activity(cycles); });
}

void Machine::Parts::hide() {
  if (!std::exchange(is_shown, false)) return;
  for (const auto& strip : strips) {
    strip->cores->rewinder().unwind();
    strip->agenda = std::move(*strip->kept_agenda);
    strip->kept_agenda.reset();
    strip->ledger.take_up();
  }
  communicator->work_alone(false);
}

}  // namespace wse::vm
