// Makes the engine of a command.
#include "vm/cli/engine_option.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include "jit/engines.h"

namespace wse::cli {
namespace {

bool is_memory_limited(const ProgramSource& program) {
  rlimit space{};
  const bool known = ::getrlimit(RLIMIT_AS, &space) == 0;
  return program.max_memory.has_value() || (known && space.rlim_cur != RLIM_INFINITY);
}

}  // namespace

Outcome<std::unique_ptr<vm::Engine>> find_engine(const ProgramSource& program,
                                                 const CodeTexts& texts) {
  const EngineSource& source = program.engine;
  if (Outcome<void> fine = texts.check(); !fine) return std::unexpected(fine.error());
  jit::JitOptions options;
  options.threshold = source.threshold;
  options.keep_ir = texts.keep_ir();
  options.keep_assembly = texts.keep_assembly();
  // Code that the cache has is not translated, and leaves no text.
  const bool wants_texts = options.keep_ir || options.keep_assembly;
  if (source.name != "interp" && !source.cache_folder.empty() && !wants_texts) {
    isa::Result<jit::ObjectCache> cache = jit::ObjectCache::open(source.cache_folder);
    if (!cache) return failure(cache.error());
    options.cache = std::move(*cache);
  }
  const bool interprets = source.name == "auto" && is_memory_limited(program);
  const std::string_view name = interprets ? "interp" : std::string_view(source.name);
  auto engine = jit::make_engine(name, options);
  if (!engine) return failure(engine.error());
  return std::move(*engine);
}

}  // namespace wse::cli
