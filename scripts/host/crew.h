// Worker processes that share a list of points: copies of this process, made by fork, that take
// points 0, 1, ... one after the other and send frames back through pipes of their own.
//
//     parent   start -> next() ... next() -> destructor: nobody is left
//     worker            work(seat): take_point(), send(), ... -> _exit
//
// A worker never comes back into its parent's code, runs none of its destructors, and ends when
// the parent does. Must know nothing of Lua.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "isa/support/open_file.h"

namespace wse::script {

class Crew {
  struct Shared {
    std::atomic<std::uint64_t> next_point = 0;
    std::atomic<std::uint64_t> work = 0;
    std::atomic<bool> stop = false;
  };

 public:
  // The side of a worker.
  class Seat {
   public:
    Seat(Shared& shared, int pipe, int grants) : shared_(shared), pipe_(pipe), grants_(grants) {}

    // Takes a point that nobody has taken; its number may be beyond the last one.
    std::uint64_t take_point();
    // Returns the flag by which the parent asks it to end.
    const std::atomic<bool>& stop() const { return shared_.stop; }
    // A number that all processes see, for whatever they count.
    std::atomic<std::uint64_t>& work() { return shared_.work; }
    // Ends the process if nobody wants the frame any more.
    void send(const std::string& frame);

   private:
    Shared& shared_;
    int pipe_;
    int grants_;  // where granted points come from; -1: they are taken in their order
  };

  // How workers come to their points: one after the other, or those that grant() names.
  enum class Points : std::uint8_t { InOrder, Granted };

  // A frame, or the end of a worker with the status that waitpid gives.
  struct Report {
    std::size_t worker = 0;
    std::string frame;
    std::optional<int> ended;
    std::string place{};  // of the worker, for messages; empty: this process started it
  };

  // Starts at most `count` workers; fewer where the system refuses more. The error: not even one.
  // `done` is where work() begins.
  static std::expected<Crew, std::string> start(std::size_t count, std::uint64_t done,
                                                const std::function<void(Seat&)>& work,
                                                Points points = Points::InOrder);
  Crew(Crew&&) noexcept = default;
  Crew& operator=(Crew&&) = delete;
  // Asks all to end, then ends them.
  ~Crew();

  // Looks for workers that have not ended.
  bool empty() const { return workers_.empty(); }
  std::size_t size() const { return workers_.size(); }

  // Gives a point to the next worker that has none. At most kMostGranted may wait for one.
  void grant(std::uint64_t point);
  static constexpr std::size_t kMostGranted = 4096;

  std::uint64_t work() const { return shared_->work; }

  // Returns what came first; nothing after a short time in which nothing came.
  std::optional<Report> next(std::chrono::milliseconds look = kLook);

 private:
  struct Unmap {
    void operator()(Shared* shared) const;
  };
  struct Worker {
    std::size_t number = 0;
    pid_t process = 0;
    isa::OpenFile pipe{-1, true};
    std::string bytes{};    // that have come
    std::size_t taken = 0;  // of these
    bool at_end = false;
  };

  explicit Crew(Shared* shared) : shared_(shared) {}
  bool open_grants();
  bool add_worker(const std::function<void(Seat&)>& work);
  [[noreturn]] void be_worker(pid_t parent, int pipe, const std::function<void(Seat&)>& work);
  std::optional<Report> report_at_hand();
  void wait_for_bytes(std::chrono::milliseconds look);
  // Until the parent looks whether it is interrupted.
  static constexpr std::chrono::milliseconds kLook{50};

  std::unique_ptr<Shared, Unmap> shared_;
  isa::OpenFile granted_{-1, true};  // both ends of the pipe of granted points
  isa::OpenFile grants_{-1, true};
  std::vector<std::unique_ptr<Worker>> workers_;  // that have not been reaped
};

}  // namespace wse::script
