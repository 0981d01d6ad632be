// The commands of wsevm and their options. Each command is a function from its options to an exit
// code; it prints results to stdout and diagnostics to stderr.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "asm/assembler.h"
#include "vm/cli/colour_path.h"
#include "vm/cli/failure.h"
#include "vm/front/program_source.h"
#include "vm/ledger/slices.h"
#include "vm/page/page.h"
#include "vm/run/machine.h"

namespace wse::cli {

using front::EngineSource;
using front::NameAndFile;
using front::ProgramSource;
using front::ScriptRights;

struct Dump {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::string symbol;
};

struct RunCommand {
  ProgramSource source;
  ScriptRights rights;
  std::vector<std::string> of_programs;  // the options given that a script does not have
  std::vector<NameAndFile> in;           // arrays from .npy files
  std::vector<NameAndFile> out;          // arrays to .npy files
  std::vector<NameAndFile> pictures;     // arrays to .png files
  std::vector<std::string> show;         // arrays as shaded text
  std::vector<Dump> dumps;
  std::optional<std::uint64_t> max_cycles;
  std::optional<std::uint64_t> tsc_skew;  // seed
  std::optional<vm::Jitter> jitter;
  std::string restore;                         // file to go on from; empty: the run begins
  std::string checkpoint;                      // file; empty: none
  std::optional<std::uint64_t> checkpoint_at;  // cycle; without it where the run stops
  bool strict = false;
  bool expect = false;
  bool interval = false;  // run again at the ends of the machine's intervals
  bool stats = false;
  bool progress = false;
  bool quiet = false;
  std::optional<std::string> json;            // file, "-" for stdout
  std::string trace;                          // file; empty: none
  std::string dot;                            // file; empty: none
  std::string list;                           // the same
  std::string profile;                        // the same
  std::string report;                         // the same
  std::optional<std::uint32_t> ranks;         // of a launcher; 0: as many as there are
  std::uint64_t profiled_run = 0;             // of a script, counted from 1; 0: the last one
  std::uint64_t slices = vm::Slices::kUsual;  // of time in a profile: so many or more; 0: none
  vm::TraceFilter trace_filter;
  std::string path;         // file for the critical path; empty: none
  std::string path_to;      // its event; empty: the last one
  bool path_steps = false;  // all of its steps
};

// A run that is asked about its past: at a cycle, or in a rectangle over some cycles.
struct ReplayCommand {
  RunCommand run;                     // its program, arrays and machine
  std::uint64_t at = 0;               // the cycles before it are done
  std::optional<vm::TraceFilter> of;  // these PEs; none: all
  std::optional<std::uint32_t> class_number;
  vm::TraceFilter cycles{};  // from `first` to `last`
  std::string output = "-";  // "-": stdout
};

struct GenCommand {
  ProgramSource source;
  ScriptRights rights;
  std::string output;         // "-": stdout
  std::uint64_t program = 1;  // that of the K-th wse.run
};

struct AsmCommand {
  ProgramSource source;
  std::string output;  // empty: none
  bool list = false;
  bool symbols = false;
};

struct CheckCommand {
  ProgramSource source;
  ScriptRights rights;
  std::uint64_t program = 1;  // of a script: that of the K-th wse.run
  std::string format = "text";
  std::optional<PathStart> path;
  std::string version;  // of wsevm
};

struct ReportCommand {
  std::vector<std::string> files;  // profiles
  std::string output;              // "-": stdout
  std::string title;               // empty: the names of the files
  std::uint64_t page_bytes = vm::kPageBytes;
};

struct MergeCommand {
  std::vector<std::string> files;  // CSV files of points=K/N
  std::string output;              // "-": stdout
};

enum class TableFormat : std::uint8_t { Text, Markdown, Timing, Traps, Json, Lua };

ExitCode run_command(const RunCommand& command);
ExitCode run_script_command(const RunCommand& command);
// Runs a program for its critical path alone.
ExitCode path_command(const RunCommand& command);
// Tells why PEs waited at a cycle.
ExitCode why_command(const ReplayCommand& command);
// Writes what happened in a rectangle over some cycles.
ExitCode events_command(const ReplayCommand& command);
ExitCode gen_command(const GenCommand& command);
ExitCode asm_command(const AsmCommand& command);
ExitCode dis_command(const std::string& file);
ExitCode check_command(const CheckCommand& command);
// Serves editors on stdin and stdout until they end it. `version`: of wsevm.
ExitCode lsp_command(const std::string& version);
ExitCode report_command(const ReportCommand& command);
ExitCode merge_command(const MergeCommand& command);
ExitCode isa_command(TableFormat format);
ExitCode machine_command(const std::string& profile, TableFormat format);

// Reads the command line and runs the command it names.
ExitCode run_command_line(int count, char** arguments);

}  // namespace wse::cli
