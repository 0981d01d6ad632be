// Runs a Lua script: wafers in a few lines. The whole interface of this room.
//
//     script::Options options{.file = "row.lua", .path = "row.lua", .arguments = {{"P", "4"}}};
//     isa::InputList inputs;
//     script::ScriptResult result = script::run_script(source, options, inputs);
//
// A script is not trusted: it can neither harm nor hang its host (README.md says how, and what
// `unsafe` gives up). Must never keep anything from one script to the next.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "asm/assembler.h"
#include "isa/machine/interval.h"
#include "isa/support/input_list.h"
#include "isa/support/result.h"
#include "scripts/host/code_places.h"
#include "scripts/host/limits.h"
#include "scripts/host/script_result.h"
#include "scripts/host/watch.h"
#include "vm/ledger/slices.h"
#include "vm/run/interval_runs.h"
#include "vm/run/machine.h"

namespace wse::script {

class Team;

// A machine as it was chosen.
struct ChosenMachine {
  isa::Profile profile;
  std::string option;  // what --machine takes for it, a name or a file; empty: it is a table
  std::string text;    // of a table: the file that would return it
  isa::Intervals intervals{};
};

// Files that --machine takes beside the names of profiles.
inline bool is_machine_file(std::string_view given) { return given.ends_with(".lua"); }

// Options that `wse.run` takes where the script does not say otherwise.
struct RunDefaults {
  ChosenMachine machine{*isa::find_profile("wse2"), "wse2", "",
                        isa::find_measured_profile("wse2")->intervals};
  std::optional<std::uint64_t> max_cycles;
  std::optional<std::uint64_t> tsc_skew;
  std::optional<vm::Jitter> jitter;
  bool strict = false;
  bool expect = false;
  bool interval = false;  // runs again at the ends of the machine's intervals
  std::vector<assembler::WarningChoice> warnings{};  // of two for one code the later one holds
};

// Array files, which belong to who calls: `file` is only for messages.
using SetArray = std::function<isa::Status(vm::Machine& machine, const std::string& array,
                                           const std::string& file, std::span<const std::byte>)>;
using FormatArray = std::function<isa::Result<std::vector<std::byte>>(const vm::Machine& machine,
                                                                      const std::string& array)>;

// A run of a script that has ended, with the program that was run.
struct FinishedRun {
  const vm::Machine& machine;
  const vm::Record& record;
  const std::vector<std::pair<std::string, std::string>>& values;
  const isa::SourceFiles* sources;  // null: an image
  // With which options and arrays it began; null: that is not known any more.
  const RunDefaults* options = nullptr;
  const vm::FirstWords* words = nullptr;
};

// A run of a script as it goes into a page.
struct ReportedRun {
  std::string name;
  vm::Machine& machine;
};

// Numbers of a theory by run and term.
using ReportModel = std::map<std::string, std::map<std::string, double>>;

// Returns the page that shows runs. Errors: a run that kept no profile; the page is too large.
using FormatReport = std::function<isa::Result<std::string>(
    const std::vector<ReportedRun>& runs, const std::string& title, const ReportModel& model)>;

struct Options {
  std::string file;  // as the user named it, in one visible line: in messages
  std::string path;  // where it is; modules are looked for beside it. "-": nowhere
  std::vector<std::pair<std::string, std::string>> arguments;
  std::string data_folder;                   // with scripts/wse/; empty: there is none
  std::vector<std::string> include_folders;  // of the assembler
  std::vector<CodePlace> code_places;        // where the script never writes
  RunDefaults defaults;
  LimitOptions limits;
  bool unsafe = false;
  std::optional<std::uint32_t> threads;  // at most, and workers of a sweep; else as the host has
  vm::TransportChoice transport = vm::TransportChoice::Auto;  // of the machines
  bool cohorts = true;                                        // see vm::MachineOptions
  // Who executes the code of its machines; each process makes its own. Null: the interpreter.
  std::function<isa::Result<std::unique_ptr<vm::Engine>>()> make_engine;
  Team* team = nullptr;  // the other processes that run this script (team.h); null: none
  // Returns where one machine of all of them meets; null: each runs its own.
  std::function<std::shared_ptr<const vm::Medium>()> medium;
  std::uint64_t capture = 0;  // stop at the K-th wse.run and hand out its program; 0: run all

  std::function<void(std::string_view text)> print;  // what the script prints
  std::function<void(std::string_view line)> log;    // wse.log, `print` of programs, warnings
  // Into memory, one machine alone in each of so many processes, or one of so many ranks together.
  std::function<isa::Status(const isa::Image& image, const isa::Profile& profile,
                            std::uint32_t processes, std::uint32_t ranks)>
      fits;
  std::uint64_t held_machine_bytes = kNoLimit;  // of machines that the script's records keep
  // Of a sweep; of nothing: it is over.
  std::function<void(std::string_view title, std::uint64_t rows, std::uint64_t of)> progress;
  // While they are held no thread of the engine writes: so workers are forked, each of which, and
  // the parent, lets them go.
  std::function<void(bool held)> hold_outputs;
  std::function<void(std::uint32_t workers)> enter_worker;  // in each worker process of a sweep
  // Ends the process, with that message and as bad input. Without it nobody watches how long Lua
  // takes over one instruction.
  GiveUp give_up;
  // Texts that the engine could not write beside the script: texts of compiled code.
  std::function<std::expected<void, isa::FileError>()> engine_outputs;
  // Bytes of memory that the command may still take, for a process that converts a picture.
  std::function<std::uint64_t()> spare_memory;
  // Gets each run that is no point of a sweep.
  std::function<void(const FinishedRun& run)> on_run;
  // Returns who hears what happens in the next of these runs; nobody if it is empty. Errors end the
  // script.
  std::function<isa::Result<vm::TraceSink*>()> trace;
  vm::TraceFilter trace_filter;
  // Returns the event of the next of these runs whose causes are kept; none if it is empty.
  std::function<std::optional<vm::PathTarget>(const isa::Image& image)> path_to;
  bool words = false;     // what these runs began with is kept for on_run
  bool profiles = false;  // these runs keep a profile, and cycles of lines where they are cheap
  bool lists = false;     // they count cycles of lines in any case
  std::uint32_t slices = vm::Slices::kUsual;  // of time in profiles, see RunOptions::slices
  SetArray set_array;
  FormatArray format_array;
  FormatReport format_report;
};

// `inputs`: what the command reads; all files of the script go through it.
ScriptResult run_script(const std::string& source, const Options& options, isa::InputList& inputs);

// The machine that the text of a file returns as a table, {base = "wse2", hop_latency = 2}; of
// `options` what a script of its own would get. Errors name the file, and the line if there is one.
isa::Result<isa::MeasuredProfile> read_machine(const std::string& source, const Options& options,
                                               isa::InputList& inputs);

}  // namespace wse::script
