// The passes that a region goes through: few, in an order that suits its shape.
#pragma once

#include <atomic>

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace wse::jit {

// Inlines the meanings and folds operands. Where there is a loop it keeps the state in registers
// and folds charges too; elsewhere that takes longer than it ever saves. Does nothing more once
// `abandoned` is set.
void optimise(llvm::Module& module, llvm::TargetMachine& target, bool has_loop,
              const std::atomic<bool>& abandoned);

}  // namespace wse::jit
