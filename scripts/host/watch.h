// A thread that watches how long Lua takes over its instructions. One call of a table whose
// __call is a long chain, a lookup among keys that collide, a collection of weak tables: all are
// one instruction, in which no hook is called, and can take hours. So
//
//   - processor time counts: 100 ns that Lua works are at least one instruction of the limit;
//   - a script that has been in one instruction for LimitOptions::patience is given up. Nothing can
//     come back from there: `give_up` must end the process.
//
// Time decides nothing else, and only about a script that is more than ten times slower than one
// instruction of Lua after the other. Must never call Lua.
#pragma once

#include <condition_variable>
#include <ctime>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "scripts/host/limits.h"

namespace wse::script {

// Called in the thread of the watch.
using GiveUp = std::function<void(const std::string& message)>;

class Watch {
 public:
  // Watches the thread that makes it. Where the system has no thread for it, nobody watches.
  Watch(Limits& limits, GiveUp give_up);
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch();

 private:
  void watch();
  void look();
  std::uint64_t processor_nanoseconds() const;

  Limits& limits_;
  GiveUp give_up_;
  clockid_t clock_{};
  std::uint64_t last_nanoseconds_ = 0;  // of the processor
  std::uint64_t lua_nanoseconds_ = 0;   // of these in Lua
  std::uint64_t last_work_ = 0;         // at the last look of the script
  std::uint64_t last_looks_ = 0;
  std::uint64_t silent_nanoseconds_ = 0;   // since then, in Lua
  std::uint64_t allowed_nanoseconds_ = 0;  // of these
  std::uint64_t work_before_ = 0;
  bool was_in_host_ = false;

  std::mutex mutex_;
  std::condition_variable ended_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace wse::script
