// The engine that compiles: code that runs often becomes native code, by regions; the interpreter
// executes the rest. What comes out is the same to the bit and to the cycle, whichever moment a
// region becomes native.
#pragma once

#include <memory>
#include <string>

#include "jit/compiler.h"
#include "vm/executor.h"

namespace wse::jit {

struct JitOptions {
  // Instructions that are interpreted from one place on before its region is compiled. 0: compiled
  // at first sight, and waited for; else by a thread of its own while the interpreter goes on.
  std::uint32_t threshold = 2000;
  std::size_t most_code_bytes = std::size_t{64} << 20;  // of native code; then nothing is compiled
};

class Workshop;

class JitEngine : public vm::Engine {
 public:
  JitEngine(std::unique_ptr<Compiler> compiler, const JitOptions& options);
  ~JitEngine() override;

  std::string_view name() const override { return "jit"; }
  std::vector<std::unique_ptr<vm::Executor>> executors(const isa::Image& image,
                                                       const isa::Profile& profile,
                                                       std::span<const vm::LoadedProgram> programs,
                                                       std::size_t count) const override;

 private:
  std::shared_ptr<Workshop> workshop_;
};

}  // namespace wse::jit
