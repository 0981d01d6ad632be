// The description of the command line.
#include "vm/cli/command_line/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "isa/machine/profile.h"
#include "jit/engine.h"
#include "jit/engines.h"
#include "scripts/host/script.h"
#include "vm/cli/command_line/option_kinds.h"
#include "vm/cli/manual/pages.h"

namespace wse::cli {
namespace {

CLI::Option* add_program_file(CLI::App& command, std::string& file) {
  return command.add_option("FILE", file, "program: .wsa text or .wsb image; - is stdin")
      ->type_name("FILE.wsa FILE.wsb")
      ->required();
}

// Names of profiles, which it describes, and files of Lua.
CLI::Validator machine_choice() {
  const CLI::IsMember names(isa::profile_names());
  const auto check = [names](std::string& given) {
    return script::is_machine_file(given) ? std::string() : names(given);
  };
  return {check, names.get_description()};
}

CLI::Option* add_machine(CLI::App& command, ProgramSource& source) {
  return command
      .add_option("--machine", source.machine,
                  "a FILE.lua that changes a profile, or a profile, see wsevm machine")
      ->type_name("PROFILE")
      ->check(machine_choice())
      ->capture_default_str()
      ->group("Machine");
}

void add_warnings(CLI::App& command, Values& values) {
  one_each(command.add_option(
               "-W", values.warnings,
               "make the warnings with this code, or all, errors or silent, as in E229=off"))
      ->type_name("CODE=off|error")
      ->group("Checks");
}

}  // namespace

void add_source(CLI::App& command, ProgramSource& source, Values& values) {
  add_program_file(command, source.file);
  command
      .add_option("key=value", values.key_values,
                  "value of a .const or .param (.wsa) or of a .param (.wsb), such as P=128")
      ->type_name("");
  one_each(command.add_option("-I", source.include_folders,
                              "where .include looks too, after the folder of the including file"))
      ->type_name("DIR")
      ->group("Inputs");
  add_machine(command, source);
  add_memory_limit(command, values);
  add_warnings(command, values);
}

namespace {

// After add_source(): the command's file may be a script.
void take_scripts(CLI::App& command) {
  CLI::Option* const file = command.get_option("FILE");
  file->description(
      "program: .wsa text or .wsb image, or a script: .lua; - is a program from stdin");
  file->type_name("FILE.wsa FILE.wsb FILE.lua");
  command.get_option("key=value")
      ->description(
          "value of a .const or .param (.wsa), of a .param (.wsb), or an argument of a "
          "script, such as P=128");
}

void add_script_rights(CLI::App& command, ScriptRights& rights) {
  add_number(command, "--script-memory", "SIZE", rights.memory,
             "what a script may take besides its machines, such as 4G; without it 1G")
      ->group("Limits");
  add_number(command, "--script-instructions", "N", rights.instructions,
             "end a script after N instructions of Lua; without it 10000000000")
      ->group("Limits");
  command
      .add_flag("--unsafe", rights.unsafe,
                "let a script do what you may do: files, processes, native modules, no limits")
      ->group("Limits");
}

}  // namespace

void add_asked_run(CLI::App& command, Values& v) {
  add_source(command, v.run.source, v);
  take_scripts(command);
  of_programs(v, one_each(command.add_option(
                     "--in", v.in, "set an exported array before the run, as in x=a.npy")))
      ->type_name("NAME=FILE.npy")
      ->group("Inputs");
  add_number(command, "--run", "K", v.run.profiled_run,
             "of a script: ask its K-th run, not the last; points of sweeps do not count")
      ->group("Question");
  add_script_rights(command, v.run.rights);
}

namespace {

void add_interval(CLI::App& run, Values& v) {
  run.add_flag(
         "--interval", v.run.interval,
         "run twice more, with every constant of the machine at the low and at the high end of "
         "what measured rows allow (see wsevm machine), and tell the cycles")
      ->group("Reports");
}

void add_judgement(CLI::App& run, Values& v) {
  run.add_flag("--expect", v.run.expect, "check the program's own .expect lines")->group("Checks");
  run.add_flag("--strict", v.run.strict, "wavelets that nobody took are an error")->group("Checks");
}

void add_outputs(CLI::App& run, Values& v) {
  of_programs(v, one_each(run.add_option("--out", v.out,
                                         "write an exported array after the run, as in y=b.npy")))
      ->type_name("NAME=FILE.npy")
      ->group("Outputs");
  of_programs(
      v, one_each(run.add_option("--picture", v.pictures, "draw an exported array, as in y=y.png")))
      ->type_name("NAME=FILE.png")
      ->group("Outputs");
  of_programs(
      v, one_each(run.add_option("--show", v.run.show, "print an exported array as shaded text")))
      ->type_name("NAME")
      ->group("Outputs");
  of_programs(
      v, one_each(run.add_option("--dump", v.dumps, "print a symbol of one PE, as in 2,0:total")))
      ->type_name("X,Y:SYMBOL")
      ->group("Outputs");
}

void add_checkpoints(CLI::App& run, Values& v) {
  of_programs(v, run.add_option("--checkpoint", v.run.checkpoint,
                                "write the machine where it stops at --max-cycles or is "
                                "interrupted, or at the cycle of --at"))
      ->type_name("FILE")
      ->group("Outputs");
  of_programs(v, add_number(run, "--at", "CYCLE", v.run.checkpoint_at,
                            "write the checkpoint when so many cycles are done, and go on"))
      ->group("Outputs");
  of_programs(v, run.add_option("--restore", v.run.restore,
                                "go on from a checkpoint of the same program, values and machine"))
      ->type_name("FILE")
      ->group("Inputs");
}

void add_run(CLI::App& run, Values& v) {
  add_source(run, v.run.source, v);
  take_scripts(run);
  of_programs(v, one_each(run.add_option("--in", v.in,
                                         "set an exported array before the run, as in x=a.npy")))
      ->type_name("NAME=FILE.npy")
      ->group("Inputs");
  add_checkpoints(run, v);
  add_machine_options(run, v);
  add_ranks(run, v);
  add_script_rights(run, v.run.rights);
  add_judgement(run, v);
  add_outputs(run, v);
  add_reports(run, v);
  add_interval(run, v);
  run.footer(
      "wsevm run programs/broadcast/broadcast.wsa P=128 --machine=model --expect\n"
      "wsevm run programs/heat/heat.wsa --in x=programs/heat/field.npy --show y --stats\n"
      "wsevm run programs/message/message.wsa --max-cycles=1000 --json=record.json\n"
      "wsevm run scripts/examples/row.lua P=64 --machine=model");
}

void add_gen(CLI::App& command, Values& v) {
  command.add_option("FILE", v.gen.source.file, "script: .lua")->type_name("FILE.lua")->required();
  command.add_option("key=value", v.key_values, "argument of the script, such as P=128")
      ->type_name("");
  command.add_option("-o,--output", v.gen.output, "write the program; - is stdout")
      ->type_name("FILE.wsa")
      ->required()
      ->group("Outputs");
  add_number(command, "--program", "K", v.gen.program, "that of the K-th wse.run of the script")
      ->default_str("1")
      ->group("Outputs");
  one_each(command.add_option("-I", v.gen.source.include_folders, "where .include looks too"))
      ->type_name("DIR")
      ->group("Inputs");
  add_machine(command, v.gen.source);
  add_memory_limit(command, v);
  add_warnings(command, v);
  add_script_rights(command, v.gen.rights);
  command.footer("wsevm gen scripts/examples/row.lua P=8 -o row.wsa");
}

void add_asm(CLI::App& command, Values& v) {
  add_source(command, v.assemble.source, v);
  command.add_option("-o,--output", v.assemble.output, "write the image; - is stdout")
      ->type_name("FILE.wsb")
      ->group("Outputs");
  command.add_flag("--list", v.assemble.list, "print a listing: address, words, cost, source")
      ->group("Outputs");
  command.add_flag("--symbols", v.assemble.symbols, "print where data lie in memory")
      ->group("Outputs");
  command.footer(
      "wsevm asm programs/hello/hello.wsa -o hello.wsb\n"
      "wsevm asm programs/heat/heat.wsa W=8 H=8 --list");
}

void add_dis(CLI::App& command, Values& v) {
  command.add_option("FILE", v.dis_file, "image (.wsb); - is stdin")
      ->type_name("FILE.wsb")
      ->required();
  add_memory_limit(command, v);
  command.footer("wsevm dis hello.wsb");
}

void add_check(CLI::App& command, Values& v) {
  add_source(command, v.check.source, v);
  take_scripts(command);
  command
      .add_option("--format", v.check.format,
                  "how to tell what is wrong: text for people to stderr; json, or sarif as code "
                  "hosts read it, to stdout")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"text", "json", "sarif"}))
      ->capture_default_str()
      ->group("Reports");
  command
      .add_option("--path", v.path,
                  "draw where a wavelet of the colour goes that the PE sends, by switch position, "
                  "as in red@0,0")
      ->type_name("COLOUR@X,Y")
      ->group("Reports");
  add_number(command, "--program", "K", v.check.program,
             "of a script: check the program of its K-th wse.run")
      ->default_str("1")
      ->group("Checks");
  add_script_rights(command, v.check.rights);
  command.footer(
      "wsevm check programs/hello/hello.wsa\n"
      "wsevm check scripts/examples/row.lua P=8 --format=json");
}

void add_lsp(CLI::App& command, Values& v) {
  command.add_flag("--stdio", v.stdio, "as it does anyway; some editors say so");
  add_memory_limit(command, v);
  command.footer("wsevm lsp");
}

void add_isa(CLI::App& isa, Values& v) {
  CLI::Option* const markdown = isa.add_flag("--markdown", v.isa_markdown, "as a Markdown page");
  CLI::Option* const timing =
      isa.add_flag("--timing", v.isa_timing, "what each instruction takes, as a Markdown page");
  CLI::Option* const traps = isa.add_flag(
      "--traps", v.isa_traps, "why a run can trap, and what helps, as a Markdown table");
  CLI::Option* const json = isa.add_flag("--json", v.isa_json, "as JSON");
  CLI::Option* const lua = isa.add_flag("--lua", v.isa_lua, "as a Lua chunk that returns a table");
  markdown->excludes(timing)->excludes(traps)->excludes(json)->excludes(lua);
  timing->excludes(traps)->excludes(json)->excludes(lua);
  traps->excludes(json)->excludes(lua);
  json->excludes(lua);
  isa.footer("wsevm isa\nwsevm isa --json");
}

void add_profiles(CLI::App& machine, Values& v) {
  machine.add_option("PROFILE", v.profile, "profile or FILE.lua, all profiles if absent")
      ->type_name("PROFILE")
      ->check(machine_choice());
  machine.add_flag("--json", v.machine_json, "as JSON");
  machine.footer("wsevm machine wse2");
}

void add_man(CLI::App& command, Values& /*v*/) { command.footer("wsevm man | man -l -"); }

void add_completion(CLI::App& command, Values& v) {
  std::vector<std::string> shells;
  for (const ShellCompletion& known : kShellCompletions) shells.emplace_back(known.shell);
  command.add_option("SHELL", v.shell, "the shell")
      ->type_name("")
      ->required()
      ->check(CLI::IsMember(shells));
  command.footer("eval \"$(wsevm completion bash)\"");
}

void add_help(CLI::App& command, Values& v);

struct CommandRow {
  const char* name;
  const char* meaning;
  void (*add_options)(CLI::App& command, Values& values);
  bool tells_of_others = false;
};

constexpr CommandRow kCommands[] = {
    {"run", "run a program or a script", add_run},
    {"path", "run a program or a script, and tell what its end waited for, back to the start",
     add_path},
    {"why", "tell what PEs waited for at a cycle of a run, and how each wait ended", add_why},
    {"events", "write what happened in a rectangle of PEs over some cycles of a run", add_events},
    {"gen", "write the program that a script makes", add_gen},
    {"asm", "assemble a program into an image", add_asm},
    {"dis", "print an image as assembly text", add_dis},
    {"check", "check a program without running it", add_check},
    {"lsp", "serve editors: the language server on stdin and stdout", add_lsp},
    {"report", "show profiles of runs on one page", add_report},
    {"merge", "join the CSV files of a sweep that ran in shares, points=K/N", add_merge},
    {"isa", "print the instruction set", add_isa},
    {"machine", "print the parameters of a profile", add_profiles},
    {"man", "print the manual page", add_man, true},
    {"completion", "print completions for a shell", add_completion, true},
    {"help", "print the help of wsevm or of a command", add_help, true},
};

void add_help(CLI::App& command, Values& v) {
  std::vector<std::string> names;
  for (const CommandRow& row : kCommands) names.emplace_back(row.name);
  command.add_option("COMMAND", v.help_topic, "command, wsevm itself if absent")
      ->type_name("COMMAND")
      ->check(CLI::IsMember(names));
  command.footer("wsevm help run");
}

}  // namespace

void add_commands(CLI::App& app, Values& values, std::string_view wanted) {
  app.set_help_flag("-h,--help", "print this help");
  app.require_subcommand(1);
  const bool is_alone = std::ranges::any_of(kCommands, [wanted](const CommandRow& row) {
    return row.name == wanted && !row.tells_of_others;
  });
  for (const CommandRow& row : kCommands) {
    if (is_alone && row.name != wanted) continue;
    row.add_options(*app.add_subcommand(row.name, row.meaning), values);
  }
}

}  // namespace wse::cli
