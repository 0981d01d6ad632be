// Kinds of options that commands share, and the groups that have a file of their own. Only
// command_line/ includes it.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "vm/cli/command_line/numbers.h"
#include "vm/cli/command_line/options.h"

namespace wse::cli {

template <class T>
void store(std::uint64_t number, std::optional<T>& to) {
  to = static_cast<T>(number);
}
inline void store(std::uint64_t number, std::uint64_t& to) { to = number; }

// An option whose value is one number, with the range of its row.
template <class T>
CLI::Option* add_number(CLI::App& command, const std::string& name, std::string_view part, T& value,
                        const std::string& meaning) {
  const NumberOption& row = number_option(name, part);
  const auto read = [&row, &value](const std::string& text) {
    const isa::Result<std::uint64_t> number = read_number(row, text);
    if (!number) throw CLI::ParseError(number.error(), CLI::ExitCodes::ValidationError);
    store(*number, value);
  };
  return command.add_option_function<std::string>(name, read, meaning)
      ->type_name(std::string(part));
}

// The option may be given often, with one value each time; the next word is not another value.
inline CLI::Option* one_each(CLI::Option* option) { return option->allow_extra_args(false); }

// A script says itself what the option says of one program; with a script it is refused.
inline CLI::Option* of_programs(Values& values, CLI::Option* option) {
  values.of_programs.push_back(option);
  return option;
}

// Adds --max-memory.
void add_memory_limit(CLI::App& command, Values& values);

// Adds the program of a command, its values and its machine.
void add_source(CLI::App& command, ProgramSource& source, Values& values);

// Adds the program or script of a command that asks a run, and which run of a script.
void add_asked_run(CLI::App& command, Values& v);

// Adds what executes a run, on how many threads, and its limit of cycles.
void add_machine_options(CLI::App& run, Values& v);

// Adds what `run` may tell of a run.
void add_reports(CLI::App& run, Values& v);

// Adds --ranks.
void add_ranks(CLI::App& run, Values& v);

// Add the options of the commands of these names.
void add_path(CLI::App& command, Values& v);
void add_why(CLI::App& command, Values& v);
void add_events(CLI::App& command, Values& v);
void add_report(CLI::App& command, Values& v);
void add_merge(CLI::App& command, Values& v);

}  // namespace wse::cli
