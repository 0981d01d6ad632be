// Records of runs as Lua tables, and the machines behind them.
#pragma once

#include <cstdint>
#include <lua.hpp>
#include <memory>

#include "vm/run/machine.h"

namespace wse::script {

// A machine that counts among those that live.
class HeldMachine {
 public:
  HeldMachine() = default;
  // Adds `bytes`, which it may take, to `held_bytes` until it is destroyed.
  HeldMachine(std::unique_ptr<vm::Machine> machine, std::uint64_t bytes, std::uint64_t& held_bytes);
  HeldMachine(HeldMachine&& other) noexcept;
  HeldMachine& operator=(HeldMachine&& other) noexcept;
  ~HeldMachine();

  vm::Machine* get() const { return machine_.get(); }
  vm::Machine& operator*() const { return *machine_; }

 private:
  std::unique_ptr<vm::Machine> machine_;
  std::uint64_t bytes_ = 0;
  std::uint64_t* held_bytes_ = nullptr;
};

// The cycles in which a mark was passed, ascending, each once; by its name. Without those that
// nobody asked for.
using MarkTimes = std::map<std::string, std::vector<vm::Cycle>>;

// Pushes a fresh table with the fields of the JSON record; `machine_of` finds the machine from it
// as long as the table lives. False: the error is on top.
bool push_record(lua_State* L, const vm::Record& record, bool fine, const MarkTimes& times,
                 HeldMachine machine);

// Of the record at `index`; null if it is no record.
vm::Machine* machine_of(lua_State* L, int index);

// Prepares the registry. May raise.
void open_records(lua_State* L);

}  // namespace wse::script
