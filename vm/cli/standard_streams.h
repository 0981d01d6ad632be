// stdin, stdout and stderr of the executable. Results go to stdout, whole texts at a time, and
// their failures are told; stderr is for people, and if it cannot be written, nobody is there to be
// told. Must never throw or end the process, whatever the streams are.
#pragma once

#include <string_view>

#include "vm/cli/failure.h"

namespace wse::cli {

// Once, before anything is opened: a stream that is closed becomes one that fails, so that no file
// gets its number; a pipe without a reader is an error of write() instead of a signal.
void prepare_standard_streams();

// Writes to stdout. Failures: the disk is full, stdout is closed; where a pipe has lost its reader,
// one without message and with the code ReaderGone.
Outcome<void> print_text(std::string_view text);

// Writes to stderr.
void complain(std::string_view text);

// Prints "wsevm: error: ...", or ready diagnostics of the assembler, and returns the exit code.
ExitCode report(const Failure& failure);

}  // namespace wse::cli
