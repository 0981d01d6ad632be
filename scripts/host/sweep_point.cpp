// Calls the functions of a sweep, each in a protected call of its own.
#include "scripts/host/sweep_point.h"

#include <fmt/format.h>

#include <algorithm>

#include "scripts/host/session.h"
#include "scripts/host/table_reader.h"
#include "scripts/host/user_line.h"
#include "scripts/host/user_values.h"

namespace wse::script {
namespace {

// The table at the index, a flat one.
isa::Status read_fields(lua_State* L, int index, UserTable& fields) {
  if (!lua_istable(L, index)) {
    return isa::fail(
        fmt::format("wse.sweep: run returned {}; a table such as {{cycles = 12}} is wanted",
                    shown_value(L, index)));
  }
  const isa::Status status = read_flat_table(L, index, fields);
  if (status) return {};
  return isa::fail("wse.sweep: run returned a table that is no row: " + status.error());
}

void push_scalar(lua_State* L, const UserScalar& scalar) {
  if (const auto* text = std::get_if<std::string>(&scalar)) {
    lua_pushlstring(L, text->data(), text->size());
  } else if (const auto* integer = std::get_if<std::int64_t>(&scalar)) {
    lua_pushinteger(L, *integer);
  } else if (const auto* number = std::get_if<double>(&scalar)) {
    lua_pushnumber(L, *number);
  } else {
    lua_pushboolean(L, std::get<bool>(scalar) ? 1 : 0);
  }
}

// "P=4, B=16"; the stack is as before.
std::string label_of(lua_State* L, std::uint64_t point) {
  lua_pushvalue(L, kSweepLabel);
  lua_pushinteger(L, static_cast<lua_Integer>(point) + 1);
  const int base = lua_gettop(L) - 2;
  std::string label;
  if (call_protected(L, 1)) label = text_at(L, base + 1).value_or("");
  lua_settop(L, base);
  return label.empty() ? fmt::format("number {}", point + 1) : label;
}

void read_error(lua_State* L, PointEnd& end) {
  const Session& session = session_of(L);
  end.trip = session.limits.tripped();
  end.message = text_of_error(L);
  end.ending = session.ending_of(end.message);
  if (end.trip == Trip::Memory) end.message = find_user_line(L).prefix() + session.limits.text();
}

}  // namespace

isa::Status read_flat_table(lua_State* L, int index, UserTable& fields) {
  return for_each_field(L, index, [&](const std::string& name) -> isa::Status {
    isa::Result<UserScalar> scalar = scalar_on_top(L);
    if (!scalar) return isa::fail(fmt::format("{}: {}", name, scalar.error()));
    fields[name] = std::move(*scalar);
    return {};
  });
}

void push_fields(lua_State* L, const UserTable& fields) {
  lua_createtable(L, 0, static_cast<int>(std::min<std::size_t>(fields.size(), 1024)));
  for (const auto& [name, scalar] : fields) {
    lua_pushlstring(L, name.data(), name.size());
    push_scalar(L, scalar);
    lua_rawset(L, -3);
  }
}

PointEnd run_point(lua_State* L, std::uint64_t point) {
  PointEnd end;
  const int base = lua_gettop(L);
  lua_pushvalue(L, kSweepRun);
  lua_rawgeti(L, kSweepPoints, static_cast<lua_Integer>(point) + 1);
  if (call_protected(L, 1)) {
    lua_settop(L, base + 1);
    const isa::Status status = read_fields(L, base + 1, end.fields);
    end.fine = status.has_value();
    if (!status) end.message = find_user_line(L).prefix() + status.error();
    if (!status) end.ending = Ending::BadInput;
  } else {
    read_error(L, end);
  }
  lua_settop(L, base);
  return end;
}

bool deliver(lua_State* L, std::uint64_t point, const UserTable& fields) {
  lua_pushvalue(L, kSweepOnRow);
  return protect(L, 1, [&](lua_State* inner) {
    lua_pushinteger(inner, static_cast<lua_Integer>(point) + 1);
    push_fields(inner, fields);
    lua_call(inner, 2, 0);
    return 0;
  });
}

std::unexpected<BindingError> point_problem(lua_State* L, std::uint64_t point,
                                            const PointEnd& end) {
  const std::string label = fmt::format(" (point {})", label_of(L, point));
  std::string text = end.message;
  text.insert(std::min(text.find('\n'), text.size()), label);
  session_of(L).endings.note(text, end.ending);
  push_text(L, text);
  return problem_on_stack();
}

}  // namespace wse::script
