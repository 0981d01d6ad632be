// A rank that the system ends (SIGKILL where memory runs out, a crash) cannot say so itself, and a
// launcher answers with an exit code of its own. So a rank is two processes: one that works, and
// one that waits for it, hands on signals that ask for the end, and says how it ended.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace wse::ranks {

// Forks; must be called before there is a second thread. Returns nothing in the process that works,
// or if no process can be started. In the other it returns, when that has ended, the exit code:
// that of the process, or `code` after complain(message) if a signal has ended it. The process that
// works ends when the other does.
std::optional<int> guard_rank(int rank, int code,
                              const std::function<void(const std::string& message)>& complain);

}  // namespace wse::ranks
