// Made once, at first use.
#include "tests/support/engine.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "jit/engines.h"

namespace wse::test_support {
namespace {

std::unique_ptr<vm::Engine> make() {
  const char* const name = std::getenv("WSEVM_ENGINE");
  if (name == nullptr) return nullptr;
  jit::JitOptions options;
  if (const char* const threshold = std::getenv("WSEVM_JIT_THRESHOLD")) {
    options.threshold = static_cast<std::uint32_t>(std::stoul(threshold));
  }
  auto engine = jit::make_engine(name, options);
  if (engine) return std::move(*engine);
  std::fprintf(stderr, "%s\n", engine.error().c_str());
  std::exit(2);
}

}  // namespace

const vm::Engine* test_engine() {
  static const std::unique_ptr<vm::Engine> kEngine = make();
  return kEngine.get();
}

vm::TransportChoice test_transport() {
  const char* const name = std::getenv("WSEVM_TRANSPORT");
  const auto choice = vm::transport_named(name == nullptr ? "auto" : name);
  if (choice) return *choice;
  std::fprintf(stderr, "WSEVM_TRANSPORT: no transport %s\n", name);
  std::exit(2);
}

bool test_cohorts() {
  const char* const name = std::getenv("WSEVM_COHORTS");
  return name == nullptr || std::string_view(name) != "off";
}

vm::MachineOptions test_machine() {
  const char* const threads = std::getenv("WSE_TEST_THREADS");
  return {.threads = threads == nullptr ? WSE_TEST_THREADS
                                        : static_cast<std::uint32_t>(std::stoul(threads)),
          .transport = test_transport(),
          .engine = test_engine(),
          .cohorts = test_cohorts()};
}

void tell_refusal(const vm::Record& record) {
  const char* const name = std::getenv("WSEVM_TRANSPORT");
  if (name == nullptr || record.transport_reason.empty()) return;
  std::printf("not on %s: %s\n", name, record.transport_reason.c_str());
}

}  // namespace wse::test_support
