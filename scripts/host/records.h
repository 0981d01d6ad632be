// Records of runs as Lua tables, and the machines behind them.
#pragma once

#include <cstdint>
#include <lua.hpp>
#include <memory>
#include <utility>

#include "vm/run/machine.h"

namespace wse::script {

// Bytes that count among those of the machines that live.
class HeldBytes {
 public:
  HeldBytes() = default;
  // Adds `bytes` to `held_bytes` until it is destroyed.
  HeldBytes(std::uint64_t bytes, std::uint64_t& held_bytes);
  HeldBytes(HeldBytes&& other) noexcept;
  HeldBytes& operator=(HeldBytes&& other) noexcept;
  ~HeldBytes();

 private:
  std::uint64_t bytes_ = 0;
  std::uint64_t* held_bytes_ = nullptr;
};

// A machine that counts among those that live.
class HeldMachine {
 public:
  HeldMachine() = default;
  // Adds `bytes`, which it may take, to `held_bytes` until it is destroyed.
  HeldMachine(std::unique_ptr<vm::Machine> machine, std::uint64_t bytes, std::uint64_t& held_bytes);

  vm::Machine* get() const { return machine_.get(); }
  vm::Machine& operator*() const { return *machine_; }
  vm::Machine* operator->() const { return machine_.get(); }
  // Gives the machine away, and with it the bytes that it holds.
  std::pair<std::unique_ptr<vm::Machine>, HeldBytes> take() {
    return {std::move(machine_), std::move(bytes_)};
  }

 private:
  HeldBytes bytes_;
  std::unique_ptr<vm::Machine> machine_;
};

class Past;
class TeamMachine;

// A record's machine, and what is known of the run before.
struct HeldRun {
  HeldMachine machine{};
  std::shared_ptr<Past> past{};
  std::shared_ptr<TeamMachine> shared{};  // of ranks that ran it together, instead of the machine
};

// The cycles in which a mark was passed, ascending, each once; by its name. Without those that
// nobody asked for.
using MarkTimes = std::map<std::string, std::vector<vm::Cycle>>;

// Pushes a fresh table with the fields of the JSON record; `machine_of` and `past_of` find what is
// behind it as long as the table lives. False: the error is on top.
bool push_record(lua_State* L, const vm::Record& record, bool fine, const MarkTimes& times,
                 HeldRun run);

// Pushes the same of a part of what a session did: there is no machine behind it. `began`: the
// cycle from which it counts.
bool push_launch_record(lua_State* L, const vm::Record& record, bool fine, vm::Cycle began);

// Returns the machine of the record at `index`; null if it is no record.
vm::Machine* machine_of(lua_State* L, int index);
Past* past_of(lua_State* L, int index);
// Null: this process has all of it.
TeamMachine* shared_of(lua_State* L, int index);

// Prepares the registry. May raise.
void open_records(lua_State* L);

}  // namespace wse::script
