// One text per thread.
#include "vm/library/fault.h"

#include <cstdlib>
#include <cstring>

namespace wse::library {
namespace {

constexpr const char* kExhausted = "out of memory: the host gives no more";

// The text that a call has left, in memory of its own or among constants.
struct LastText {
  std::string text;
  const char* shown = "";
};

LastText& last_text() noexcept {
  thread_local LastText last;
  return last;
}

}  // namespace

std::unexpected<Fault> fault(const front::Failure& failure) {
  const bool exhausted = failure.code == front::ExitCode::Exhausted;
  return fault(exhausted ? WSEVM_EXHAUSTED : WSEVM_BAD_INPUT, failure.message);
}

std::unexpected<Fault> fault(const isa::FileError& error) {
  return fault(error.exhausted ? WSEVM_EXHAUSTED : WSEVM_BAD_INPUT, error.message);
}

int keep(const Fault& fault) noexcept {
  LastText& last = last_text();
  try {
    last.text = fault.message;
    last.shown = last.text.c_str();
  } catch (const std::bad_alloc&) {
    last.shown = kExhausted;
  }
  return fault.code;
}

int keep_exhausted() noexcept {
  last_text().shown = kExhausted;
  return WSEVM_EXHAUSTED;
}

int keep_internal(const char* what) noexcept {
  LastText& last = last_text();
  try {
    last.text = std::string("an error of wsevm itself: ") + what;
    last.shown = last.text.c_str();
  } catch (const std::bad_alloc&) {
    last.shown = "an error of wsevm itself";
  }
  return WSEVM_INTERNAL;
}

void keep_success() noexcept { last_text().shown = ""; }

const char* kept_text() noexcept { return last_text().shown; }

char* owned_text(std::string_view text) {
  auto* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return copy;
}

}  // namespace wse::library
