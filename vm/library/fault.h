// Failures of calls, and what keeps them inside the library: codes and texts, never exceptions.
#pragma once

#include <expected>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "isa/support/result.h"
#include "vm/front/failure.h"
#include "vm/library/wsevm.h"

namespace wse::library {

struct Fault {
  wsevm_code code = WSEVM_BAD_INPUT;
  std::string message;
};

template <class T>
using Fallible = std::expected<T, Fault>;
using Done = Fallible<void>;

inline std::unexpected<Fault> fault(wsevm_code code, std::string message) {
  return std::unexpected(Fault{code, std::move(message)});
}
inline std::unexpected<Fault> bad_input(std::string message) {
  return fault(WSEVM_BAD_INPUT, std::move(message));
}
std::unexpected<Fault> fault(const front::Failure& failure);
std::unexpected<Fault> fault(const isa::FileError& error);

// Returns the status as a Done: its reason is bad input.
inline Done done(const isa::Status& status) {
  if (!status) return bad_input(status.error());
  return {};
}

// Returns the error of a pointer that the caller must give.
inline std::unexpected<Fault> null_argument(std::string_view name) {
  return bad_input(std::string(name) + " is NULL");
}

// Keeps the text of this thread's last call; without memory it keeps a shorter one. Returns the
// code.
int keep(const Fault& fault) noexcept;
int keep_exhausted() noexcept;
int keep_internal(const char* what) noexcept;
void keep_success() noexcept;
const char* kept_text() noexcept;

// Calls work(), which returns a Done, and returns the code for C. All that is thrown ends here.
template <class Work>
int call(Work work) noexcept {
  try {
    const Done done = work();
    if (!done) return keep(done.error());
    keep_success();
    return WSEVM_OK;
  } catch (const std::bad_alloc&) {
    return keep_exhausted();
  } catch (const std::length_error&) {
    return keep_exhausted();
  } catch (const std::exception& error) {
    return keep_internal(error.what());
  } catch (...) {
    return keep_internal("an unknown exception");
  }
}

// Returns a copy of the text that wsevm_free() frees. Throws std::bad_alloc.
char* owned_text(std::string_view text);

}  // namespace wse::library
