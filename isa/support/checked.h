// Checks of what the code believes of its own data, in builds that look for errors.
//
// Only a build with WSE_CHECKED (the presets that find errors, see CMakePresets.json) has them. In
// every other build check_that() is empty and leaves no trace in the code, so its condition must
// have no effect. Input of users is never checked here: it gets a Result.
#pragma once

#ifdef WSE_CHECKED
#include <cassert>
#include <source_location>
#endif

namespace wse::isa {

#ifdef WSE_CHECKED
// For checks that take more than an expression: in other builds they are not called.
inline constexpr bool kIsChecked = true;

// Ends the process as assert() does, naming what was believed, if it does not hold.
inline void check_that(bool holds, const char* belief,
                       const std::source_location& where = std::source_location::current()) {
  if (!holds) __assert_fail(belief, where.file_name(), where.line(), where.function_name());
}
#else
inline constexpr bool kIsChecked = false;
constexpr void check_that(bool, const char*) {}
#endif

}  // namespace wse::isa
