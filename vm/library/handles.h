// Numbers for what callers hold, so that any number they give back can be checked.
//
// Must never use a number twice, nor keep what has been freed.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace wse::library {

class Program;
class Machine;

// The lowest bits of a number say what it names.
enum class HandleKind : std::uint64_t { Program = 0, Machine = 1, Run = 2 };
inline constexpr std::uint64_t kKindBits = 2;

// The things of one kind. Safe to call from several threads.
template <class Thing>
class Handles {
 public:
  explicit Handles(HandleKind kind) : kind_(kind) {}

  // Returns the number of a thing from now on.
  std::uint64_t add(std::shared_ptr<Thing> thing) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t number = ++count_ << kKindBits | static_cast<std::uint64_t>(kind_);
    things_.emplace(number, std::move(thing));
    return number;
  }

  // Returns the thing, or nothing if the number names none.
  std::shared_ptr<Thing> find(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    const auto found = things_.find(number);
    return found == things_.end() ? nullptr : found->second;
  }

  // Returns it once more: the number names nothing from now on.
  std::shared_ptr<Thing> take(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    const auto found = things_.find(number);
    if (found == things_.end()) return nullptr;
    std::shared_ptr<Thing> thing = std::move(found->second);
    things_.erase(found);
    return thing;
  }

 private:
  const HandleKind kind_;
  std::mutex mutex_;
  std::uint64_t count_ = 0;
  std::map<std::uint64_t, std::shared_ptr<Thing>> things_;
};

// Return the tables of the process, which outlive whatever runs at its end.
Handles<Program>& programs();
Handles<Machine>& machines();
// Returns the flags that end runs in one call.
Handles<std::atomic<bool>>& runs();

}  // namespace wse::library
