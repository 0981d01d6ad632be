// wsevm isa, machine: the tables of the machine, printed.
#include "scripts/host/isa_table.h"
#include "vm/cli/commands.h"
#include "vm/cli/reports.h"
#include "vm/cli/standard_streams.h"

namespace wse::cli {

namespace {

ExitCode printed(std::string_view text) {
  const Outcome<void> done = print_text(text);
  return done ? ExitCode::Fine : report(done.error());
}

}  // namespace

ExitCode isa_command(TableFormat format) {
  switch (format) {
    case TableFormat::Text: return printed(isa_text());
    case TableFormat::Markdown: return printed(isa_markdown());
    case TableFormat::Timing: return printed(timing_markdown());
    case TableFormat::Json: return printed(isa_json());
    case TableFormat::Lua: return printed(script::isa_lua());
  }
  return ExitCode::BadInput;
}

ExitCode machine_command(const std::string& name, TableFormat format) {
  std::vector<isa::Profile> profiles;
  for (const std::string& known : isa::profile_names()) {
    if (name.empty() || name == known) profiles.push_back(*isa::find_profile(known));
  }
  const bool json = format == TableFormat::Json;
  return printed(json ? profiles_json(profiles) : profiles_text(profiles));
}

}  // namespace wse::cli
