// Walks CLI11's description, and reads its texts as options.h lays them down.
#include "vm/cli/command_line/describe.h"

#include <CLI/CLI.hpp>

namespace wse::cli {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  return text.empty() ? std::vector<std::string>() : CLI::detail::split(text, '\n');
}

// CLI11 joins the name of the value and what its validator says of it: "PROFILE:{wse2,model}".
void read_type(const std::string& type, Argument& argument) {
  const std::size_t open = type.find(":{");
  argument.value = type.substr(0, open);
  if (open == std::string::npos) return;
  const std::size_t close = type.find('}', open);
  argument.choices = CLI::detail::split(type.substr(open + 2, close - open - 2), ',');
}

Takes takes_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return Takes::Nothing;
  return option.get_items_expected_min() == 0 ? Takes::Optional : Takes::Value;
}

Argument describe_option(const CLI::Option& option) {
  Argument argument;
  if (option.get_positional()) {
    argument.names = {option.get_name(true)};
  } else {
    for (const std::string& name : option.get_snames()) argument.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) argument.names.push_back("--" + name);
  }
  argument.takes = takes_of(option);
  if (argument.takes != Takes::Nothing) read_type(option.get_type_name(), argument);
  argument.initial = option.get_default_str();
  argument.meaning = option.get_description();
  argument.group = option.get_group();
  argument.required = option.get_required();
  argument.repeated = option.get_items_expected_max() > 1;
  return argument;
}

Command describe_command(const CLI::App& app) {
  Command command{app.get_name(), app.get_description(), {}, lines_of(app.get_footer())};
  const CLI::Option* help = app.get_help_ptr();  // the last of its group, not the first
  for (const CLI::Option* option : app.get_options()) {
    if (option != help) command.arguments.push_back(describe_option(*option));
  }
  if (help != nullptr) command.arguments.push_back(describe_option(*help));
  return command;
}

}  // namespace

Manual describe(const CLI::App& app, std::string version) {
  Manual manual{describe_command(app), std::move(version), {}};
  for (const CLI::App* command : app.get_subcommands({})) {
    manual.commands.push_back(describe_command(*command));
  }
  return manual;
}

}  // namespace wse::cli
