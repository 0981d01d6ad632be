// Runs of programs/ as their goldens show them.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/simulation.h"
#include "vm/cli/reports.h"

namespace wse::golden {

inline const std::filesystem::path kPrograms = std::filesystem::path(WSE_SOURCE_DIR) / "programs";

// In alphabetical order.
inline std::vector<std::string> program_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kPrograms)) {
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

// The record for people, less its wall time.
inline std::string stable_text(const vm::Record& record) {
  const std::string text = cli::record_text(record);
  return text.substr(0, text.find("wall time"));
}

// A run of the program on that machine, which must keep its expectations.
inline std::string run_text(const std::string& name, const std::string& machine) {
  const test_support::Simulation simulation =
      test_support::simulate_program(name, {.profile = machine});
  std::string text =
      fmt::format("== {} on {}: {}\n", name, machine, vm::text(simulation.record.status));
  if (!simulation.record.message.empty()) text += simulation.record.message + "\n";
  for (const std::string& line : simulation.printed) text += line + "\n";
  EXPECT_EQ(simulation.record.status, vm::RunStatus::Halted) << simulation.record.message;
  for (const std::string& failure : simulation.failed_expectations) ADD_FAILURE() << failure;
  return text + stable_text(simulation.record);
}

}  // namespace wse::golden
