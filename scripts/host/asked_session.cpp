// Takes arguments of the methods of sessions apart.
#include "scripts/host/asked_session.h"

#include <fmt/format.h>

#include <cstdint>

#include "scripts/host/table_reader.h"

namespace wse::script {
namespace {

// A number of PEs or elements, which the machine may lack.
std::optional<std::uint32_t> place_at(lua_State* L, int index) {
  const std::optional<std::uint64_t> value = count_at(L, index);
  if (!value || *value > UINT32_MAX) return std::nullopt;
  return static_cast<std::uint32_t>(*value);
}

}  // namespace

std::expected<HeldSession*, BindingError> asked_session(lua_State* L, std::string_view method) {
  HeldSession* const held = held_session(L, 1);
  if (held == nullptr) return problem(fmt::format("{}: this is no session of wse.start", method));
  if (held->session == nullptr) return problem(fmt::format("{}: the session is closed", method));
  return held;
}

std::expected<std::string, BindingError> asked_name(lua_State* L, int index,
                                                    std::string_view method,
                                                    std::string_view what) {
  std::optional<std::string> name = text_at(L, index);
  if (name) return std::move(*name);
  return problem(
      fmt::format("{}: the name of {} is wanted, not {}", method, what, shown_value(L, index)));
}

std::expected<std::optional<vm::PeRect>, BindingError> asked_rect(lua_State* L, int index,
                                                                  std::string_view method) {
  if (lua_isnoneornil(L, index)) return std::nullopt;
  const auto x = place_at(L, index);
  const auto y = place_at(L, index + 1);
  const auto width = place_at(L, index + 2);
  const auto height = place_at(L, index + 3);
  if (x && y && width && height) return vm::PeRect{*x, *y, *width, *height};
  return problem(fmt::format(
      "{}: a rectangle is {{x, y, width, height}}, four numbers that are not negative", method));
}

std::expected<vm::ArrayPart, BindingError> asked_part(lua_State* L, int index,
                                                      std::string_view method) {
  const auto rect = asked_rect(L, index, method);
  if (!rect) return std::unexpected(rect.error());
  vm::ArrayPart part{.rect = *rect, .elements = {}};
  if (lua_isnoneornil(L, index + 4)) return part;
  const auto first = place_at(L, index + 4);
  const auto end = place_at(L, index + 5);
  if (!first || !end) {
    return problem(fmt::format(
        "{}: elements are {{first, end}}, two numbers that are not negative: v[first:end]",
        method));
  }
  part.elements = {*first, *end};
  return part;
}

}  // namespace wse::script
