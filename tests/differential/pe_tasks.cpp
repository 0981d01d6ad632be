// Tasks of one PE: main that continues in local tasks, and servers that take what comes.
#include <fmt/format.h>

#include "tests/differential/pe_writer.h"

namespace wse::differential {

// The rest of the program runs as a local task, which code or the finish of an instruction starts.
void PeWriter::split() {
  const std::string task = fmt::format("part{}", ++tasks_);
  switch (random_.below(3)) {
    case 0: line("activate " + task); break;
    case 1: loop_back(" activate " + task); break;
    default:
      line("block " + task);
      line("activate " + task);
      loop_back(" unblock " + task);
  }
  header(fmt::format("task {}{}:", task, random_.one_in(3) ? " high" : ""));
}

// A data task that keeps what it is given. With `halt_after`, the last wavelet ends the program.
void PeWriter::server_task(const std::string& from, std::uint32_t halt_after, bool may_end) {
  const std::string task = "take_" + from;
  const bool two = random_.one_in(2);
  header(fmt::format("task {} on {} ({}){}:", task, colour(from), two ? "taken, seen" : "taken",
                     random_.one_in(3) ? " high" : ""));
  line("and32 noted, r12, 31");
  line("mov32 log[noted], taken");
  line("add32 r12, r12, 1");
  if (random_.one_in(3)) scalars();
  if (halt_after == 0) {
    const std::string next = fmt::format("after_{}", from);
    switch (random_.below(7)) {
      case 0:
        line("block " + task);
        line(fmt::format("mov32 inbox_{}[0:3], fabin({}, length=3{}) async 5 unblock {}", from,
                         colour(from), may_end ? ", on_control=terminate" : "", task));
        break;
      case 1:
        line("block " + task);
        line("activate " + next);
        header(fmt::format("task {}:", next));
        delay();
        line("unblock " + task);
        break;
      case 2:
        line("activate " + next);
        header(fmt::format("task {}{}:", next, random_.one_in(2) ? " high" : ""));
        scalars();
        break;
      default: break;
    }
    return;
  }
  const std::string on = fmt::format("on_{}", from);
  line(fmt::format("blt r12, {}, {}", halt_after, on));
  line("halt");
  header(on + ":");
  line("mark served");
}

}  // namespace wse::differential
