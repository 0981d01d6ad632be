// Samples the processor time of the script's thread, ten times a second.
#include "scripts/host/watch.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace wse::script {
namespace {

constexpr auto kStep = std::chrono::milliseconds(100);
constexpr std::uint64_t kNanosecondsPerInstruction = 100;
constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;

std::uint64_t nanoseconds_for(std::uint64_t instructions) {
  return std::min(instructions, kNoLimit / kNanosecondsPerInstruction) * kNanosecondsPerInstruction;
}

}  // namespace

Watch::Watch(Limits& limits, GiveUp give_up) : limits_(limits), give_up_(std::move(give_up)) {
  if (!give_up_ || ::pthread_getcpuclockid(::pthread_self(), &clock_) != 0) return;
  last_nanoseconds_ = processor_nanoseconds();
  work_before_ = limits_.work();
  allowed_nanoseconds_ = limits_.patience_nanoseconds();
  try {
    thread_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {
  }
}

Watch::~Watch() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

std::uint64_t Watch::processor_nanoseconds() const {
  timespec time{};
  ::clock_gettime(clock_, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * kNanosecondsPerSecond +
         static_cast<std::uint64_t>(time.tv_nsec);
}

void Watch::watch() {
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, kStep, [this] { return ends_; })) look();
}

// An interval that began or ended in the host counts as the host's.
void Watch::look() {
  Pulse& pulse = limits_.pulse();
  const std::uint64_t now = processor_nanoseconds();
  const std::uint64_t spent = now - std::exchange(last_nanoseconds_, now);
  const std::uint64_t looks = pulse.looks;
  const std::uint64_t work = std::max<std::uint64_t>(pulse.work, work_before_) - work_before_;
  const bool in_host = pulse.in_host;
  const bool skipped = std::exchange(was_in_host_, in_host) || in_host;
  if (skipped || looks != last_looks_) {
    allowed_nanoseconds_ = limits_.patience_nanoseconds() + nanoseconds_for(work - last_work_);
    last_looks_ = looks;
    last_work_ = work;
    silent_nanoseconds_ = 0;
  }
  if (skipped) return;
  lua_nanoseconds_ += spent;
  silent_nanoseconds_ += spent;
  const std::uint64_t counted = work + pulse.more_work;
  const std::uint64_t of_time = lua_nanoseconds_ / kNanosecondsPerInstruction;
  if (of_time > counted) pulse.more_work += of_time - counted;
  if (silent_nanoseconds_ < allowed_nanoseconds_) return;
  give_up_(fmt::format("one instruction of Lua has taken {} s; the script is ended",
                       silent_nanoseconds_ / kNanosecondsPerSecond));
}

}  // namespace wse::script
