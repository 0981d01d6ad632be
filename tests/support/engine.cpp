// Made once, at first use.
#include "tests/support/engine.h"

#include <cstdio>
#include <cstdlib>
#include <string>

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

}  // namespace wse::test_support
