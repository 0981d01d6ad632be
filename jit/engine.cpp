// Programs are prepared once for each machine; its strips share them.
#include "jit/engine.h"

#include "jit/executor.h"

namespace wse::jit {

JitEngine::JitEngine(std::string_view name, std::unique_ptr<Compiler> compiler,
                     const JitOptions& options)
    : name_(name), workshop_(std::make_shared<Workshop>(std::move(compiler), options)) {}

JitEngine::~JitEngine() = default;

std::vector<std::unique_ptr<vm::Executor>> JitEngine::executors(
    const isa::Image&, const isa::Profile& profile, std::span<const vm::LoadedProgram> programs,
    std::size_t count) const {
  const auto native = std::make_shared<JitExecutor::Programs>();
  for (const vm::LoadedProgram& program : programs) {
    native->push_back(std::make_shared<NativeProgram>(program));
  }
  std::vector<std::unique_ptr<vm::Executor>> executors;
  for (std::size_t k = 0; k < count; ++k) {
    auto executor = std::make_unique<JitExecutor>(profile, workshop_, native);
    if (k == 0) executor->tell_compilation();
    executors.push_back(std::move(executor));
  }
  return executors;
}

}  // namespace wse::jit
