// The wsevm executable. Everything it does stands in the library of this folder.
#include <cstdio>
#include <exception>
#include <new>

#include "vm/cli/commands.h"

int main(int count, char** arguments) {
  try {
    return static_cast<int>(wse::cli::run_command_line(count, arguments));
  } catch (const std::bad_alloc&) {
    std::fputs("wsevm: error: out of memory; nothing was written\n", stderr);
    return static_cast<int>(wse::cli::ExitCode::Exhausted);
  }
}
