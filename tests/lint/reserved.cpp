// What only one place may do, so that no second one forgets its rule: open files, write to the
// streams of people, keep a list of inputs; in tests: look at the time on the wall.
//
// Finds words of C++ outside comments and texts. The rules of the product must not hold in tests,
// which make the hostile files themselves.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <string_view>

#include "tests/lint/lint.h"

namespace wse::lint {
namespace {

using Words = std::span<const std::string_view>;

struct Rule {
  Words words;
  std::string_view place;  // where it belongs
  Words files;             // that are this place
};

struct Exception {
  std::string_view file;
  std::string_view word;
};

constexpr std::string_view kProductRooms[] = {"isa/", "asm/", "vm/", "jit/", "scripts/host/"};

constexpr std::string_view kOpening[] = {
    "O_RDONLY",      "O_WRONLY",       "O_RDWR",      "O_CREAT",     "openat",   "openat2",
    "creat",         "fopen",          "freopen",     "fdopen",      "ifstream", "ofstream",
    "fstream",       "filebuf",        "tmpfile",     "mkstemp",     "mkostemp", "mkdtemp",
    "luaL_loadfile", "luaL_loadfilex", "luaL_dofile", "copy_file",   "renameat", "::rename",
    "fs::rename",    "std::rename",    "unlinkat",    "::unlink",    "::remove", "fs::remove",
    "remove_all",    "truncate",       "ftruncate",   "resize_file", "symlink",  "linkat",
    "std::remove"};
constexpr std::string_view kOpeningFiles[] = {
    "isa/support/open_file.cpp", "isa/support/input_list.cpp", "isa/support/output_file.cpp",
    "isa/support/secret_file.cpp"};

constexpr std::string_view kPrinting[] = {
    "cout",       "cerr",         "clog",          "printf",        "fprintf",    "vprintf",
    "vfprintf",   "dprintf",      "puts",          "fputs",         "putchar",    "fputc",
    "putc",       "fwrite",       "perror",        "psignal",       "fmt::print", "fmt::println",
    "std::print", "std::println", "::write",       "writev",        "pwrite",     "sendfile",
    "write_all",  "write_to",     "STDOUT_FILENO", "STDERR_FILENO", "stdout",     "stderr"};
constexpr std::string_view kPrintingFiles[] = {
    "isa/support/open_file.cpp", "isa/support/open_file.h", "isa/support/output_file.cpp",
    "vm/cli/standard_streams.cpp"};

constexpr std::string_view kDrawing[] = {"print_drawing"};
constexpr std::string_view kDrawingFiles[] = {"vm/cli/standard_streams.h",
                                              "vm/cli/standard_streams.cpp"};

constexpr std::string_view kListing[] = {"InputList"};
constexpr std::string_view kListingFiles[] = {"isa/support/input_list.h",
                                              "isa/support/input_list.cpp"};

constexpr Rule kRules[] = {
    {kOpening,
     "inputs are opened by isa/support/input_list.h, outputs by isa/support/output_file.h",
     kOpeningFiles},
    {kPrinting, "text reaches stdout and stderr through vm/cli/standard_streams.h", kPrintingFiles},
    {kDrawing, "only what wsevm draws itself is printed as it is", kDrawingFiles},
    {kListing, "a command has one list of its inputs and hands it on by reference", kListingFiles},
};

// A busy host would decide whether such a test passes.
constexpr std::string_view kClocks[] = {"steady_clock", "system_clock", "high_resolution_clock",
                                        "wall_seconds", "gettimeofday", "CLOCK_MONOTONIC"};
constexpr std::string_view kClockFiles[] = {
    "tests/bench/measure.cpp",                  // measures
    "tests/reference/acoustic_quick.cpp",       // prints how fast it is
    "tests/reference/acoustic_reference.cpp"};  // the same

constexpr Rule kTestRules[] = {
    {kClocks, "tests judge by processor time, std::clock() or Ending::processor_seconds",
     kClockFiles},
};

constexpr Exception kExceptions[] = {
    {"vm/cli/standard_streams.cpp", "O_WRONLY"},  // /dev/null in the place of a closed stream
    {"vm/cli/standard_streams.cpp", "O_RDONLY"},
    {"isa/support/secret_file.cpp", "write_all"},        // into its own file
    {"vm/support/host_memory.cpp", "ifstream"},          // what the system says of itself
    {"vm/support/host_threads.cpp", "ifstream"},         // the same
    {"tests/script/sweep_test.cpp", "wall_seconds"},     // a field on its way between processes
    {"scripts/host/crew.cpp", "write_all"},              // frames in a pipe between processes
    {"scripts/host/sandbox.cpp", "stdout"},              // Lua's own, for --unsafe: unbuffered
    {"vm/cli/run_output.cpp", "STDERR_FILENO"},          // is it a terminal?
    {"scripts/host/picture_file.cpp", "O_WRONLY"},       // /dev/null as stderr of another process
    {"scripts/host/picture_file.cpp", "STDOUT_FILENO"},  // those of another process
    {"scripts/host/picture_file.cpp", "STDERR_FILENO"},
    {"scripts/host/picture_file.cpp", "write_all"},  // into memory
    {"vm/cli/run_results.cpp", "STDOUT_FILENO"},     // is it one with colours?
    {"vm/cli/run_results.cpp", "print_drawing"},     // --show
    // The commands, and what is refused before there is one.
    {"vm/cli/command_line/command_line.cpp", "InputList"},
    {"vm/cli/check_command.cpp", "InputList"},
    {"vm/cli/file_commands.cpp", "InputList"},
    {"vm/cli/lsp_command.cpp", "InputList"},  // it writes nothing
    {"vm/cli/merge_command.cpp", "InputList"},
    {"vm/cli/report_command.cpp", "InputList"},
    {"vm/cli/run_command.cpp", "InputList"},
    {"vm/cli/why_command.cpp", "InputList"},
    {"vm/cli/events_command.cpp", "InputList"},
    {"vm/cli/run_profiles.cpp", "InputList"},  // of the language server
    {"vm/cli/script_command.cpp", "InputList"},
    {"vm/cli/table_commands.cpp", "InputList"},
    {"vm/library/program.h", "InputList"},  // the same of a caller's program
    {"vm/library/program.cpp", "InputList"},
    {"jit/object_cache.cpp", "InputList"},         // its files are no inputs of the command
    {"isa/support/own_file.cpp", "ifstream"},      // the executable, whose bytes are compared
    {"isa/support/output_file.cpp", "InputList"},  // an empty one: only names are compared
};

bool has_file(Words files, std::string_view file) {
  return std::ranges::find(files, file) != files.end();
}

bool is_exempt(std::string_view file, std::string_view word) {
  return std::ranges::any_of(kExceptions, [&](const Exception& exception) {
    return exception.file == file && exception.word == word;
  });
}

// The line without its comment and without what is in quotes.
std::string code_of(std::string_view line) {
  std::string code;
  char quote = '\0';
  for (size_t i = 0; i < line.size(); ++i) {
    if (quote == '\0' && line.substr(i).starts_with("//")) break;
    if (quote != '\0' && line[i] == '\\') {
      ++i;
    } else if (quote != '\0') {
      if (line[i] == quote) quote = '\0';
    } else if (line[i] == '"' || line[i] == '\'') {
      const bool digits = line[i] == '\'' && i > 0 && std::isxdigit(line[i - 1]) != 0;
      if (!digits) quote = line[i];
    } else {
      code += line[i];
    }
  }
  return code;
}

// `::open` is the function of the system, not a member: nothing names what is before it.
bool stands_alone(std::string_view code, size_t at, std::string_view word) {
  const size_t end = at + word.size();
  if (end < code.size() && is_word_character(code[end])) return false;
  return at == 0 || !is_word_character(code[at - 1]);
}

// A list itself; a reference or pointer to one, a declaration and a member of the class do not
// count.
bool is_list(std::string_view code, size_t at) {
  const std::string_view rest = code.substr(at + std::string_view("InputList").size());
  const size_t next = rest.find_first_not_of(' ');
  return next != std::string_view::npos && rest[next] != '&' && rest[next] != '*' &&
         rest[next] != ':' && rest[next] != ';';
}

bool uses(std::string_view code, std::string_view word) {
  for (size_t at = code.find(word); at != std::string_view::npos; at = code.find(word, at + 1)) {
    if (!stands_alone(code, at, word)) continue;
    if (word != kListing[0] || is_list(code, at)) return true;
  }
  return false;
}

std::span<const Rule> rules_for(std::string_view path) {
  if (path.starts_with("tests/")) return kTestRules;
  const bool is_product = std::ranges::any_of(
      kProductRooms, [&](std::string_view room) { return path.starts_with(room); });
  return is_product ? std::span<const Rule>(kRules) : std::span<const Rule>();
}

}  // namespace

void check_reserved(const TextFile& file, Violations& violations) {
  const std::span<const Rule> rules = rules_for(file.path);
  if (rules.empty() || !is_cpp(file.path)) return;
  for (size_t i = 0; i < file.lines.size(); ++i) {
    const std::string code = code_of(file.lines[i]);
    if (code.starts_with("#include")) continue;
    for (const Rule& rule : rules) {
      if (has_file(rule.files, file.path)) continue;
      for (const std::string_view word : rule.words) {
        if (!uses(code, word) || is_exempt(file.path, word)) continue;
        violations.push_back({file.path, i + 1, fmt::format("'{}': {}", word, rule.place)});
      }
    }
  }
}

}  // namespace wse::lint
