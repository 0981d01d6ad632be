// A reduction: all strips of a machine join their reports of a cycle, so that each comes to the
// same decision of what is next.
#pragma once

#include <algorithm>
#include <cstdint>

#include "vm/contract/link.h"
#include "vm/support/time.h"

namespace wse::vm {

// The report of a strip after a cycle, or of several, joined in any order.
struct StripReport {
  Cycle next = kNever;  // when something happens there
  Cycle note = kNever;  // of its first note that waits
  Cycle finish = 0;     // see Counters::latest_finish
  bool trapped = false;
  bool interrupted = false;
  bool failed = false;  // an exception waits in its thread
  bool asks = false;    // all are to count their busy PEs
  bool is_done = true;  // no PE has unfinished work; asked for when nothing happens any more
  std::uint64_t busy_pes = 0;

  void join(const StripReport& other) {
    next = std::min(next, other.next);
    note = std::min(note, other.note);
    finish = std::max(finish, other.finish);
    trapped |= other.trapped;
    interrupted |= other.interrupted;
    failed |= other.failed;
    asks |= other.asks;
    is_done &= other.is_done;
    busy_pes += other.busy_pes;
  }
};

// The place of one strip in a reduction. Both methods throw LostStrip where another strip will not
// join any more.
class Reduce {
 public:
  virtual ~Reduce() = default;

  // Waits until all strips have joined, and returns the reports of all. Messages that any strip
  // sent before it joined can be read after it, in the next turn of the link. Calls server->serve()
  // now and then while it waits, unless the server is null.
  virtual StripReport join(const StripReport& report, Server* server) = 0;
  // Waits until all strips have met, without a report.
  virtual void meet(Server* server) = 0;
};

}  // namespace wse::vm
