// Runs a program on the bit-plane transport, and leaves to gcov what was executed:
// walk FILE.wsa [key=value ...].
//
// Only the run counts, from its first cycle to its record. The text is assembled and loaded before.
// Compiled with --coverage; the environment variable GCOV_PREFIX says where the counts go.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "asm/assembler.h"
#include "isa/machine/profile.h"
#include "tests/support/files.h"
#include "vm/run/machine.h"

extern "C" {
#include <gcov.h>  // that of g++ 12 leaves the linkage to those who include it
}

namespace wse::walk {
namespace {

// Prints why and returns nullptr if the program cannot be loaded.
std::unique_ptr<vm::Machine> load(const std::filesystem::path& file,
                                  const assembler::Options& options) {
  assembler::Output output =
      assembler::assemble({file.string(), test_support::read_text(file)}, options);
  if (!output.image) {
    fmt::print(stderr, "{}", isa::to_text(output.diagnostics, output.files));
    return nullptr;
  }
  auto machine = vm::Machine::create(std::move(*output.image), options.profile,
                                     {.threads = 1, .transport = vm::TransportChoice::Wafer});
  if (machine) return std::move(*machine);
  fmt::print(stderr, "walk: {}\n", machine.error().message);
  return nullptr;
}

// Returns the exit code: 2 if the program cannot be loaded, 1 if it ran elsewhere or went wrong.
int run(int count, char** arguments) {
  assembler::Options options;
  options.profile = *isa::find_profile("wse2");
  for (int k = 2; k < count; ++k) {
    const std::string value = arguments[k];
    const std::size_t equals = value.find('=');
    options.overrides.emplace_back(value.substr(0, equals), value.substr(equals + 1));
  }
  const std::unique_ptr<vm::Machine> machine = load(arguments[1], options);
  if (machine == nullptr) return 2;
  __gcov_reset();
  const vm::Record record = machine->run({});
  __gcov_dump();
  const bool is_as_asked = record.transport == "wafer" && record.status == vm::RunStatus::Halted &&
                           machine->failed_expectations(record).empty();
  if (!is_as_asked) fmt::print(stderr, "walk: {} did not run as it should\n", arguments[1]);
  return is_as_asked ? 0 : 1;
}

}  // namespace
}  // namespace wse::walk

int main(int count, char** arguments) { return count < 2 ? 2 : wse::walk::run(count, arguments); }
