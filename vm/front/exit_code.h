// The exit codes of every command.
#pragma once

namespace wse::front {

enum class ExitCode : int {
  Fine = 0,
  EndedBadly = 1,  // trap, deadlock, cycle limit, failed .expect, leftovers with --strict
  BadInput = 2,    // usage, unreadable files, assembly errors, places that cannot be written
  Exhausted = 3,   // out of memory or disk
  Interrupted = 130,
  ReaderGone = 141,  // nobody reads stdout any more; what a shell shows of tools that SIGPIPE ends
};

}  // namespace wse::front
