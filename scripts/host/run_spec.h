// The table that `wse.run` takes.
#pragma once

#include <lua.hpp>
#include <optional>
#include <string>

#include "scripts/host/program.h"
#include "scripts/host/script.h"

namespace wse::script {

struct RunSpec {
  Program program;
  std::optional<std::string> clean_text;  // with `marked_text`: what `gen` prints
  std::string machine_file;  // that decides the machine and is to be run; empty: options has it
  RunDefaults options;       // those of the command line, where the script does not say otherwise
  std::optional<std::string> restore;  // the checkpoint from which the run continues
  bool allow_failure = false;
  bool profile = false;             // the record knows what each PE did
  bool mark_times = false;          // and all cycles of its marks
  std::optional<std::string> path;  // keeps the causes of this event, see vm::path_target
};

// Reads the table at `index` (absolute); a file named there is read. Errors name the field.
isa::Result<RunSpec> read_run_spec(lua_State* L, int index, const Session& session);

// Pushes the raw field of the table, without raising.
bool push_field(lua_State* L, int table, std::string_view name);

}  // namespace wse::script
