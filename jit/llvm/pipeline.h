// The passes that a region goes through: few, in an order that suits its shape.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace wse::jit {

// Inlines the meanings, keeps the state in registers, folds operands and charges.
void optimise(llvm::Module& module, llvm::TargetMachine& target);

}  // namespace wse::jit
