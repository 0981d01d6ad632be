// The engine of machines that tests run: the one that the environment names, as for wsevm itself
// (WSEVM_ENGINE, WSEVM_JIT_THRESHOLD), so that a whole suite can be run on another one.
#pragma once

#include "vm/executor.h"

namespace wse::test_support {

// Null: the interpreter. Ends the process if it cannot be made.
const vm::Engine* test_engine();

}  // namespace wse::test_support
