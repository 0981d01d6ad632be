// Limits of a script: memory, work, and the time until somebody interrupts it.
//
// Memory is what Lua asks for, and what the host keeps for the script. Work is counted in
// instructions of Lua; functions in C add what they do (charges.h), and where Lua itself takes
// long over an instruction, its time counts (watch.h). Where a limit trips, it stays tripped: the
// error comes again at every instruction, and what catches errors (protected_calls.cpp) hands it
// on. Must never be asked for memory that is neither.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <lua.hpp>
#include <string>

namespace wse::script {

inline constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

struct LimitOptions {
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;
  std::uint64_t instructions = 10'000'000'000;
  std::chrono::nanoseconds patience = std::chrono::seconds(20);  // with one instruction (watch.h)
  const std::atomic<bool>* interrupt = nullptr;
};

// The part of a script that a Watch, in a thread of its own, sees and adds to.
struct Pulse {
  std::atomic<std::uint64_t> looks = 0;      // of hooks and charges
  std::atomic<std::uint64_t> work = 0;       // at the last look
  std::atomic<std::uint64_t> more_work = 0;  // for the next look
  std::atomic<bool> in_host = false;         // C++ is working, not Lua
};

// Why a script has to stop. Finished: it has done what it was started for.
// Rank: another process of a team cannot continue (team.h).
enum class Trip : std::uint8_t { None, Instructions, Memory, Interrupted, Finished, Rank };

class Limits {
 public:
  explicit Limits(const LimitOptions& options) : options_(options) {}

  // A lua_Alloc; `self` is the Limits.
  static void* allocate(void* self, void* block, std::size_t old_bytes, std::size_t bytes);

  // From now on the thread, and all that it creates, are counted.
  static void watch(lua_State* L);

  // Returns the work that has been done so far.
  std::uint64_t work() const { return work_; }

  // Counts work that no instruction stands for. False: a limit has tripped, or it was interrupted.
  bool charge(std::uint64_t instructions);

  // Charges in the same way, raising the error.
  void charge_or_raise(lua_State* L, std::uint64_t instructions);

  void trip(Trip why);
  // Trips with Trip::Rank; `text` says more.
  void trip_by_rank(std::string text);

  // Which flag interrupts it from now on.
  void listen_to(const std::atomic<bool>& flag) { options_.interrupt = &flag; }
  const std::atomic<bool>* interrupt() const { return options_.interrupt; }

  // From now on the work also counts in `total`, of several processes, and the limit holds for
  // that. It is told now and then; tell_work() tells the rest.
  void share_work(std::atomic<std::uint64_t>& total);
  void tell_work();

  // Returns the limit that has tripped, if one has. Memory that Lua was refused, and has not asked
  // for again after a collection, it has done without.
  Trip tripped() const {
    return tripped_ == Trip::None && refused_.bytes > 0 ? Trip::Memory : tripped_;
  }

  // Memory that the host keeps for the script from now on, or no longer. False: it is too much.
  bool hold(std::uint64_t bytes);
  void release(std::uint64_t bytes) { memory_used_ -= bytes; }

  // Leaves the C function by the error that says what has tripped.
  [[noreturn]] void raise(lua_State* L);

  // Returns what raise() says after the line; without a trip, what the memory limit would say.
  std::string text() const;

  std::uint64_t memory_bytes() const { return options_.memory_bytes; }
  std::uint64_t memory_used() const { return memory_used_; }
  std::uint64_t patience_nanoseconds() const {
    return static_cast<std::uint64_t>(options_.patience.count());
  }
  Pulse& pulse() { return pulse_; }

 private:
  struct Request {
    void* block = nullptr;
    std::size_t old_bytes = 0;
    std::size_t bytes = 0;  // 0: none
    bool operator==(const Request&) const = default;
  };

  void refuse(const Request& request);
  void grant(const Request& request);
  static void on_count(lua_State* L, lua_Debug* where);

  LimitOptions options_;
  std::uint64_t memory_used_ = 0;
  std::uint64_t work_ = 0;
  std::uint64_t told_work_ = 0;  // of this, in
  std::atomic<std::uint64_t>* total_work_ = nullptr;
  Trip tripped_ = Trip::None;
  std::string of_rank_;  // the text of Trip::Rank
  Request refused_;
  Pulse pulse_;
};

// Returns the limits of the state that a thread belongs to, which was made with Limits::allocate.
Limits& limits_of(lua_State* L);

}  // namespace wse::script
