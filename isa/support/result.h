// Result<T>: a value, or the reason in words why there is none. Attempt<T>: the same, of what may
// also fail because the host has no more memory.
//
// Bad input travels through this type; nothing in the project throws for it. Errors that point into
// source text use support/diagnostics.h instead.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace wse::isa {

template <class T>
using Result = std::expected<T, std::string>;

using Status = Result<void>;

inline std::unexpected<std::string> fail(std::string reason) {
  return std::unexpected<std::string>(std::move(reason));
}

// Why something could not be had. `exhausted`: memory ran out (exit code 3); otherwise the request
// itself was wrong (exit code 2), as every reason of a Result is.
struct Error {
  std::string message;
  bool exhausted = false;

  Error(std::string reason) : message(std::move(reason)) {}
  Error(std::string reason, bool is_exhausted)
      : message(std::move(reason)), exhausted(is_exhausted) {}
};

template <class T>
using Attempt = std::expected<T, Error>;

inline std::unexpected<Error> out_of_memory(const std::string& what) {
  return std::unexpected(Error("out of memory" + what, true));
}

}  // namespace wse::isa
