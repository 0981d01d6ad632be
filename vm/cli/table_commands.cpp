// wsevm isa, machine: the tables of the machine, printed.
#include "scripts/host/isa_table.h"
#include "vm/cli/commands.h"
#include "vm/cli/machine_option.h"
#include "vm/cli/memory_limit.h"
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
    case TableFormat::Traps: return printed(traps_markdown());
    case TableFormat::Json: return printed(isa_json());
    case TableFormat::Lua: return printed(script::isa_lua());
  }
  return ExitCode::BadInput;
}

ExitCode machine_command(const std::string& given, TableFormat format) {
  const Outcome<std::string> text = guarded([&]() -> Outcome<std::string> {
    isa::InputList inputs;
    std::vector<isa::MeasuredProfile> profiles;
    for (const std::string& name : given.empty() ? isa::profile_names() : std::vector{given}) {
      Outcome<isa::MeasuredProfile> profile = find_machine(name, inputs);
      if (!profile) return std::unexpected(profile.error());
      profiles.push_back(std::move(*profile));
    }
    return format == TableFormat::Json ? profiles_json(profiles) : profiles_text(profiles);
  });
  return text ? printed(*text) : report(text.error());
}

}  // namespace wse::cli
