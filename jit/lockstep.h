// The engine that trusts nobody: the interpreter executes each stretch on a copy of its PE, the
// compiler's code on the PE itself, and all that either left is compared. Slow; for tests, and for
// whoever doubts a result.
#pragma once

#include <memory>

#include "jit/engine.h"

namespace wse::jit {

class LockstepEngine : public vm::Engine {
 public:
  LockstepEngine(std::unique_ptr<Compiler> compiler, const JitOptions& options)
      : native_("jit", std::move(compiler), options) {}

  std::string_view name() const override { return "lockstep"; }
  std::vector<std::unique_ptr<vm::Executor>> executors(const isa::Image& image,
                                                       const isa::Profile& profile,
                                                       std::span<const vm::LoadedProgram> programs,
                                                       std::size_t count) const override;

 private:
  JitEngine native_;
};

}  // namespace wse::jit
