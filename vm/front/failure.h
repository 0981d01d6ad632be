// Failure: why a command cannot continue, and the exit code that says so.
#pragma once

#include <expected>
#include <string>
#include <utility>

#include "isa/support/open_file.h"
#include "isa/support/result.h"
#include "vm/front/exit_code.h"

namespace wse::front {

struct Failure {
  std::string message;
  ExitCode code = ExitCode::BadInput;
};

template <class T>
using Outcome = std::expected<T, Failure>;

inline std::unexpected<Failure> failure(std::string message) {
  return std::unexpected(Failure{std::move(message), ExitCode::BadInput});
}

// Turns a failure to read or write a file into one of a command. Where the reader of stdout is gone
// it has no message: the exit code says so, as with other tools.
inline std::unexpected<Failure> failure(const isa::FileError& error) {
  if (error.reader_gone) return std::unexpected(Failure{"", ExitCode::ReaderGone});
  return std::unexpected(
      Failure{error.message, error.exhausted ? ExitCode::Exhausted : ExitCode::BadInput});
}

// Turns the result of a call that may fail with a FileError into one that a command returns.
inline Outcome<void> outcome(const std::expected<void, isa::FileError>& done) {
  if (!done) return failure(done.error());
  return {};
}

// Returns the failure of a command that could make nothing of what is in `file`.
inline std::unexpected<Failure> failure(const std::string& file, const isa::Error& error) {
  return std::unexpected(Failure{file + ": " + error.message,
                                 error.exhausted ? ExitCode::Exhausted : ExitCode::BadInput});
}

}  // namespace wse::front
