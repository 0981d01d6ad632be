// A record is a plain table. Its machine is a userdata in a table of the registry whose keys, the
// records, are weak: a script can neither reach nor forge it.
#include "scripts/host/records.h"

#include <string>
#include <string_view>
#include <utility>

#include "isa/support/mutant.h"
#include "scripts/host/binding.h"
#include "scripts/host/team_machine.h"

namespace wse::script {
namespace {

constexpr const char* kMachines = "wse.machines";  // in the registry: record -> userdata
constexpr const char* kMachineType = "wse.machine";

int destroy_machine(lua_State* L) {
  static_cast<HeldRun*>(lua_touserdata(L, 1))->~HeldRun();
  return 0;
}

void set(lua_State* L, const char* name, std::uint64_t value) {
  lua_pushinteger(L, static_cast<lua_Integer>(value));
  lua_setfield(L, -2, name);
}

void set(lua_State* L, const char* name, std::string_view value) {
  lua_pushlstring(L, value.data(), value.size());
  lua_setfield(L, -2, name);
}

void set_list(lua_State* L, const char* name, const std::vector<vm::Cycle>& cycles) {
  lua_createtable(L, static_cast<int>(cycles.size()), 0);
  for (std::size_t k = 0; k < cycles.size(); ++k) {
    lua_pushinteger(L, static_cast<lua_Integer>(cycles[k]));
    lua_rawseti(L, -2, static_cast<lua_Integer>(k + 1));
  }
  lua_setfield(L, -2, name);
}

void set_counters(lua_State* L, const vm::Record& r, vm::CounterGroup group) {
  vm::for_each_counter(r, group,
                       [L](const char* name, std::uint64_t value) { set(L, name, value); });
}

void set_fabric(lua_State* L, const vm::Record& r) {
  lua_newtable(L);
  set_counters(L, r, vm::CounterGroup::fabric);
  lua_setfield(L, -2, "fabric");
}

void set_pe_cycles(lua_State* L, const vm::Counters& counters) {
  const auto cycles = [&counters](vm::Activity activity) {
    return counters.pe_cycles[static_cast<std::size_t>(activity)];
  };
  lua_newtable(L);
  set(L, "busy", cycles(vm::Activity::Busy));
  set(L, "memory_stall", cycles(vm::Activity::MemoryStall));
  const bool swapped = isa::mutant(isa::Mutant::RecordWaits);
  set(L, "wait_input", cycles(swapped ? vm::Activity::WaitOutput : vm::Activity::WaitInput));
  set(L, "wait_output", cycles(vm::Activity::WaitOutput));
  set(L, "idle", cycles(vm::Activity::Idle));
  lua_setfield(L, -2, "pe_cycles");
}

void set_marks(lua_State* L, const vm::Record& r, const MarkTimes& times) {
  lua_newtable(L);
  for (const auto& [name, mark] : r.marks) {
    lua_newtable(L);
    set(L, "first", mark.first);
    set(L, "last", mark.last);
    set(L, "count", mark.count);
    if (const auto cycles = times.find(name); cycles != times.end()) {
      set_list(L, "times", cycles->second);
    }
    lua_setfield(L, -2, name.c_str());
  }
  lua_setfield(L, -2, "marks");
}

void set_pe(lua_State* L, std::uint32_t x, std::uint32_t y) {
  lua_createtable(L, 2, 0);
  lua_pushinteger(L, x);
  lua_seti(L, -2, 1);
  lua_pushinteger(L, y);
  lua_seti(L, -2, 2);
  lua_setfield(L, -2, "pe");
}

void set_trap(lua_State* L, const vm::Record& r) {
  if (!r.trap) return;
  lua_newtable(L);
  set(L, "kind", isa::info(r.trap->kind).text);
  set(L, "cycle", r.trap->cycle);
  set_pe(L, r.trap->x, r.trap->y);
  if (!r.trap->line.empty()) set(L, "line", r.trap->line);
  set(L, "detail", r.trap->detail);
  lua_setfield(L, -2, "trap");
}

void set_positions(lua_State* L, const vm::Record& r) {
  lua_createtable(L, static_cast<int>(r.positions.size()), 0);
  lua_Integer index = 0;
  for (const vm::PositionRecord& moved : r.positions) {
    lua_createtable(L, 0, 3);
    set_pe(L, moved.x, moved.y);
    set(L, "colour", moved.colour);
    set(L, "position", moved.position);
    lua_seti(L, -2, ++index);
  }
  lua_setfield(L, -2, "positions");
  set(L, "positions_total", r.positions_total);
}

void set_jitter(lua_State* L, const vm::Record& r) {
  if (!r.jitter) return;
  lua_newtable(L);
  set(L, "seed", r.jitter->seed);
  set(L, "cycles", r.jitter->cycles);
  lua_setfield(L, -2, "jitter");
}

void push_fields(lua_State* L, const vm::Record& r, bool fine, const MarkTimes& times) {
  lua_newtable(L);
  lua_pushboolean(L, fine ? 1 : 0);
  lua_setfield(L, -2, "ok");
  set(L, "status", vm::text(r.status));
  if (!r.message.empty()) set(L, "message", r.message);
  set(L, "cycles", r.cycles);
  if (r.cycles_low) set(L, "cycles_low", *r.cycles_low);
  if (r.cycles_high) set(L, "cycles_high", *r.cycles_high);
  lua_pushnumber(L, r.wall_seconds);
  lua_setfield(L, -2, "wall_seconds");
  set(L, "engine", r.engine);
  set(L, "transport", r.transport);
  set(L, "machine", r.machine);
  set(L, "threads", r.threads);
  set_jitter(L, r);
  set(L, "width", r.width);
  set(L, "height", r.height);
  set_counters(L, r, vm::CounterGroup::run);
  set_fabric(L, r);
  set_pe_cycles(L, r.counters);
  set_trap(L, r);
  set_positions(L, r);
  set_marks(L, r, times);
}

// Pushes an empty holder that will destroy what it gets.
HeldRun* push_holder(lua_State* L) {
  auto* const holder = new (lua_newuserdatauv(L, sizeof(HeldRun), 0)) HeldRun();
  luaL_setmetatable(L, kMachineType);
  return holder;
}

// Returns what is behind the record at `index`; null if it is no record.
const HeldRun* held_run(lua_State* L, int index) {
  if (!lua_istable(L, index)) return nullptr;
  index = lua_absindex(L, index);
  const bool found = protect(L, 0, [](lua_State* inner) {
    lua_getfield(inner, LUA_REGISTRYINDEX, kMachines);
    return 1;
  });
  const HeldRun* run = nullptr;
  if (found) {
    lua_pushvalue(L, index);
    lua_rawget(L, -2);
    run = static_cast<const HeldRun*>(lua_touserdata(L, -1));
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return run;
}

}  // namespace

HeldBytes::HeldBytes(std::uint64_t bytes, std::uint64_t& held_bytes)
    : bytes_(bytes), held_bytes_(&held_bytes) {
  held_bytes += bytes;
}

HeldBytes::HeldBytes(HeldBytes&& other) noexcept
    : bytes_(std::exchange(other.bytes_, 0)), held_bytes_(other.held_bytes_) {}

HeldBytes& HeldBytes::operator=(HeldBytes&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(held_bytes_, other.held_bytes_);
  return *this;
}

HeldBytes::~HeldBytes() {
  if (held_bytes_ != nullptr) *held_bytes_ -= bytes_;
}

HeldMachine::HeldMachine(std::unique_ptr<vm::Machine> machine, std::uint64_t bytes,
                         std::uint64_t& held_bytes)
    : bytes_(bytes, held_bytes), machine_(std::move(machine)) {}

bool push_record(lua_State* L, const vm::Record& record, bool fine, const MarkTimes& times,
                 HeldRun run) {
  return protect(L, 0, [&](lua_State* inner) {
    push_fields(inner, record, fine, times);
    lua_getfield(inner, LUA_REGISTRYINDEX, kMachines);
    lua_pushvalue(inner, -2);
    HeldRun* const holder = push_holder(inner);
    lua_rawset(inner, -3);
    *holder = std::move(run);
    lua_pop(inner, 1);
    return 1;
  });
}

bool push_launch_record(lua_State* L, const vm::Record& record, bool fine, vm::Cycle began) {
  return protect(L, 0, [&](lua_State* inner) {
    push_fields(inner, record, fine, {});
    set(inner, "began", began);
    return 1;
  });
}

vm::Machine* machine_of(lua_State* L, int index) {
  const HeldRun* const run = held_run(L, index);
  if (run == nullptr) return nullptr;
  return run->shared ? &run->shared->shown() : run->machine.get();
}

Past* past_of(lua_State* L, int index) {
  const HeldRun* const run = held_run(L, index);
  return run == nullptr ? nullptr : run->past.get();
}

TeamMachine* shared_of(lua_State* L, int index) {
  const HeldRun* const run = held_run(L, index);
  return run == nullptr ? nullptr : run->shared.get();
}

void open_records(lua_State* L) {
  luaL_newmetatable(L, kMachineType);
  lua_pushcfunction(L, destroy_machine);
  lua_setfield(L, -2, "__gc");
  lua_newtable(L);
  lua_newtable(L);
  lua_pushliteral(L, "k");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_setfield(L, LUA_REGISTRYINDEX, kMachines);
  lua_pop(L, 1);
}

}  // namespace wse::script
