// Looks at arguments as the functions themselves will.
#include "scripts/host/costs.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "scripts/host/limits.h"

namespace wse::script {
namespace {

constexpr std::uint64_t kBytesLookedAtPerInstruction = 8;  // that are looked at one by one
constexpr std::uint64_t kValuesPerInstruction = 8;
constexpr std::uint64_t kBytesPerElement = 16;
constexpr std::uint64_t kCollectedBytesPerInstruction = 64;

std::string_view text_or_nothing(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TSTRING) return {};
  std::size_t size = 0;
  const char* const text = lua_tolstring(L, index, &size);
  return {text, size};
}

// Bytes first..last of a text, as string.byte counts them; both may count from the end.
std::uint64_t bytes_of_range(std::uint64_t size, lua_Integer first, lua_Integer last) {
  const auto end = static_cast<lua_Integer>(size);
  if (first < 0) first = std::max<lua_Integer>(first + end + 1, 1);
  last = last < 0 ? last + end + 1 : std::min(last, end);
  return last < first ? 0 : static_cast<std::uint64_t>(last - std::max<lua_Integer>(first, 1)) + 1;
}

// Elements first..last, none if the range is empty. Never overflows.
std::uint64_t elements(lua_Integer first, lua_Integer last) {
  if (last < first) return 0;
  const std::uint64_t span = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
  return span == kNoLimit ? span : span + 1;
}

std::uint64_t in_memory(lua_State* L, const char* name, std::uint64_t count) {
  if (count > limits_of(L).memory_bytes() / kBytesPerElement) {
    luaL_error(L, "table.%s: a range of more elements than the memory limit allows", name);
  }
  return count;
}

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace

std::uint64_t compile_cost(std::uint64_t bytes) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 31;
  const std::uint64_t size = std::min(bytes, kMost);
  return size + size * size / (1 << 13);
}

namespace costs {

std::uint64_t values(lua_State* L) {
  return static_cast<std::uint64_t>(lua_gettop(L)) / kValuesPerInstruction;
}

std::uint64_t texts(lua_State* L) {
  std::uint64_t size = 0;
  for (int k = lua_gettop(L); k > 0; --k) {
    if (lua_type(L, k) == LUA_TSTRING) size += lua_rawlen(L, k);
  }
  return size / kBytesLookedAtPerInstruction + values(L);
}

std::uint64_t date(lua_State* L) {
  return text_or_nothing(L, 1).size() * kBytesLookedAtPerInstruction;
}

std::uint64_t bytes(lua_State* L) {
  const std::uint64_t size = text_or_nothing(L, 1).size();
  const lua_Integer first = luaL_optinteger(L, 2, 1);
  return bytes_of_range(size, first, luaL_optinteger(L, 3, first)) / kBytesLookedAtPerInstruction;
}

std::uint64_t characters(lua_State* L) {
  const std::uint64_t size = text_or_nothing(L, 1).size();
  return bytes_of_range(size, luaL_optinteger(L, 2, 1), luaL_optinteger(L, 3, -1)) /
         kBytesLookedAtPerInstruction;
}

std::uint64_t way(lua_State* L) {
  const std::string_view text = text_or_nothing(L, 1);
  const lua_Integer count = luaL_optinteger(L, 2, 0);
  const auto size = static_cast<lua_Integer>(text.size());
  lua_Integer at = luaL_optinteger(L, 3, count > 0 ? 1 : size + 1);
  at = std::clamp<lua_Integer>(at < 0 ? at + size + 1 : at, 1, size + 1) - 1;
  const std::string_view there =
      text.substr(count > 0 ? static_cast<std::size_t>(at) : 0,
                  count > 0 ? text.size() : static_cast<std::size_t>(at));
  // Characters that begin on the way; what continues one comes on top.
  std::uint64_t left = count < 0 ? -static_cast<std::uint64_t>(count) : std::uint64_t(count) + 1;
  std::uint64_t passed = 0;
  while (left > 0 && passed < there.size()) {
    const char byte = count > 0 ? there[passed] : there[there.size() - 1 - passed];
    if (!continues(byte)) --left;
    ++passed;
  }
  return passed / kBytesLookedAtPerInstruction;
}

std::uint64_t next_character(lua_State* L) {
  const std::string_view text = text_or_nothing(L, 1);
  const auto at = static_cast<std::uint64_t>(lua_tointeger(L, 2));
  std::uint64_t passed = at;
  while (passed < text.size() && continues(text[passed])) ++passed;
  return passed > at ? (passed - at) / kBytesLookedAtPerInstruction : 0;
}

std::uint64_t repeated(lua_State* L) {
  const lua_Integer count = luaL_optinteger(L, 2, 0);
  std::size_t text = 0;
  std::size_t separator = 0;
  luaL_checklstring(L, 1, &text);
  luaL_optlstring(L, 3, "", &separator);
  if (count <= 0) return 0;
  const std::uint64_t each = text + separator;
  const auto times = static_cast<std::uint64_t>(count);
  if (each > 0 && times > limits_of(L).memory_bytes() / each) {
    luaL_error(L, "string.rep: the result would not fit into the memory limit of the script");
  }
  return times;  // of nothing, too
}

// "z" looks for the end of a text.
std::uint64_t unpacked(lua_State* L) {
  const std::string_view format = text_or_nothing(L, 1);
  const bool looks = format.find('z') != std::string_view::npos;
  return format.size() / kBytesLookedAtPerInstruction +
         (looks ? bytes_of_range(text_or_nothing(L, 2).size(), luaL_optinteger(L, 3, 1), -1) /
                      kCollectedBytesPerInstruction
                : 0);
}

std::uint64_t collection(lua_State* L) {
  const std::string_view what = luaL_optstring(L, 1, "collect");
  const bool tunes = what.starts_with("set") ||
                     ((what == "incremental" || what == "generational") && lua_gettop(L) > 1);
  if (tunes) {
    luaL_error(L, "collectgarbage: its numbers cannot be set in a script; --unsafe lifts this");
  }
  if (what == "count" || what == "isrunning" || what == "stop" || what == "restart") return 0;
  return limits_of(L).memory_used() / kCollectedBytesPerInstruction;
}

std::uint64_t concat(lua_State* L) {
  luaL_checkany(L, 1);
  const lua_Integer first = luaL_optinteger(L, 3, 1);
  const lua_Integer last = lua_isnoneornil(L, 4) ? luaL_len(L, 1) : luaL_checkinteger(L, 4);
  return in_memory(L, "concat", elements(first, last));
}

std::uint64_t insert(lua_State* L) {
  luaL_checkany(L, 1);
  if (lua_gettop(L) != 3) return 1;
  return in_memory(L, "insert", elements(luaL_checkinteger(L, 2), luaL_len(L, 1)));
}

std::uint64_t remove(lua_State* L) {
  luaL_checkany(L, 1);
  const lua_Integer size = luaL_len(L, 1);
  return in_memory(L, "remove", elements(luaL_optinteger(L, 2, size), size));
}

std::uint64_t move(lua_State* L) {
  return in_memory(L, "move", elements(luaL_checkinteger(L, 2), luaL_checkinteger(L, 3)));
}

std::uint64_t sort(lua_State* L) {
  luaL_checkany(L, 1);
  const std::uint64_t count = elements(1, luaL_len(L, 1));
  const std::uint64_t compared = std::min<std::uint64_t>(count, 1u << 31) * std::bit_width(count);
  if (!limits_of(L).charge(compared)) limits_of(L).raise(L);
  return in_memory(L, "sort", count);
}

std::uint64_t unpack(lua_State* L) {
  const lua_Integer first = luaL_optinteger(L, 2, 1);
  const lua_Integer last = lua_isnoneornil(L, 3) ? luaL_len(L, 1) : luaL_checkinteger(L, 3);
  const std::uint64_t count = elements(first, last);
  return count < LUAI_MAXSTACK ? count / kValuesPerInstruction : 0;  // else it is refused
}

}  // namespace costs
}  // namespace wse::script
