// The wsevm executable. Everything it does stands in the library of this folder.
#include <exception>

#include "vm/cli/commands.h"
#include "vm/cli/memory_limit.h"
#include "vm/cli/standard_streams.h"

int main(int count, char** arguments) {
  using namespace wse::cli;
  prepare_standard_streams();
  const Outcome<ExitCode> code = guarded([&]() -> Outcome<ExitCode> {
    try {
      return run_command_line(count, arguments);
    } catch (const std::system_error& error) {  // of the host: no thread, no lock
      return std::unexpected(Failure{error.what(), ExitCode::Exhausted});
    }
  });
  return static_cast<int>(code ? *code : report(code.error()));
}
