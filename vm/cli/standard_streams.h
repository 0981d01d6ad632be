// stdin, stdout and stderr of the executable: the one place through which text reaches them, but
// for outputs whose file is "-". Results go to stdout, whole texts at a time, and their failures
// are told; stderr is for people, and if it cannot be written, nobody is there to be told.
//
//     for people: diagnostics, reports, listings    control characters become visible, always
//     for programs: texts of programs, and what     as they are; visible on a terminal
//     scripts print
//
// What "visible" means: isa/support/visible.h. Must never throw or end the process, whatever the
// streams are.
#pragma once

#include <string_view>

#include "vm/cli/failure.h"

namespace wse::cli {

// Once, before anything is opened: a stream that is closed becomes one that fails, so that no file
// gets its number; a pipe without a reader, and a file that has reached the limit of its size, are
// errors of write() instead of signals.
void prepare_standard_streams();

// Writes to stdout for people. Failures: the disk is full, stdout is closed; where a pipe has lost
// its reader, one without message and with the code ReaderGone.
Outcome<void> print_text(std::string_view text);
// Writes to stdout for programs: unchanged, but to a terminal as print_text() does. Failures: those
// of print_text().
Outcome<void> print_data(std::string_view text);
// Writes a drawing with its colours to stdout. It must not contain text of others, which could hold
// sequences of its own for the terminal.
Outcome<void> print_drawing(std::string_view text);

// Writes to stderr, for people.
void complain(std::string_view text);
// Writes to stderr as complain() does; drops the text where the reader of a pipe does not read.
void complain_if_ready(std::string_view text);
// Writes over the line of stderr that it wrote last.
void redraw_line(std::string_view text);

// Prints "wsevm: error: MESSAGE". Further lines of the message are indented: a name with a newline
// in it cannot pass for a message of ours.
void complain_of_error(std::string_view message);
// Prints the failure as an error, or as it is if it consists of diagnostics of the assembler, and
// returns its exit code.
ExitCode report(const Failure& failure);

}  // namespace wse::cli
