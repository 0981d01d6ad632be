// The programs of tests/golden/wrong, and how each is assembled.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "asm/assembler.h"
#include "tests/support/golden_block.h"

namespace wse::assembler {

inline std::vector<test_support::GoldenProgram> wrong_programs() {
  return test_support::golden_programs("golden/wrong");
}

// `golden` must live longer.
inline Options golden_options(const test_support::GoldenProgram& golden) {
  const auto load = [&golden](const std::string& path) -> isa::Result<std::optional<std::string>> {
    if (path == "secret.wsa") return isa::fail("permission denied");
    const auto file = golden.files.find(path);
    if (file == golden.files.end()) return std::nullopt;
    return file->second;
  };
  const std::string profile = golden.profile.empty() ? "wse2" : golden.profile;
  return {.overrides = golden.values,
          .profile = *isa::find_profile(profile),
          .path = golden.name(),
          .include_folders = {"lib"},
          .load = load};
}

inline Output assemble_golden(const test_support::GoldenProgram& golden) {
  return assemble({golden.name(), golden.source}, golden_options(golden));
}

}  // namespace wse::assembler
