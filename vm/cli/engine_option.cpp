// Makes the engine of a command.
#include "vm/cli/engine_option.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <filesystem>

#include "jit/engines.h"
#include "jit/load_compiler.h"

namespace wse::cli {
namespace {

namespace fs = std::filesystem;

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

std::vector<script::CodePlace> code_places_of(const EngineSource& source) {
  std::vector<script::CodePlace> places;
  for (const fs::path& folder : jit::module_folders()) {
    places.push_back({folder.string(), "wsevm or its compiler"});
  }
  if (!source.cache_folder.empty()) {
    places.push_back({source.cache_folder, "objects of compiled code"});
  }
  if (const fs::path secrets = jit::ObjectCache::secret_folder(); !secrets.empty()) {
    places.push_back(
        {secrets.string(), "the secret that seals objects of compiled code", true, true});
  }
  return places;
}

}  // namespace wse::cli
