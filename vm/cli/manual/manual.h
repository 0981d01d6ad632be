// The facts of the command line: commands, options, values. Help, manual page and
// completions are written from it, each by a function of pages.h.
// Must not know how a command line is parsed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vm/cli/failure.h"

namespace wse::cli {

enum class Takes : std::uint8_t {
  Nothing,   // a flag
  Value,     // --name=VALUE or --name VALUE
  Optional,  // --name or --name=VALUE
};

// An option, or an argument that has a place instead of a name.
struct Argument {
  std::vector<std::string> names;  // "-o", "--output"; what has a place has one, without a dash
  Takes takes = Takes::Nothing;
  std::string value;                 // name of the value: "N", "DIR", "NAME=FILE.npy"
  std::vector<std::string> choices;  // all values there are; empty: any
  std::string initial;               // the default; empty: none
  std::string meaning;
  std::string group;
  bool required = false;
  bool repeated = false;

  bool has_place() const { return !names.front().starts_with('-'); }
};

struct Command {
  std::string name;
  std::string summary;
  std::vector<Argument> arguments;
  std::vector<std::string> examples;
};

struct Manual {
  Command program;  // its arguments are those beside the commands
  std::string version;
  std::vector<Command> commands;
};

// The kind of a value, which its name tells: a folder (DIR), a file (FILE with the endings it may
// have), a file after NAME=.
bool is_folder(const Argument& argument);
bool is_file(const Argument& argument);
bool is_named_file(const Argument& argument);
std::vector<std::string> endings(const Argument& argument);  // ".wsa"; empty: any
// "off" and "error" of a value CODE=off|error; empty: it is another.
std::vector<std::string> words_after_name(const Argument& argument);

// An option with its value as in "-o, --output=FILE.wsb", an argument with a place as in "[FILE]".
std::string spelling(const Argument& argument);

// The meaning with choices, default and repetition.
std::string full_meaning(const Argument& argument);

// "wsevm run FILE [key=value ...] [OPTION ...]"
std::string synopsis(const Manual& manual, const Command& command);

// Headings of a command's options in the order of their first use.
std::vector<std::string> groups(const Command& command);

struct Entry {
  std::string name;
  std::string meaning;
};
std::vector<Entry> exit_statuses();
std::vector<Entry> environment();

}  // namespace wse::cli
