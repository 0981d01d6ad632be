// The commands of wsevm with their options, as CLI11 parses them: the one place where a name, a
// help text, a choice or a default of the command line is. Help, manual page and completions
// are made from it (describe.h).
//
// The texts given to CLI11 mean more to describe.h:
//   type_name   the name of the value; FILE.npy means a file with that ending, DIR a folder,
//               NAME=a|b one of these words after NAME=
//   group       a heading, in the order of first use
//   footer      examples, one per line
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vm/cli/commands.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace wse::cli {

// The values of the options of all commands, which the parser fills in.
struct Values {
  RunCommand run;
  GenCommand gen;
  AsmCommand assemble;
  ReportCommand report;
  MergeCommand merge;
  CheckCommand check;
  ReplayCommand why;
  ReplayCommand events;
  std::string dis_file;
  std::string profile;
  std::string help_topic;  // a command; empty: wsevm itself
  std::string shell;
  bool isa_markdown = false;
  bool isa_timing = false;
  bool isa_traps = false;
  bool isa_json = false;
  bool isa_lua = false;
  bool machine_json = false;
  bool stdio = false;  // of lsp, which knows nothing else
  std::vector<std::string> key_values, in, out, pictures, dumps, warnings;
  std::optional<std::string> rect, cycles, jitter, path, why_pe, why_rect, events_rect,
      events_cycles;
  std::optional<std::uint64_t> max_memory;  // bytes
  std::vector<CLI::Option*> of_programs;    // options that a script does not have
};

// Adds every command to `app`, which parses into `values` from then on; or `wanted` alone, if that
// is a command which needs no other one: to describe them all takes longer than a small run.
void add_commands(CLI::App& app, Values& values, std::string_view wanted = {});

// Takes the values apart that are more than a word.
isa::Status finish(Values& values);

}  // namespace wse::cli
