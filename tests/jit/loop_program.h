// A loop of scalar code on 4 x 4 PEs, of different length on each, run on an engine: what tests of
// engines compare.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "asm/assembler.h"
#include "vm/run/machine.h"

namespace wse::jit {

struct LoopResult {
  vm::Record record;
  std::vector<std::uint32_t> sums;  // what each PE has computed
};

// Of a text that assembles and loads.
std::unique_ptr<vm::Machine> make_machine(
    const std::string& text, const vm::Engine* engine, std::uint32_t threads = 1,
    const assembler::Options& options = {.overrides = {}, .profile = *isa::find_profile("wse2")});

// Null: the interpreter. `multiplier` is a literal of the program.
LoopResult run_loop(const vm::Engine* engine, std::uint32_t threads,
                    vm::Cycle max_cycles = vm::kNever, std::uint32_t multiplier = 1664525,
                    std::uint32_t turns = 1000);

// All that must not depend on the engine.
void expect_same(const LoopResult& found, const LoopResult& expected);

}  // namespace wse::jit
