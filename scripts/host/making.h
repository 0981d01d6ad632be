// Machines of what a script says: for a run, or to be held in the hand.
#pragma once

#include <lua.hpp>
#include <string_view>

#include "isa/image/image.h"
#include "scripts/host/records.h"
#include "scripts/host/run_spec.h"
#include "scripts/host/session.h"

namespace wse::script {

// Books that a machine keeps of a run, beside what it counts.
struct Kept {
  bool profile = false;
  bool lines = false;
  bool launches = false;    // what was there before the last one
  bool one_thread = false;  // as a run that keeps causes needs it, see vm::RunOptions::path
  bool on_stepper = false;  // which alone has observers
  std::optional<vm::PeRange> rows = {};  // that are made alone, see vm::MachineOptions
  std::uint32_t slices = 0;              // see vm::RunOptions
  const vm::Medium* medium = nullptr;    // where those meet that have it together; null: no others
  std::uint32_t ranks = 1;               // that have it together
};

// The function of the script that wants one: "wse.run", before messages.
using Caller = std::string_view;

// Instructions of Lua, in the time of the shortest run or launch.
inline constexpr std::uint64_t kInstructionsPerRun = 10'000;

// Returns the least that assembling and running the program takes, in instructions of Lua.
std::uint64_t cost_of(const Program& program);

// Runs the file that decides the machine, if there is one.
Done choose_machine(lua_State* L, Caller caller, RunSpec& spec);

// Makes room for it first. Errors: the host, or what the records of the script keep, leaves none;
// what the machine does not have; the instructions that the script may take are over.
std::expected<HeldMachine, BindingError> make_machine(lua_State* L, Caller caller, isa::Image image,
                                                      const isa::Profile& profile,
                                                      const Kept& kept);

// Whether it is the program that `gen` wants; the text of an image is empty.
bool is_captured(Session& session, const RunSpec& spec);

// Whether the caller of the script looks at each run.
bool is_watched(const Session& session);
// Whether a machine of the image counts cycles of lines, if the caller looks at its run.
bool counts_lines(const Options& options, const isa::Image& image);

// Errors: an output of the engine could not be written.
Done check_engine_outputs(const Session& session);

// Makes the error that a run which ended badly raises.
BindingError bad_end(Caller caller, const vm::Record& record);

}  // namespace wse::script
