// The wsevm executable. Everything it does is in the library of this folder.
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "jit/workshop.h"
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
  const int number = static_cast<int>(code ? *code : report(code.error()));
  if (!wse::jit::is_still_compiling()) return number;
  std::fflush(nullptr);  // what scripts wrote
  std::_Exit(number);
}
