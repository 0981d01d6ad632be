// One point of a sweep: what the script's function makes of it. The stack of the binding holds,
// from 1 on, what run_points (sweep.h) was given; nothing here changes it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/support/input_list.h"
#include "scripts/host/binding.h"
#include "scripts/host/limits.h"

namespace wse::script {

enum SweepArgument : int {
  kSweepRun = 1,
  kSweepPoints,
  kSweepOnRow,
  kSweepLabel,
  kSweepDone,
  kSweepTitle
};

// How a point ended; a worker sends it to its parent.
struct PointEnd {
  bool fine = false;
  UserTable fields;     // that the function returned
  std::string message;  // why it is not fine, and what the script ends in
  Ending ending = Ending::Fine;
  Trip trip = Trip::None;
  std::vector<vm::Record> runs;
  std::vector<std::string> asked;     // arguments
  std::vector<isa::KnownFile> files;  // that it has read and written
};

// Reads the table at the index: numbers, texts and flags by names.
isa::Status read_flat_table(lua_State* L, int index, UserTable& fields);

// Pushes such a table; may raise.
void push_fields(lua_State* L, const UserTable& fields);

// Calls run(points[point]), counted from 0. Fills what is above `runs`.
PointEnd run_point(lua_State* L, std::uint64_t point);

// Calls on_row(point, fields), counted from 1 as in Lua. False: the error is on top.
bool deliver(lua_State* L, std::uint64_t point, const UserTable& fields);

// The error of the point, to be returned by the binding.
std::unexpected<BindingError> point_problem(lua_State* L, std::uint64_t point, const PointEnd& end);

}  // namespace wse::script
