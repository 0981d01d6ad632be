// Where threads wait for each other, once per cycle of the machine: much too often to sleep each
// time, so they look for a while first.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace wse::vm {

class Barrier {
 public:
  explicit Barrier(std::uint32_t threads)
      : threads_(threads),
        looks_(threads <= std::thread::hardware_concurrency() ? kLooks : kLooksInTurn) {}

  // What the others did before they came here can be seen after it.
  void wait() {
    wait([] {});
  }
  // Calls meanwhile() now and then until all are there.
  template <class Meanwhile>
  void wait(Meanwhile meanwhile) {
    const std::uint32_t round = round_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      arrived_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      return;
    }
    for (int looks = 0; round_.load(std::memory_order_acquire) == round; ++looks) {
      meanwhile();
      if (looks < looks_) {
        pause();
      } else {
        std::this_thread::yield();  // another program may have the processor of the last one
      }
    }
  }

 private:
  static constexpr int kLooks = 4000;      // some microseconds
  static constexpr int kLooksInTurn = 50;  // where some thread must wait for a processor anyway

  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }

  const std::uint32_t threads_;
  const int looks_;
  alignas(64) std::atomic<std::uint32_t> arrived_ = 0;
  alignas(64) std::atomic<std::uint32_t> round_ = 0;
};

}  // namespace wse::vm
