// How a script ended, and what it left for the record.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "vm/ledger/record.h"

namespace wse::script {

enum class Ending : std::uint8_t {
  Fine,
  EndedBadly,   // a run did: trap, deadlock, cycle limit, failed expectation
  BadInput,     // an error in the script, in its arguments, or its limit of instructions
  Exhausted,    // out of memory or disk
  Interrupted,  // by the user
};

// A value that the script put into the record: `wse.user{cycles = 12, sizes = {1, 2}}`.
using UserScalar = std::variant<bool, std::int64_t, double, std::string>;
using UserList = std::vector<UserScalar>;
using UserTable = std::map<std::string, UserScalar>;
using UserValue = std::variant<UserScalar, UserList, UserTable>;

struct ScriptResult {
  Ending ending = Ending::Fine;
  std::string message;           // empty iff Fine: "script.lua:12: ...", with the user's lines
  std::vector<vm::Record> runs;  // in their order
  std::map<std::string, UserValue> user;
  std::string captured;  // the program that `gen` asked for
  std::vector<std::pair<std::string, std::string>> captured_values{};  // of it
};

}  // namespace wse::script
