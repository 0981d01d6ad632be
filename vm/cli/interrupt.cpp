// The signal handler. A handler can only reach static storage, so the flag lives here and nowhere
// else.
#include "vm/cli/interrupt.h"

#include <csignal>

namespace wse::cli {
namespace {

std::atomic<bool>& flag() {
  static std::atomic<bool> set = false;
  return set;
}

void on_signal(int signal) {
  flag().store(true, std::memory_order_relaxed);
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& interrupt_flag() {
  flag();  // constructed before a signal can come
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  return flag();
}

}  // namespace wse::cli
