// Makes the engine of a command.
#include "vm/cli/engine_option.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <filesystem>

#include "jit/engines.h"

namespace wse::cli {
namespace {

Outcome<void> check_folder(const char* option, const std::string& folder) {
  std::error_code error;
  if (folder.empty() || std::filesystem::is_directory(folder, error)) return {};
  return failure(fmt::format("{}: {} is no folder; make it first", option, folder));
}

bool is_memory_limited(const ProgramSource& program) {
  rlimit space{};
  const bool known = ::getrlimit(RLIMIT_AS, &space) == 0;
  return program.max_memory.has_value() || (known && space.rlim_cur != RLIM_INFINITY);
}

}  // namespace

Outcome<std::unique_ptr<vm::Engine>> find_engine(const ProgramSource& program) {
  const EngineSource& source = program.engine;
  Outcome<void> there = check_folder("--dump-ir", source.ir_folder);
  if (there) there = check_folder("--dump-asm", source.assembly_folder);
  if (!there) return std::unexpected(there.error());
  jit::JitOptions options;
  options.threshold = source.threshold;
  // What is found in the cache is not translated, and leaves no text.
  const bool texts = !source.ir_folder.empty() || !source.assembly_folder.empty();
  if (source.name != "interp" && !source.cache_folder.empty() && !texts) {
    isa::Result<jit::ObjectCache> cache = jit::ObjectCache::open(source.cache_folder);
    if (!cache) return failure(cache.error());
    options.cache = std::move(*cache);
  }
  const bool interprets = source.name == "auto" && is_memory_limited(program);
  const std::string_view name = interprets ? "interp" : std::string_view(source.name);
  auto engine = jit::make_engine(name, options, {source.ir_folder, source.assembly_folder});
  if (!engine) return failure(engine.error());
  return std::move(*engine);
}

}  // namespace wse::cli
