// The arguments of the methods of sessions: the session itself, rectangles, parts of arrays.
#pragma once

#include <lua.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "scripts/host/binding.h"
#include "scripts/host/held_session.h"

namespace wse::script {

// The open session at argument 1. Errors: it is no session, or it is closed.
std::expected<HeldSession*, BindingError> asked_session(lua_State* L, std::string_view method);

// A name at the index, which `what` says.
std::expected<std::string, BindingError> asked_name(lua_State* L, int index,
                                                    std::string_view method, std::string_view what);

// The rectangle x, y, width, height from the index on; nothing if nil is there.
std::expected<std::optional<vm::PeRect>, BindingError> asked_rect(lua_State* L, int index,
                                                                  std::string_view method);

// The rectangle from the index on, then first and end of the elements.
std::expected<vm::ArrayPart, BindingError> asked_part(lua_State* L, int index,
                                                      std::string_view method);

}  // namespace wse::script
