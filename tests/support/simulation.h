// Assembles and runs a program in one call, for tests of the machine.
// A program that does not assemble or load fails the test with its diagnostics.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vm/run/machine.h"

namespace wse::test_support {

using Values = std::vector<std::pair<std::string, std::string>>;  // key=value of the command line

// Words of exported arrays before the run: of their whole rectangles in C order, as for --in.
using Arrays = std::vector<std::pair<std::string, std::vector<std::uint32_t>>>;

// Parameters of the profile that are to be others.
using Settings = std::vector<std::pair<std::uint32_t isa::Profile::*, std::uint32_t>>;

struct Simulation {
  std::unique_ptr<vm::Machine> machine;
  vm::Record record;
  std::vector<std::string> failed_expectations;
  std::vector<std::string> printed;  // lines of print
  std::vector<std::string> trace;    // lines of the trace, if asked for

  // Elements of a symbol at one PE; empty if there is none.
  std::vector<std::uint32_t> words(std::uint32_t x, std::uint32_t y, const std::string& name) const;
};

struct SimulationOptions {
  Values values = {};
  std::string profile = "model";
  vm::Cycle max_cycles = vm::kNever;
  bool trace = false;
  std::optional<std::uint64_t> tsc_skew = {};
  Settings settings = {};
  Arrays arrays = {};
  std::optional<vm::PathTarget> path = {};
  vm::TraceSink* sink = nullptr;  // gets the events, instead of `trace`
  bool keeps_profile = false;
};

// `text` is the program; `name` appears in messages.
Simulation simulate(const std::string& text, const SimulationOptions& options = {},
                    const std::string& name = "test.wsa");

// What the assembler says of a text that asks for what the machine does not have; empty if it asks
// for no such thing. Other errors are failures.
std::string refusal(const std::string& text, const SimulationOptions& options = {},
                    const std::string& name = "test.wsa");

// The text of programs/NAME/NAME.wsa, and a run of it.
std::string program_text(const std::string& name);
Simulation simulate_program(const std::string& name, const SimulationOptions& options = {});

}  // namespace wse::test_support
