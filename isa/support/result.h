// Result<T>: a value, or the reason in words why there is none.
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

}  // namespace wse::isa
