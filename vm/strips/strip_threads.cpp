// Each thread sleeps until its work is known.
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
  threads_.emplace_back([this, number] {
    work_.wait(nullptr);
    (*work_.load())(number);
  });
}

void StripThreads::run(const Work& work) { finish(work, true); }

void StripThreads::dismiss() {
  finish([](std::size_t) {}, false);
}

void StripThreads::finish(const Work& work, bool takes_part) {
  work_ = &work;
  work_.notify_all();
  if (takes_part) work(0);
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace wse::vm
