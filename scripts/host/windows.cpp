// Reads the list, then asks for the place of each PE's window.
#include "scripts/host/windows.h"

#include <fmt/format.h>

#include "scripts/host/arrays.h"
#include "scripts/host/limits.h"
#include "scripts/host/run_spec.h"
#include "scripts/host/table_reader.h"

namespace wse::script {
namespace {

// All that there may be.
isa::Status check_fields(lua_State* L, int index) {
  return for_each_field(L, index, [](const std::string& name) -> isa::Status {
    if (name == "list" || name == "first") return {};
    return isa::fail(fmt::format("unknown field '{}'; windows have list and first", name));
  });
}

// The list on top.
isa::Status take_list(lua_State* L, const vm::ArrayInfo& array, std::vector<std::uint32_t>& list) {
  if (!lua_istable(L, -1) || lua_checkstack(L, 2) == 0) {
    return isa::fail(fmt::format("a table of numbers is wanted, not {}", shown_value(L, -1)));
  }
  const std::uint64_t given = lua_rawlen(L, -1);
  if (given < array.count || given > UINT32_MAX) {
    return isa::fail(fmt::format("{} numbers or more are wanted, as many as a PE gets, not {}",
                                 array.count, given));
  }
  if (!limits_of(L).charge(given)) return isa::fail(limits_of(L).text());
  list.reserve(given);
  for (std::uint64_t k = 1; k <= given; ++k) {
    lua_rawgeti(L, -1, static_cast<lua_Integer>(k));
    const isa::Result<std::uint32_t> word = word_on_top(L, array.type);
    lua_pop(L, 1);
    if (!word) return isa::fail(fmt::format("[{}]: {}", k, word.error()));
    list.push_back(*word);
  }
  return {};
}

// The place on top, of the PE (x, y).
isa::Status take_place(lua_State* L, std::uint32_t x, std::uint32_t y, const vm::ArrayInfo& array,
                       std::size_t listed, std::uint32_t& first) {
  const std::size_t last = listed - array.count + 1;
  const std::optional<std::uint64_t> place = count_at(L, -1);
  if (!place || *place < 1 || *place > last) {
    return isa::fail(
        fmt::format("of ({}, {}) is {}; an integer of 1..{} is wanted: the list has "
                    "{} numbers, and a PE gets {}",
                    x, y, shown_value(L, -1), last, listed, array.count));
  }
  first = static_cast<std::uint32_t>(*place - 1);
  return {};
}

// Calls the function, argument 1 of the frame, for all PEs. False: `status` says why.
bool take_places(lua_State* L, const vm::ArrayInfo& array, Windows& windows, isa::Status& status) {
  std::uint32_t* first = windows.first.data();
  for (std::uint32_t y = array.y0; y < array.y0 + array.height; ++y) {
    for (std::uint32_t x = array.x0; x < array.x0 + array.width; ++x, ++first) {
      lua_pushvalue(L, 1);
      lua_pushinteger(L, x);
      lua_pushinteger(L, y);
      lua_call(L, 2, 1);
      status = take_place(L, x, y, array, windows.list.size(), *first);
      if (!status) return false;
      lua_pop(L, 1);
    }
  }
  return true;
}

}  // namespace

bool is_windows(lua_State* L, int index) {
  if (!lua_istable(L, index)) return false;
  index = lua_absindex(L, index);
  const bool has_elements = lua_rawgeti(L, index, 1) != LUA_TNIL;
  lua_pop(L, 1);
  if (has_elements) return false;  // before all of them are looked through
  for (const char* name : {"list", "first"}) {
    if (!push_field(L, index, name)) continue;
    lua_pop(L, 1);
    return true;
  }
  return false;
}

std::expected<Windows, BindingError> windows_of_value(lua_State* L, int index,
                                                      const vm::ArrayInfo& array) {
  Windows windows;
  if (const isa::Status known = check_fields(L, index); !known) return problem(known.error());
  const int top = lua_gettop(L);
  if (!push_field(L, index, "list")) lua_pushnil(L);
  const isa::Status listed = take_list(L, array, windows.list);
  lua_settop(L, top);
  if (!listed) return problem("list: " + listed.error());
  if (!push_field(L, index, "first")) lua_pushnil(L);
  if (!lua_isfunction(L, -1)) {
    const std::string given = shown_value(L, -1);
    lua_settop(L, top);
    return problem(fmt::format("first: a function of (x, y) is wanted, not {}", given));
  }
  windows.first.resize(std::size_t{array.width} * array.height);
  isa::Status status;
  const bool called = protect(L, 1, [&](lua_State* inner) {
    take_places(inner, array, windows, status);
    return 0;
  });
  if (!called) return problem_on_stack();
  if (!status) return problem("first " + status.error());
  return windows;
}

}  // namespace wse::script
