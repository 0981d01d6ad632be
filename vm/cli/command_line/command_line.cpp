// Parses the command line, says what is wrong with it, and runs the command it names.
// WSE_VERSION is the project's version in CMake.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "isa/machine/profile.h"
#include "isa/support/diagnostics.h"
#include "jit/load_compiler.h"
#include "vm/cli/command_line/describe.h"
#include "vm/cli/command_line/numbers.h"
#include "vm/cli/command_line/options.h"
#include "vm/cli/manual/pages.h"
#include "vm/cli/memory_limit.h"
#include "vm/cli/run_results.h"
#include "vm/cli/standard_streams.h"
#include "vm/cli/threads_option.h"

namespace wse::cli {
namespace {

std::string version_text() {
  return fmt::format("wsevm {}\nprofiles: {}\nLLVM: {}", WSE_VERSION,
                     fmt::join(isa::profile_names(), " "), jit::llvm_version());
}

const Command* find_command(const Manual& manual, std::string_view name) {
  for (const Command& command : manual.commands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

// The command that was named before the parsing ended; the program itself if there was none.
const Command& command_of(const CLI::App& app, const Manual& manual) {
  const auto parsed = app.get_subcommands();
  const Command* const found =
      parsed.empty() ? nullptr : find_command(manual, parsed.front()->get_name());
  return found == nullptr ? manual.program : *found;
}

// Results of this file go to stdout as all do.
ExitCode print(const std::string& text) {
  const Outcome<void> printed = print_text(text);
  return printed ? ExitCode::Fine : report(printed.error());
}

using Words = std::vector<std::string>;

// `run --json` alone means stdout, `--ranks` any number; CLI11 would take the next word for the
// value.
Words with_values(Words words) {
  if (words.front() != "run") return words;
  std::ranges::replace(words, "--json", "--json=-");
  std::ranges::replace(words, "--ranks", "--ranks=0");
  return words;
}

// A run that is refused before its options are known has a record too, where it asked for one. Any
// other word may be an input, or name one after its '='.
Outcome<void> write_record_of_refusal(const Words& words, const std::string& message) {
  constexpr std::string_view kOption = "--json=";
  if (words.front() != "run") return {};
  RunCommand command;
  isa::InputList inputs;
  for (const std::string& word : with_values(words)) {
    if (word.starts_with(kOption)) {
      command.json = word.substr(kOption.size());
      continue;
    }
    inputs.expect(word);
    inputs.expect(word.substr(word.find('=') + 1));
  }
  return write_unfinished(command, inputs, "error", message);
}

ExitCode refuse(const Manual& manual, const Command& command, const std::string& message,
                const Words& words) {
  const bool is_program = &command == &manual.program;
  complain_of_error(message);
  complain(fmt::format("wsevm help{} tells what there is\n", is_program ? "" : " " + command.name));
  const Outcome<void> written = write_record_of_refusal(words, message);
  return written ? ExitCode::BadInput : report(written.error());
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::string near = isa::nearest(word, known);
  return near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
}

std::string unknown_command(const Manual& manual, const std::string& word) {
  std::vector<std::string> known;
  for (const Command& command : manual.commands) known.push_back(command.name);
  return fmt::format("unknown command '{}'{}", word, did_you_mean(word, known));
}

std::string unexpected_word(const Command& command, const std::string& word) {
  if (!word.starts_with('-')) return fmt::format("unexpected argument '{}'", word);
  std::vector<std::string> known;
  for (const Argument& argument : command.arguments) {
    if (!argument.has_place())
      known.insert(known.end(), argument.names.begin(), argument.names.end());
  }
  const std::string name = word.substr(0, word.find('='));
  return fmt::format("unknown option '{}'{}", name, did_you_mean(name, known));
}

// "--threads=": for CLI11 there is no value, for people an empty one.
isa::Status check_empty_numbers(const Words& words) {
  for (const std::string& word : words) {
    for (const NumberOption& row : number_options()) {
      if (word != std::string(row.option) + "=") continue;
      return isa::fail(read_number(row, "").error());
    }
  }
  return {};
}

// Answers what CLI11 threw, which is also how it asks for help and version. A failure is wrong
// usage.
Outcome<ExitCode> answer(const CLI::ParseError& error, const CLI::App& app, const Manual& manual,
                         const Words& words) {
  const Command& command = command_of(app, manual);
  if (dynamic_cast<const CLI::CallForHelp*>(&error) != nullptr) {
    return print(help_page(manual, command));
  }
  if (dynamic_cast<const CLI::CallForVersion*>(&error) != nullptr) {
    return print(version_text() + "\n");
  }
  for (const std::string& word : app.remaining(true)) {
    if (word.starts_with('-') || dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
      return failure(unexpected_word(command, word));
    }
  }
  if (const isa::Status status = check_empty_numbers(words); !status) {
    return failure(status.error());
  }
  return failure(error.what());
}

TableFormat isa_format(const Values& v) {
  if (v.isa_json) return TableFormat::Json;
  if (v.isa_lua) return TableFormat::Lua;
  if (v.isa_timing) return TableFormat::Timing;
  if (v.isa_traps) return TableFormat::Traps;
  return v.isa_markdown ? TableFormat::Markdown : TableFormat::Text;
}

// Everything about wsevm itself.
ExitCode print_manual(const std::string& command, const Manual& manual, const Values& v) {
  if (command == "man") return print(man_page(manual));
  for (const ShellCompletion& known : kShellCompletions) {
    if (command == "completion" && known.shell == v.shell) return print(known.text(manual));
  }
  const Command* const topic = find_command(manual, v.help_topic);
  return print(help_page(manual, topic == nullptr ? manual.program : *topic));
}

ExitCode execute(const std::string& command, const Manual& manual, const Values& v) {
  if (command == "run") return run_command(v.run);
  if (command == "path") return path_command(v.run);
  if (command == "why") return why_command(v.why);
  if (command == "events") return events_command(v.events);
  if (command == "gen") return gen_command(v.gen);
  if (command == "asm") return asm_command(v.assemble);
  if (command == "dis") return dis_command(v.dis_file);
  if (command == "check") return check_command(v.check);
  if (command == "lsp") return lsp_command(WSE_VERSION);
  if (command == "report") return report_command(v.report);
  if (command == "merge") return merge_command(v.merge);
  if (command == "isa") return isa_command(isa_format(v));
  if (command == "machine") {
    return machine_command(v.profile, v.machine_json ? TableFormat::Json : TableFormat::Text);
  }
  return print_manual(command, manual, v);
}

Words backwards(Words words) {
  std::ranges::reverse(words);
  return words;
}

}  // namespace

ExitCode run_command_line(int count, char** arguments) {
  CLI::App app("a virtual machine for wafer-scale meshes of processing elements", "wsevm");
  Values values;
  const Words words(arguments + 1, arguments + count);
  add_commands(app, values, words.empty() ? "" : words.front());
  app.set_version_flag("--version", version_text(), "print version, profiles and LLVM");
  app.footer("wsevm run programs/hello/hello.wsa");
  const Manual manual = describe(app, WSE_VERSION);
  if (words.empty()) {
    complain(help_page(manual, manual.program));
    return ExitCode::BadInput;
  }
  if (!words.front().starts_with('-') && find_command(manual, words.front()) == nullptr) {
    return refuse(manual, manual.program, unknown_command(manual, words.front()), words);
  }
  try {
    app.parse(backwards(with_values(words)));  // as CLI11 wants them
  } catch (const CLI::ParseError& error) {
    const Outcome<ExitCode> code = answer(error, app, manual, words);
    return code ? *code : refuse(manual, command_of(app, manual), code.error().message, words);
  }
  const Command& command = command_of(app, manual);
  if (const isa::Status status = finish(values); !status) {
    return refuse(manual, command, status.error(), words);
  }
  values.check.version = WSE_VERSION;
  bound_threads(values.run.source);
  if (values.max_memory) limit_memory(*values.max_memory);  // from here on
  return execute(command.name, manual, values);
}

}  // namespace wse::cli
