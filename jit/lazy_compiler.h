// A compiler that is loaded when the first region is compiled, by the thread that wants it: a run
// in which nothing gets hot pays nothing for LLVM. If it cannot be loaded, it compiles nothing.
#pragma once

#include <memory>

#include "jit/compiler.h"

namespace wse::jit {

std::unique_ptr<Compiler> make_lazy_compiler(const CompilerOptions& options);

}  // namespace wse::jit
