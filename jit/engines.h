// The engines by their names on the command line.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "jit/engine.h"

namespace wse::jit {

struct EngineChoice {
  std::string_view name;
  std::string_view meaning;
};

// All there are, the default first.
std::span<const EngineChoice> engine_choices();

// Makes the engine of one of those names. Errors: the compiler cannot be loaded (load_compiler.h).
isa::Result<std::unique_ptr<vm::Engine>> make_engine(std::string_view name,
                                                     const JitOptions& options);

}  // namespace wse::jit
