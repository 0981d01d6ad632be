// Sessions of scripts: machines that a script holds in its hand, behind plain tables.
#pragma once

#include <cstdint>
#include <lua.hpp>
#include <memory>
#include <string>
#include <vector>

#include "isa/support/diagnostics.h"
#include "scripts/host/records.h"
#include "vm/session/session.h"

namespace wse::script {

struct HeldSession {
  HeldBytes bytes;
  std::unique_ptr<vm::Session> session;  // null: it is closed
  std::uint64_t number = 0;              // of its program, from 1 on
  std::uint64_t listed = 0;              // launches among the runs of the script
  bool may_fail = false;                 // a bad end is no error
  bool is_watched = false;               // the caller of the script looks at each launch
  // For those who look: how the program was made.
  std::vector<std::pair<std::string, std::string>> values;
  isa::SourceFiles sources;
};

// Pushes a fresh table; `held_session` finds the session from it as long as the table lives. False:
// the error is on top.
bool push_session(lua_State* L, HeldSession held);

// Returns that of the table at `index`; null if it is no session.
HeldSession* held_session(lua_State* L, int index);

// Prepares the registry. May raise.
void open_sessions(lua_State* L);

}  // namespace wse::script
