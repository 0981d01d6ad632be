// wsevm isa, machine: the tables of the machine, printed.
#include <fmt/format.h>

#include "vm/cli/commands.h"
#include "vm/cli/reports.h"

namespace wse::cli {

ExitCode isa_command(TableFormat format) {
  switch (format) {
    case TableFormat::Text: fmt::print("{}", isa_text()); break;
    case TableFormat::Markdown: fmt::print("{}", isa_markdown()); break;
    case TableFormat::Timing: fmt::print("{}", timing_markdown()); break;
    case TableFormat::Json: fmt::print("{}", isa_json()); break;
  }
  return ExitCode::Fine;
}

ExitCode machine_command(const std::string& name, TableFormat format) {
  std::vector<isa::Profile> profiles;
  for (const std::string& known : isa::profile_names()) {
    if (name.empty() || name == known) profiles.push_back(*isa::find_profile(known));
  }
  const bool json = format == TableFormat::Json;
  fmt::print("{}", json ? profiles_json(profiles) : profiles_text(profiles));
  return ExitCode::Fine;
}

}  // namespace wse::cli
