// Where threads wait for each other, once per cycle of the machine: much too often to sleep each
// time. A thread that waits looks for a while, then sleeps until the last one wakes it.
#pragma once

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdint>
#include <ctime>
#include <vector>

#include "isa/support/mutant.h"
#include "vm/support/host_threads.h"

namespace wse::vm {

class Barrier {
 public:
  explicit Barrier(std::uint32_t threads)
      : threads_(threads), is_crowded_(threads > host_processors()), places_(threads) {}

  // Waits for all threads; what the others did before can be seen after it. Threads are numbered
  // from 0.
  void wait(std::uint32_t self) {
    wait(self, nullptr, [] { return false; });
  }
  // Calls meanwhile() now and then until all are there; it returns whether there was something to
  // do.
  template <class Meanwhile>
  void wait(std::uint32_t self, Meanwhile meanwhile) {
    wait(self, &kNap, meanwhile);
  }

 private:
  static constexpr int kMostLooks = 2000;  // up to a hundred microseconds, as going to sleep costs
  static constexpr int kFewLooks = 20;     // where another thread needs this very processor
  // Between two calls of meanwhile().
  static constexpr timespec kNap{.tv_sec = 0, .tv_nsec = 20'000};

  // Sleeps for `nap` at a time, or until the last one comes if there is none. A thread that only
  // offered its processor to others would lose it for milliseconds to other programs.
  template <class Meanwhile>
  void wait(std::uint32_t self, const timespec* nap, Meanwhile meanwhile) {
    const int here = ::sched_getcpu();
    places_[self].processor.store(here, std::memory_order_relaxed);
    const std::uint32_t round = round_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      arrived_.store(0, std::memory_order_relaxed);
      round_.store(round + 1);
      if (sleepers_.load() > 0) wake_all();
      return;
    }
    const int most = is_crowded_ || shares(self, here) ? kFewLooks : kMostLooks;
    for (int looks = 0; round_.load(std::memory_order_acquire) == round;) {
      if (meanwhile()) looks = 0;
      if (looks < most) {
        ++looks;
        pause();
      } else {
        sleep(round, nap);
        if (isa::mutant(isa::Mutant::NapIsOver)) return;
      }
    }
  }

  // Where the thread was when it came here last.
  struct alignas(64) Place {
    std::atomic<int> processor = -1;
  };

  bool shares(std::uint32_t self, int here) const {
    return std::ranges::any_of(places_, [&](const Place& place) {
      return &place != &places_[self] && place.processor.load(std::memory_order_relaxed) == here;
    });
  }
  // The kernel compares round_ with `round` after the thread has counted itself, the last one
  // writes it before it reads the count: it either wakes the thread or keeps it from sleeping.
  void sleep(std::uint32_t round, const timespec* nap) {
    sleepers_.fetch_add(1);
    ::syscall(SYS_futex, &round_, FUTEX_WAIT_PRIVATE, round, nap, nullptr, 0);
    sleepers_.fetch_sub(1, std::memory_order_relaxed);
  }
  void wake_all() {
    ::syscall(SYS_futex, &round_, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  }
  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }

  const std::uint32_t threads_;
  const bool is_crowded_;  // more threads than processors
  std::vector<Place> places_;
  alignas(64) std::atomic<std::uint32_t> arrived_ = 0;
  alignas(64) std::atomic<std::uint32_t> round_ = 0;
  std::atomic<std::uint32_t> sleepers_ = 0;  // read where round_ is written
};

}  // namespace wse::vm
