// The threads that run the strips of a machine. They start before the machine is cut into strips:
// a host that gives fewer threads than were asked for gets fewer strips, and a run that has begun
// never lacks a thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace wse::vm {

class StripThreads {
 public:
  // Must not throw; receives the number of its thread.
  using Work = std::function<void(std::size_t thread)>;

  // Starts `wanted` threads, counting the caller's, or as many as the host gives.
  explicit StripThreads(std::uint32_t wanted);
  StripThreads(const StripThreads&) = delete;
  StripThreads& operator=(const StripThreads&) = delete;
  ~StripThreads() { dismiss(); }

  // Threads that can work, counting the caller's; at least 1.
  std::uint32_t count() const { return static_cast<std::uint32_t>(threads_.size()) + 1; }
  // Why there are fewer than were wanted; empty if there are not.
  const std::string& shortage() const { return shortage_; }

  // Calls work(k) at once for each k below count(), with k = 0 on the caller's thread. Returns when
  // all have returned; then the threads wait for the next call.
  void run(const Work& work);
  // Ends the threads: nothing else is called.
  void dismiss();

 private:
  StripThreads() = default;  // complete: if the other constructor throws, the threads are ended
  void start(std::size_t number);
  void serve(std::size_t number);

  const Work* work_ = nullptr;              // of this round; null: the threads end
  std::atomic<std::uint32_t> round_ = 0;    // grows when the work of a round is known
  std::atomic<std::uint32_t> working_ = 0;  // threads that have not returned in this round
  std::vector<std::thread> threads_;
  std::string shortage_;
};

}  // namespace wse::vm
