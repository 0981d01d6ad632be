// Makes the engine of a command.
#include "vm/cli/engine_option.h"

#include "jit/engines.h"

namespace wse::cli {

Outcome<std::unique_ptr<vm::Engine>> find_engine(const EngineSource& source) {
  jit::JitOptions options;
  if (source.threshold) options.threshold = *source.threshold;
  auto engine = jit::make_engine(source.name, options, {source.ir_folder, source.assembly_folder});
  if (!engine) return failure(engine.error());
  return std::move(*engine);
}

}  // namespace wse::cli
