// Machines that tests run, on what the environment names as for wsevm itself (WSEVM_ENGINE,
// WSEVM_JIT_THRESHOLD, WSEVM_TRANSPORT, WSEVM_COHORTS), so that a whole suite can be run on another
// engine, transport and number of threads (WSE_TEST_THREADS).
#pragma once

#include "vm/contract/executor.h"
#include "vm/run/machine.h"

namespace wse::test_support {

// Null: the interpreter. Ends the process if it cannot be made.
const vm::Engine* test_engine();

// The transport of machines that tests run: WSEVM_TRANSPORT. Ends the process if there is none of
// that name.
vm::TransportChoice test_transport();

// Whether machines that tests run have cohorts: unless WSEVM_COHORTS is off.
bool test_cohorts();

// Takes all of them; the threads are those of the build if the environment names none.
vm::MachineOptions test_machine();

// Prints why a run was not on the transport that the environment names, in a line that
// on_transport.sh counts; nothing where it was, or where none is named.
void tell_refusal(const vm::Record& record);

}  // namespace wse::test_support
