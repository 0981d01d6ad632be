// Waits of a strip for another one.
#include "vm/planes/borders/exchange.h"

#include <stdexcept>
#include <thread>

namespace wse::vm::wafer {

void Exchange::wait(std::uint32_t strip) {
  if (has_failed_.load(std::memory_order_relaxed)) {
    throw std::runtime_error("another strip has failed");
  }
  if (!is_alone_) return std::this_thread::yield();
  for (std::uint32_t other = 0; other < strips(); ++other) {
    if (other != strip) strips_[other].server->serve();
  }
}

}  // namespace wse::vm::wafer
