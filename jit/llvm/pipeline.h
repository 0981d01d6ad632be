// The passes that a region goes through: few, in an order that suits its shape.
#pragma once

#include <atomic>

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace wse::jit {

// Inlines the meanings, keeps the state in registers, folds operands and charges.
// Does nothing more once `abandoned` is set.
void optimise(llvm::Module& module, llvm::TargetMachine& target,
              const std::atomic<bool>& abandoned);

}  // namespace wse::jit
