// The engine of machines that tests run: the one that the environment names, as for wsevm itself
// (WSEVM_ENGINE, WSEVM_JIT_THRESHOLD), so that a whole suite can be run on another one.
#pragma once

#include "vm/executor.h"
#include "vm/machine.h"

namespace wse::test_support {

// Null: the interpreter. Ends the process if it cannot be made.
const vm::Engine* test_engine();

// The transport of machines that tests run: WSEVM_TRANSPORT. Ends the process if there is none of
// that name.
vm::TransportChoice test_transport();

}  // namespace wse::test_support
