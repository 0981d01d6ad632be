// Scripts of Lua for callers of the library.
#pragma once

#include <atomic>
#include <cstdint>

#include "isa/support/input_list.h"
#include "scripts/host/script_result.h"
#include "vm/library/program.h"

namespace wse::library {

struct ScriptHost {
  std::uint64_t capture = 0;  // of script::Options
  wsevm_print print = nullptr;
  void* user = nullptr;
  const std::atomic<bool>* interrupt = nullptr;  // ends it
};

// Returns the code of a script that has ended so.
wsevm_code code_of(script::Ending ending);

// Runs a script to its end; of `choices` what scripts have. Errors: it cannot be read, there is no
// such machine or engine.
Fallible<script::ScriptResult> run_script(const Origin& origin, const Choices& choices,
                                          const ScriptHost& host, isa::InputList& inputs);

}  // namespace wse::library
