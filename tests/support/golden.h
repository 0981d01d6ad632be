// Goldens: files that hold what something printed when a person last looked at it and found it
// right. With WSE_BLESS=1 in the environment a golden is rewritten instead of compared. Must never
// bless by accident: WSE_BLESS must be exactly 1.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace wse::test_support {

bool is_blessing();

// Empty if the golden says exactly `actual`, or was just blessed; else the first lines that differ.
std::string compare_with_golden(const std::filesystem::path& golden, std::string_view actual);

}  // namespace wse::test_support
