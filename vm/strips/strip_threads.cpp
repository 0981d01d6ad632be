// Each thread sleeps until the work of the next round is known.
#include "vm/strips/strip_threads.h"

#include <fmt/format.h>

#include <new>
#include <system_error>

#include "vm/support/host_threads.h"

namespace wse::vm {

StripThreads::StripThreads(std::uint32_t wanted) : StripThreads() {
  try {
    threads_.reserve(wanted - 1);  // the one that makes them works too
    while (count() < wanted) start(count());
  } catch (const std::system_error&) {
    shortage_ = thread_limit();
  } catch (const std::bad_alloc&) {
    shortage_ = "out of memory";
  }
  if (shortage_.empty()) return;
  shortage_ = fmt::format("{} of {} threads could start, because {}", count(), wanted, shortage_);
}

void StripThreads::start(std::size_t number) {
  threads_.emplace_back([this, number] { serve(number); });
}

void StripThreads::serve(std::size_t number) {
  for (std::uint32_t seen = 0;; ++seen) {
    round_.wait(seen);
    if (work_ == nullptr) return;
    (*work_)(number);
    if (--working_ == 0) working_.notify_one();
  }
}

void StripThreads::run(const Work& work) {
  work_ = &work;
  working_ = static_cast<std::uint32_t>(threads_.size());
  ++round_;
  round_.notify_all();
  work(0);
  for (std::uint32_t left = working_; left != 0; left = working_) working_.wait(left);
}

void StripThreads::dismiss() {
  work_ = nullptr;
  ++round_;
  round_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace wse::vm
