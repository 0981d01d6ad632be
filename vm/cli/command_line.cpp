// The command line: names, help texts and the shape of values. The only file that knows CLI11.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <sstream>

#include "isa/profile.h"
#include "vm/cli/commands.h"
#include "vm/cli/memory_limit.h"
#include "vm/cli/standard_streams.h"

namespace wse::cli {
namespace {

constexpr const char* kVersion = "0.1.0";

std::string version_text() {
  std::string profiles;
  for (const std::string& name : isa::profile_names()) profiles += " " + name;
  return fmt::format("wsevm {}\nprofiles:{}\nLLVM: none", kVersion, profiles);
}

[[noreturn]] void refuse(std::string text) { throw CLI::ValidationError(std::move(text)); }

std::pair<std::string, std::string> split_at(const std::string& text, char separator,
                                             std::string_view shape) {
  const std::size_t at = text.find(separator);
  if (at == std::string::npos || at == 0 || at + 1 == text.size()) {
    refuse(fmt::format("'{}' has not the form {}", text, shape));
  }
  return {text.substr(0, at), text.substr(at + 1)};
}

std::vector<std::pair<std::string, std::string>> split_all(const std::vector<std::string>& texts,
                                                           std::string_view shape) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& text : texts) pairs.push_back(split_at(text, '=', shape));
  return pairs;
}

template <class T>
T number(std::string_view text, std::string_view whole, std::string_view shape) {
  T value{};
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || rest != text.data() + text.size()) {
    refuse(fmt::format("'{}' has not the form {}", whole, shape));
  }
  return value;
}

Dump parse_dump(const std::string& text) {
  constexpr std::string_view kShape = "X,Y:SYMBOL";
  const auto [place, symbol] = split_at(text, ':', kShape);
  const auto [x, y] = split_at(place, ',', kShape);
  return {number<std::uint32_t>(x, text, kShape), number<std::uint32_t>(y, text, kShape), symbol};
}

void parse_rect(const std::string& text, vm::TraceFilter& filter) {
  constexpr std::string_view kShape = "X0,Y0,X1,Y1";
  std::vector<std::uint32_t> parts;
  for (const std::string& part : CLI::detail::split(text, ',')) {
    parts.push_back(number<std::uint32_t>(part, text, kShape));
  }
  if (parts.size() != 4) refuse(fmt::format("'{}' has not the form {}", text, kShape));
  filter.x0 = parts[0];
  filter.y0 = parts[1];
  filter.x1 = parts[2];
  filter.y1 = parts[3];
}

void parse_cycles(const std::string& text, vm::TraceFilter& filter) {
  constexpr std::string_view kShape = "FIRST..LAST";
  const std::size_t at = text.find("..");
  if (at == std::string::npos) refuse(fmt::format("'{}' has not the form {}", text, kShape));
  filter.first = number<vm::Cycle>(std::string_view(text).substr(0, at), text, kShape);
  filter.last = number<vm::Cycle>(std::string_view(text).substr(at + 2), text, kShape);
}

// What the options of all commands are read into.
struct Values {
  RunCommand run;
  AsmCommand assemble;
  ProgramSource check;
  std::string dis_file;
  std::string profile;
  bool markdown = false;
  bool timing = false;
  bool isa_json = false;
  bool machine_json = false;
  std::vector<std::string> key_values, in, out, pictures, dumps;
  std::string rect, cycles, max_memory, engine = "interp";
};

// The option may be given often, with one value each time; the next word is not another value.
void one_each(CLI::Option* option) { option->allow_extra_args(false); }

void add_limit(CLI::App& command, Values& values) {
  command.add_option("--max-memory", values.max_memory,
                     "SIZE: memory that may be taken, in bytes or with K, M, G");
}

void add_source(CLI::App& command, ProgramSource& source, Values& values) {
  command.add_option("FILE", source.file, "program: .wsa text or .wsb image, - for stdin")
      ->required();
  command.add_option("key=value", values.key_values,
                     "value of a .const or .param (.wsa), of a .param (.wsb)");
  command.add_option("--machine", source.machine, "machine profile")
      ->check(CLI::IsMember(isa::profile_names()))
      ->capture_default_str();
  add_limit(command, values);
  one_each(command.add_option("-I", source.include_folders, "DIR: where .include looks too"));
}

CLI::App* add_run(CLI::App& app, Values& v) {
  CLI::App* run = app.add_subcommand("run", "run a program");
  add_source(*run, v.run.source, v);
  run->add_option("--engine", v.engine, "execution engine")
      ->check(CLI::IsMember({"interp"}))
      ->capture_default_str();
  run->add_option("--threads", v.run.threads, "at most so many threads (results never differ)")
      ->check(CLI::Range(1u, 1024u));
  one_each(run->add_option("--in", v.in, "NAME=FILE.npy: exported array, set before the run"));
  one_each(run->add_option("--out", v.out, "NAME=FILE.npy: exported array, written after the run"));
  one_each(run->add_option("--show", v.run.show, "NAME: exported array as shaded text"));
  one_each(run->add_option("--picture", v.pictures, "NAME=FILE.png: exported array as a picture"));
  one_each(run->add_option("--dump", v.dumps, "X,Y:SYMBOL: print a symbol of one PE"));
  run->add_option("--max-cycles", v.run.max_cycles, "stop after so many cycles");
  run->add_option(
      "--tsc-skew", v.run.tsc_skew,
      "SEED: cycle counters (tsc) of PEs start at values of their own; without it at 0");
  run->add_flag("--strict", v.run.strict, "wavelets that nobody took are an error");
  run->add_flag("--expect", v.run.expect, "check the program's own .expect lines");
  run->add_option("--json", v.run.json, "write the record as JSON; without =FILE to stdout alone");
  run->add_flag("--stats", v.run.stats, "print the record for people");
  run->add_option("--trace", v.run.trace, "FILE.jsonl: what happened when");
  run->add_option("--trace-rect", v.rect, "X0,Y0,X1,Y1: only these PEs, inclusive");
  run->add_option("--trace-cycles", v.cycles, "FIRST..LAST: only these cycles");
  run->add_option("--dot", v.run.dot,
                  "FILE.dot: who waits for whom in a deadlock, for Graphviz; else without nodes");
  run->add_flag("--progress", v.run.progress, "progress on stderr even if it is no terminal");
  run->add_flag("--quiet", v.run.quiet, "no progress");
  run->footer("Example: wsevm run programs/broadcast/broadcast.wsa P=128 --machine=model --expect");
  return run;
}

CLI::App* add_asm(CLI::App& app, Values& v) {
  CLI::App* command = app.add_subcommand("asm", "assemble a program into an image");
  add_source(*command, v.assemble.source, v);
  command->add_option("-o,--output", v.assemble.output, "FILE.wsb; - for stdout");
  command->add_flag("--list", v.assemble.list, "print a listing: address, words, cost, source");
  command->add_flag("--symbols", v.assemble.symbols, "print where data lie in memory");
  command->footer("Example: wsevm asm programs/hello/hello.wsa -o hello.wsb --list");
  return command;
}

// From here on; what the command line itself has taken does not count.
void apply_limit(Values& v) {
  if (v.max_memory.empty()) return;
  const std::optional<std::uint64_t> bytes = parse_size(v.max_memory);
  if (!bytes) refuse(fmt::format("'{}' has not the form SIZE: 4G, 512M, 65536", v.max_memory));
  v.run.source.max_memory = v.assemble.source.max_memory = v.check.max_memory = bytes;
  limit_memory(*bytes);
}

void finish_run(Values& v) {
  v.run.source.values = split_all(v.key_values, "key=value");
  v.run.in = split_all(v.in, "NAME=FILE.npy");
  v.run.out = split_all(v.out, "NAME=FILE.npy");
  v.run.pictures = split_all(v.pictures, "NAME=FILE.png");
  for (const std::string& dump : v.dumps) v.run.dumps.push_back(parse_dump(dump));
  if (!v.rect.empty()) parse_rect(v.rect, v.run.trace_filter);
  if (!v.cycles.empty()) parse_cycles(v.cycles, v.run.trace_filter);
}

// `--json` alone means stdout; CLI11 would take the next word for its value.
std::vector<std::string> words_of(int count, char** arguments) {
  std::vector<std::string> words(arguments + 1, arguments + count);
  for (std::string& word : words) {
    if (word == "--json") word = "--json=-";
  }
  return {words.rbegin(), words.rend()};  // CLI11 wants them backwards
}

// Help and version are results, all else is a complaint.
ExitCode exit_of(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream out;
  std::ostringstream complaint;
  const bool fine = app.exit(error, out, complaint) == 0;
  complain(complaint.str());
  const Outcome<void> printed = print_text(out.str());
  if (!printed) return report(printed.error());
  return fine ? ExitCode::Fine : ExitCode::BadInput;
}

}  // namespace

ExitCode run_command_line(int count, char** arguments) {
  CLI::App app("a virtual machine for wafer-scale meshes of processing elements", "wsevm");
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  app.footer(
      "Example: wsevm run programs/hello/hello.wsa\nMore of each command: wsevm COMMAND --help");
  Values v;
  CLI::App* const run = add_run(app, v);
  CLI::App* const assemble = add_asm(app, v);
  CLI::App* const dis = app.add_subcommand("dis", "print an image as assembly text");
  dis->add_option("FILE", v.dis_file, "image (.wsb), - for stdin")->required();
  add_limit(*dis, v);
  dis->footer("Example: wsevm dis hello.wsb");
  CLI::App* const check = app.add_subcommand("check", "check a program without running it");
  add_source(*check, v.check, v);
  check->footer("Example: wsevm check programs/hello/hello.wsa");
  CLI::App* const isa = app.add_subcommand("isa", "print the instruction set");
  isa->add_flag("--markdown", v.markdown, "as a Markdown page");
  isa->add_flag("--timing", v.timing, "what each instruction takes, as a Markdown page");
  isa->add_flag("--json", v.isa_json, "as JSON");
  isa->footer("Example: wsevm isa --markdown");
  CLI::App* const machine = app.add_subcommand("machine", "print the parameters of a profile");
  machine->add_option("PROFILE", v.profile, "profile; all of them if absent")
      ->check(CLI::IsMember(isa::profile_names()));
  machine->add_flag("--json", v.machine_json, "as JSON");
  machine->footer("Example: wsevm machine wse2");
  try {
    std::vector<std::string> words(arguments + 1, arguments + count);
    const bool is_run = !words.empty() && words.front() == "run";
    if (is_run) {
      app.parse(words_of(count, arguments));
    } else {
      app.parse(count, arguments);
    }
    if (run->parsed()) finish_run(v);
    v.assemble.source.values = split_all(v.key_values, "key=value");
    v.check.values = v.assemble.source.values;
    apply_limit(v);
  } catch (const CLI::ParseError& error) {
    return exit_of(app, error);
  }
  if (run->parsed()) return run_command(v.run);
  if (assemble->parsed()) return asm_command(v.assemble);
  if (dis->parsed()) return dis_command(v.dis_file);
  if (check->parsed()) return check_command(v.check);
  if (isa->parsed()) {
    return isa_command(v.isa_json   ? TableFormat::Json
                       : v.markdown ? TableFormat::Markdown
                       : v.timing   ? TableFormat::Timing
                                    : TableFormat::Text);
  }
  return machine_command(v.profile, v.machine_json ? TableFormat::Json : TableFormat::Text);
}

}  // namespace wse::cli
