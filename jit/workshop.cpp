// The thread that compiles, and how it is left.
#include "jit/workshop.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <system_error>

namespace wse::jit {
namespace {

// Threads of workshops that are gone.
std::atomic<int> left_at_work = 0;

// A process that ends by exit() takes down what compiling threads use: a handler waits until they
// have compiled what they are at, and they begin nothing more. In a child that was forked nobody
// works.
std::atomic<int> jobs = 0;
std::atomic<bool> is_ending = false;
std::atomic<::pid_t> process = 0;

bool begin_job() {
  ++jobs;
  if (!is_ending) return true;
  --jobs;
  return false;
}

void wait_for_jobs() {
  if (::getpid() != process) return;
  is_ending = true;
  while (jobs > 0 || is_still_compiling()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// Lets exit() wait before it destroys what has been constructed up to this call.
void wait_at_exit() {
  process = ::getpid();
  static_cast<void>(std::atexit(wait_for_jobs));
}

// Two moments suffice: what lasts is constructed before the first thread, or by the first job.
std::once_flag first_thread;
std::once_flag first_job;

}  // namespace

struct Workshop::Shared {
  Shared(std::unique_ptr<Compiler> compiler, const JitOptions& options)
      : bench(std::move(compiler), options) {}

  void serve();

  Workbench bench;
  std::mutex mutex;  // of what follows
  std::condition_variable changed;
  std::deque<CompileRequest> requests;
  bool is_busy = false;   // its thread compiles,
  bool stops = false;     // ends after that,
  bool was_left = false;  // and nobody waits for it
};

Workshop::Workshop(std::unique_ptr<Compiler> compiler, const JitOptions& options)
    : threshold_(options.threshold.value_or(kThreshold)),
      straight_threshold_(std::max(threshold_, options.straight_threshold.value_or(threshold_))),
      least_stretch_(options.least_stretch),
      waits_at_end_(options.waits_at_end),
      shared_(std::make_shared<Shared>(std::move(compiler), options)) {}

bool Workshop::open() {
  if (thread_.joinable()) return true;
  std::call_once(first_thread, wait_at_exit);
  try {
    thread_ = std::thread([shared = shared_]() mutable {
      shared->serve();
      const bool was_left = shared->was_left;
      shared.reset();  // the compiler goes with it if it was left
      if (was_left) --left_at_work;
    });
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

Workshop::~Workshop() {
  shared_->bench.abandon();
  if (!thread_.joinable()) return;
  bool is_busy = false;
  {
    const std::lock_guard lock(shared_->mutex);
    is_busy = shared_->is_busy && !waits_at_end_;
    shared_->stops = true;
    shared_->was_left = is_busy;
    if (is_busy) ++left_at_work;
  }
  shared_->changed.notify_one();
  if (is_busy) {
    thread_.detach();
  } else {
    thread_.join();
  }
}

void Workshop::ask(const CompileRequest& request) {
  if (request.program->at(request.kind, request.pc).asked.exchange(true)) return;
  if (threshold_ == 0) return shared_->bench.compile(request);
  std::unique_lock lock(shared_->mutex);
  if (!open()) {
    lock.unlock();
    return shared_->bench.compile(request);
  }
  shared_->requests.push_back(request);
  lock.unlock();
  shared_->changed.notify_one();
}

Work Workshop::work() const { return shared_->bench.work(); }

void Workshop::Shared::serve() {
  std::unique_lock lock(mutex);
  for (;;) {
    changed.wait(lock, [this] { return stops || !requests.empty(); });
    if (stops || !begin_job()) return;
    const CompileRequest request = std::move(requests.front());
    requests.pop_front();
    is_busy = true;
    lock.unlock();
    bench.compile(request);
    std::call_once(first_job, wait_at_exit);
    --jobs;
    lock.lock();
    is_busy = false;
  }
}

bool is_still_compiling() { return left_at_work > 0; }

}  // namespace wse::jit
