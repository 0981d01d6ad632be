// Finds and loads the compiler's module, and LLVM with it.
//
//     PREFIX/bin/wsevm  PREFIX/lib/wsevm/wsevm-jit.so   (installed)
//     build/wsevm       build/wsevm-jit.so              (built; tests lie deeper)
//
// The environment variable WSEVM_JIT names another file.
#pragma once

#include <memory>
#include <string_view>

#include "jit/compiler.h"

namespace wse::jit {

// The LLVM that wsevm was built with, "19", or "none"; nothing is loaded for it.
std::string_view llvm_version();

// Errors: no module, LLVM is missing, a module of another build; each says what to do.
isa::Result<std::unique_ptr<Compiler>> load_compiler(const CompilerOptions& options);

}  // namespace wse::jit
