// Where threads wait for each other, once per cycle of the machine: much too often to sleep each
// time. Who waits looks for a while, then offers its processor a few times, then sleeps.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace wse::vm {

class Barrier {
 public:
  explicit Barrier(std::uint32_t threads) : threads_(threads) {}

  // What the others did before they came here can be seen after it.
  void wait() {
    wait([] { return false; });
  }
  // Calls meanwhile() now and then until all are there; it returns whether there was something to
  // do.
  template <class Meanwhile>
  void wait(Meanwhile meanwhile) {
    const std::uint32_t round = round_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      arrived_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      return;
    }
    const int most = looks_.load(std::memory_order_relaxed);
    int looks = 0;
    for (; round_.load(std::memory_order_acquire) == round; ++looks) {
      if (meanwhile()) looks = 0;
      if (looks < most) {
        pause();
      } else if (looks < most + kOffers) {
        std::this_thread::yield();
      } else {
        std::this_thread::sleep_for(kNap);
      }
    }
    learn(most, looks <= most);
  }

 private:
  static constexpr int kMostLooks = 4000;  // some microseconds
  static constexpr int kFewestLooks = 20;
  // The last one may wait for this very processor: then it gets it here.
  static constexpr int kOffers = 4;
  // Another program may have the processor of the last one. Who offered its own again and again
  // would lose it for milliseconds, and the others then wait for it; who sleeps gets it back.
  static constexpr std::chrono::microseconds kNap{20};

  // Where looking is in vain it is done less and less, and more again where it helps.
  void learn(int looks, bool helped) {
    const int next =
        helped ? std::min(kMostLooks, looks + looks / 8) : std::max(kFewestLooks, looks / 2);
    if (next != looks) looks_.store(next, std::memory_order_relaxed);
  }
  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }

  const std::uint32_t threads_;
  std::atomic<int> looks_ = kMostLooks;  // before who waits sleeps
  alignas(64) std::atomic<std::uint32_t> arrived_ = 0;
  alignas(64) std::atomic<std::uint32_t> round_ = 0;
};

}  // namespace wse::vm
