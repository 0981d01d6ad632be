// Where threads wait for each other, once per cycle of the machine: much too often to sleep each
// time. Who waits looks for a while, then sleeps a little.
#pragma once

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

namespace wse::vm {

class Barrier {
 public:
  explicit Barrier(std::uint32_t threads) : threads_(threads), places_(threads) {}

  // What the others did before they came here can be seen after it. Threads are numbered from 0.
  void wait(std::uint32_t self) {
    wait(self, [] { return false; });
  }
  // Calls meanwhile() now and then until all are there; it returns whether there was something to
  // do.
  template <class Meanwhile>
  void wait(std::uint32_t self, Meanwhile meanwhile) {
    const int here = ::sched_getcpu();
    places_[self].processor.store(here, std::memory_order_relaxed);
    const std::uint32_t round = round_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      arrived_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      return;
    }
    const int most = shares(self, here) ? kFewLooks : kMostLooks;
    for (int looks = 0; round_.load(std::memory_order_acquire) == round;) {
      if (meanwhile()) looks = 0;
      if (looks < most) {
        ++looks;
        pause();
      } else {
        std::this_thread::sleep_for(kNap);
      }
    }
  }

 private:
  static constexpr int kMostLooks = 10000;  // some hundred microseconds
  static constexpr int kFewLooks = 20;      // where another thread waits for this very processor
  // Another program may have the processor of the last one. Who only offered its own would lose it
  // for milliseconds, and the others then wait for it; who sleeps gets it back.
  static constexpr std::chrono::microseconds kNap{20};

  // Where the thread was when it came here last.
  struct alignas(64) Place {
    std::atomic<int> processor = -1;
  };

  bool shares(std::uint32_t self, int here) const {
    return std::ranges::any_of(places_, [&](const Place& place) {
      return &place != &places_[self] && place.processor.load(std::memory_order_relaxed) == here;
    });
  }
  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }

  const std::uint32_t threads_;
  std::vector<Place> places_;
  alignas(64) std::atomic<std::uint32_t> arrived_ = 0;
  alignas(64) std::atomic<std::uint32_t> round_ = 0;
};

}  // namespace wse::vm
