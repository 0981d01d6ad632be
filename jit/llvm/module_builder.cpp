// The module of a region.
#include "jit/llvm/module_builder.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/IRBuilder.h>

#include <map>

#include "jit/externals.h"

namespace wse::jit {
namespace {

constexpr std::uint32_t kNowhere = ~0u;
constexpr std::string_view kKindNames[vm::kStretchKinds] = {"Plain", "Recorded", "Guarded"};

// One region while its function is written.
class Builder {
 public:
  Builder(const CompileJob& job, llvm::Module& module)
      : job_(job), module_(module), ir_(module.getContext()) {}

  // Errors: of reading the functions that it uses.
  llvm::Error build() {
    open_function();
    for (const RegionInstruction& member : job_.region.instructions) write(member);
    close_function();
    return std::move(error_);
  }

 private:
  // The function of the bitcode, which is going to be inlined.
  llvm::Function* meaning(const std::string& name) {
    llvm::Function* const function = module_.getFunction(name);
    if (!error_) error_ = function->materialize();
    return function;
  }

  // A constant of the module with the bytes of the objects, as the bitcode sees them.
  template <class T>
  llvm::Constant* constant(std::span<const T> objects, const llvm::Twine& name) {
    static_assert(std::is_trivially_copyable_v<T>);
    const llvm::StringRef bytes(reinterpret_cast<const char*>(objects.data()),
                                objects.size_bytes());
    auto* const data = llvm::ConstantDataArray::getRaw(bytes, bytes.size(), ir_.getInt8Ty());
    auto* const variable = new llvm::GlobalVariable(module_, data->getType(), true,
                                                    llvm::GlobalValue::PrivateLinkage, data, name);
    variable->setAlignment(llvm::Align(alignof(T)));
    return variable;
  }

  template <class T>
  llvm::Constant* constant(const T& object, const llvm::Twine& name) {
    return constant(std::span(&object, 1), name);
  }

  llvm::AllocaInst* place(std::size_t bytes, std::size_t alignment, const llvm::Twine& name) {
    llvm::AllocaInst* const made =
        ir_.CreateAlloca(llvm::ArrayType::get(ir_.getInt8Ty(), bytes), nullptr, name);
    made->setAlignment(llvm::Align(alignment));
    return made;
  }

  llvm::BasicBlock* block(const llvm::Twine& name) {
    return llvm::BasicBlock::Create(ir_.getContext(), name, function_);
  }

  void open_function() {
    llvm::Type* const pointer = ir_.getPtrTy();
    auto* const type = llvm::FunctionType::get(
        ir_.getInt8Ty(), {pointer, pointer, pointer, ir_.getInt64Ty()}, false);
    function_ =
        llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, job_.name, module_);
    for (const unsigned argument : {0u, 1u}) {
      function_->addParamAttr(argument, llvm::Attribute::NoAlias);
    }
    function_->setUWTableKind(llvm::UWTableKind::Default);
    ir_.SetInsertPoint(block("enter"));
    state_ = job_.region.has_loop ? copy_state() : function_->getArg(0);
    llvm::Value* const pc = ir_.CreateCall(meaning("wse_pc"), {state_});
    enter_ = ir_.CreateSwitch(pc, nullptr);
    leave_ = block("leave");
    ir_.SetInsertPoint(leave_);
    step_ = ir_.CreatePHI(ir_.getInt8Ty(), 2, "step");
    leave_next_ = block("leave_next");
    enter_->setDefaultDest(leave_next_);
    costs_ = constant(job_.costs, "costs");
    for (const RegionInstruction& member : job_.region.instructions) {
      begin_[member.pc] = block(llvm::Twine("at_") + llvm::Twine(member.pc));
    }
    for (const RegionInstruction& member : job_.region.instructions) {
      if (member.is_entry) enter_->addCase(ir_.getInt32(member.pc), way_to(member.pc, kNowhere));
    }
  }

  // A loop works on a copy, which can lie in registers, and has its literals as constants. Code
  // that is executed once would only be slower by that.
  llvm::Value* copy_state() {
    llvm::Value* const local = place(sizeof(isa::ScalarState), alignof(isa::ScalarState), "local");
    llvm::Value* const view = place(sizeof(isa::ProgramView), alignof(isa::ProgramView), "view");
    llvm::Constant* const literals = constant(job_.literals, "literals");
    ir_.CreateCall(meaning("wse_enter"),
                   {local, view, function_->getArg(0), function_->getArg(1), literals});
    return local;
  }

  // The block where it continues at `pc`, seen from an instruction: that leads to a check, which
  // asks for room first. A jump back has a block of its own, so that the check is no part of what
  // a loop does before its first instruction.
  llvm::BasicBlock* way_to(std::uint32_t pc, std::uint32_t from) {
    const RegionInstruction* const to = job_.region.find(pc);
    if (to == nullptr) return leave_next_;
    if (to->most == 0) return begin_[pc];
    llvm::BasicBlock*& way = ways_[{pc, from != kNowhere && pc <= from}];
    if (way != nullptr) return way;
    way = block(llvm::Twine("to_") + llvm::Twine(pc));
    const llvm::IRBuilderBase::InsertPointGuard guard(ir_);
    ir_.SetInsertPoint(way);
    llvm::Value* const room = ir_.CreateCall(
        meaning("wse_has_room"), {state_, function_->getArg(3), ir_.getInt64(to->most)});
    ir_.CreateCondBr(room, begin_[pc], leave_next_);
    return way;
  }

  void write(const RegionInstruction& member) {
    ir_.SetInsertPoint(begin_[member.pc]);
    ir_.CreateCall(meaning("wse_at"),
                   {state_, ir_.getInt32(member.pc)});  // which holds: told twice
    const isa::InstructionInfo& row = isa::info(member.instruction.op);
    const std::string_view kind = kKindNames[static_cast<std::size_t>(job_.kind)];
    const std::string name = member.expects_stop ? fmt::format("wse_stop_{}", kind)
                                                 : fmt::format("wse_{}_{}", kind, row.name);
    llvm::Constant* const instruction =
        constant(member.instruction, llvm::Twine("i_") + llvm::Twine(member.pc));
    llvm::Value* const step =
        ir_.CreateCall(meaning(name), {state_, instruction, costs_, function_->getArg(2)}, "step");
    llvm::BasicBlock* const next = block("");
    step_->addIncoming(step, ir_.GetInsertBlock());
    ir_.CreateCondBr(
        ir_.CreateICmpEQ(step, ir_.getInt8(static_cast<std::uint8_t>(isa::Step::Next))), next,
        leave_);
    ir_.SetInsertPoint(next);
    go_on(member);
  }

  // After Step::Next.
  void go_on(const RegionInstruction& member) {
    if (member.returns) {
      llvm::SwitchInst* const to =
          ir_.CreateSwitch(ir_.CreateCall(meaning("wse_pc"), {state_}), leave_next_);
      for (const RegionInstruction& entry : job_.region.instructions) {
        if (entry.is_entry) to->addCase(ir_.getInt32(entry.pc), way_to(entry.pc, member.pc));
      }
    } else if (member.expects_stop) {
      ir_.CreateBr(leave_next_);  // it would have been passed
    } else if (member.next.empty()) {
      ir_.CreateUnreachable();  // always stops
    } else if (member.next.size() == 1) {
      ir_.CreateBr(way_to(member.next.front(), member.pc));
    } else {
      llvm::Value* const pc = ir_.CreateCall(meaning("wse_pc"), {state_});
      llvm::Value* const taken = ir_.CreateICmpEQ(pc, ir_.getInt32(member.next.front()));
      ir_.CreateCondBr(taken, way_to(member.next.front(), member.pc),
                       way_to(member.next.back(), member.pc));
    }
  }

  void close_function() {
    ir_.SetInsertPoint(leave_next_);
    step_->addIncoming(ir_.getInt8(static_cast<std::uint8_t>(isa::Step::Next)), leave_next_);
    ir_.CreateBr(leave_);
    ir_.SetInsertPoint(leave_);
    if (job_.region.has_loop) {
      ir_.CreateCall(meaning("wse_leave"), {function_->getArg(0), state_});
    }
    ir_.CreateRet(step_);
  }

  const CompileJob& job_;
  llvm::Module& module_;
  llvm::IRBuilder<> ir_;
  llvm::Error error_ = llvm::Error::success();
  llvm::Function* function_ = nullptr;
  llvm::Value* state_ = nullptr;  // on which it works
  llvm::SwitchInst* enter_ = nullptr;
  llvm::BasicBlock* leave_ = nullptr;
  llvm::BasicBlock* leave_next_ = nullptr;
  llvm::PHINode* step_ = nullptr;
  llvm::Constant* costs_ = nullptr;
  std::map<std::uint32_t, llvm::BasicBlock*> begin_;                  // by pc
  std::map<std::pair<std::uint32_t, bool>, llvm::BasicBlock*> ways_;  // by pc, and whether back
};

// Where no loop gains from it, what wsevm has compiled too is called, not inlined.
bool is_called(const CompileJob& job, llvm::StringRef function) {
  return !job.region.has_loop && llvm::is_contained(kExternals, function);
}

// Reads what the functions that were read call in turn.
llvm::Error read_callees(llvm::Module& module, const CompileJob& job) {
  for (bool more = true; more;) {
    more = false;
    for (llvm::Function& function : module) {
      if (!function.isMaterializable() || function.use_empty()) continue;
      if (is_called(job, function.getName())) continue;
      if (llvm::Error error = function.materialize()) return error;
      more = true;
    }
  }
  return llvm::Error::success();
}

// Leaves nothing of the bitcode but what is inlined.
void take_possession(llvm::Module& module, const CompileJob& job) {
  std::vector<llvm::Function*> unused;
  for (llvm::Function& function : module) {
    if (function.getName() == job.name) continue;
    if (function.use_empty()) {
      unused.push_back(&function);
    } else if (is_called(job, function.getName())) {
      function.deleteBody();
    } else if (!function.isDeclaration()) {
      function.setComdat(nullptr);
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
      function.removeFnAttr(llvm::Attribute::NoInline);
      function.addFnAttr(llvm::Attribute::AlwaysInline);
    }
  }
  for (llvm::Function* const function : unused) function->eraseFromParent();
  for (llvm::GlobalVariable& variable : module.globals()) {
    if (variable.isDeclaration()) continue;
    variable.setComdat(nullptr);
    variable.setLinkage(llvm::GlobalValue::PrivateLinkage);
  }
}

}  // namespace

isa::Result<std::unique_ptr<llvm::Module>> build_module(const CompileJob& job,
                                                        llvm::MemoryBufferRef bitcode,
                                                        llvm::LLVMContext& context) {
  llvm::Expected<std::unique_ptr<llvm::Module>> module =
      llvm::getLazyBitcodeModule(bitcode, context, true);
  if (!module) return isa::fail(llvm::toString(module.takeError()));
  llvm::Error error = Builder(job, **module).build();
  if (!error) error = read_callees(**module, job);
  if (!error) {
    take_possession(**module, job);
    error = (*module)->materializeAll();
  }
  if (error) return isa::fail(llvm::toString(std::move(error)));
  return std::move(*module);
}

}  // namespace wse::jit
