// Writes the LLVM module of a region: a block for each instruction, which calls its meaning with
// constant operands and continues where it says. Knows no opcode.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBufferRef.h>

#include <memory>

#include "isa/support/result.h"
#include "jit/compiler.h"

namespace wse::jit {

// Has one function that others see, job.name. `bitcode` is that of meaning.cpp; what the region
// does not use of it is left out. Errors: invalid bitcode.
isa::Result<std::unique_ptr<llvm::Module>> build_module(const CompileJob& job,
                                                        llvm::MemoryBufferRef bitcode,
                                                        llvm::LLVMContext& context);

}  // namespace wse::jit
