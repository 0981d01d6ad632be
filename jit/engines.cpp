// Makes engines.
#include "jit/engines.h"

#include "jit/lazy_compiler.h"
#include "jit/load_compiler.h"
#include "jit/lockstep.h"
#include "vm/pe/interpreter.h"

namespace wse::jit {
namespace {

constexpr EngineChoice kChoices[] = {
    {"auto", "compiles what runs so often that it pays"},
    {"interp", "looks at one instruction after the other"},
    {"jit", "compiles what runs often"},
    {"lockstep", "does both, and compares them"},
};

}  // namespace

std::span<const EngineChoice> engine_choices() { return kChoices; }

isa::Result<std::unique_ptr<vm::Engine>> make_engine(std::string_view name,
                                                     const JitOptions& options) {
  if (name == "interp") return std::make_unique<vm::InterpreterEngine>();
  const CompilerOptions compiler{.wants_ir = options.keep_ir != nullptr,
                                 .wants_assembly = options.keep_assembly != nullptr};
  if (name == "auto") {
    JitOptions careful = options;
    if (!careful.threshold) {
      careful.threshold = kCarefulThreshold;
      careful.straight_threshold = kCarefulStraightThreshold;
      careful.least_stretch = kCarefulStretch;
    }
    return std::make_unique<JitEngine>(name, make_lazy_compiler(compiler), careful);
  }
  isa::Result<std::unique_ptr<Compiler>> loaded = load_compiler(compiler);
  if (!loaded) return std::unexpected(loaded.error());
  if (name == "lockstep") return std::make_unique<LockstepEngine>(std::move(*loaded), options);
  return std::make_unique<JitEngine>(name, std::move(*loaded), options);
}

}  // namespace wse::jit
