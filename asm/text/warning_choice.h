// The choice of a caller for the warnings with one code: `-W E229=off` of the command line, or
// `warnings = {E229 = "off"}` of a script.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isa/support/result.h"

namespace wse::assembler {

inline constexpr std::string_view kAllWarnings = "all";

struct WarningChoice {
  std::string code;       // or kAllWarnings
  bool is_error = false;  // else they are off
};

// The codes of all warnings, ascending.
std::vector<std::string> warning_codes();

bool is_error_code(std::string_view code);

// `code`: that of a warning, or "all"; `choice`: "off" or "error". Errors: no warning has the code
// (the nearest one is named), another choice.
isa::Result<WarningChoice> warning_choice(std::string_view code, std::string_view choice);

}  // namespace wse::assembler
