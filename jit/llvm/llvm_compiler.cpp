// The compiler: LLVM's ORC JIT behind compiler.h, as a module that is loaded when it is needed.
//
// Code is linked by JITLink: its memory is written first and executable then, never both at once.
// Compiled code may call what externals.txt lists, and nothing else.
#include <fmt/format.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/SHA256.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>

#include "isa/support/hash.h"
#include "isa/support/mutant.h"
#include "jit/externals.h"
#include "jit/llvm/module_builder.h"
#include "jit/llvm/pipeline.h"

// The bitcode of meaning.cpp: the linker makes these names.
extern "C" {
extern const char _binary_meaning_bc_start[];
extern const char _binary_meaning_bc_end[];
}

namespace wse::jit {
namespace {

namespace orc = llvm::orc;

constexpr const char* kRegionSymbol = "wse_region";

llvm::StringRef bitcode() {
  return {_binary_meaning_bc_start,
          static_cast<std::size_t>(_binary_meaning_bc_end - _binary_meaning_bc_start)};
}

llvm::TargetOptions strict_floats() {
  llvm::TargetOptions options;
  options.AllowFPOpFusion =
      isa::mutant(isa::Mutant::RegionContracts) ? llvm::FPOpFusion::Fast : llvm::FPOpFusion::Strict;
  return options;
}

// A planted error: fast math.
void compute_with_reals(llvm::Module& module) {
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (llvm::isa<llvm::FPMathOperator>(instruction)) instruction.setFast(true);
    }
  }
}

llvm::ArrayRef<std::uint8_t> octets(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

// Computes half of an HMAC: SHA-256 of a block, in which secret and zeros are combined with `pad`,
// and of the bytes.
std::array<std::uint8_t, 32> padded_hash(const isa::Secret& secret, std::byte pad,
                                         llvm::ArrayRef<std::uint8_t> bytes) {
  std::array<std::byte, 64> block{};
  std::ranges::copy(secret, block.begin());
  for (std::byte& byte : block) byte ^= pad;
  llvm::SHA256 hash;
  hash.update(octets(block));
  hash.update(bytes);
  return hash.final();
}

// Adds up what is linked.
class CountBytes : public orc::ObjectLinkingLayer::Plugin {
 public:
  explicit CountBytes(std::size_t& bytes) : bytes_(bytes) {}

  void modifyPassConfig(orc::MaterializationResponsibility&, llvm::jitlink::LinkGraph&,
                        llvm::jitlink::PassConfiguration& passes) override {
    passes.PostAllocationPasses.push_back([this](llvm::jitlink::LinkGraph& graph) {
      for (const llvm::jitlink::Block* const block : graph.blocks()) bytes_ += block->getSize();
      return llvm::Error::success();
    });
  }
  llvm::Error notifyFailed(orc::MaterializationResponsibility&) override {
    return llvm::Error::success();
  }
  llvm::Error notifyRemovingResources(orc::JITDylib&, orc::ResourceKey) override {
    return llvm::Error::success();
  }
  void notifyTransferringResources(orc::JITDylib&, orc::ResourceKey, orc::ResourceKey) override {}

 private:
  std::size_t& bytes_;
};

class LlvmCompiler : public Compiler {
 public:
  explicit LlvmCompiler(CompilerOptions options) : options_(std::move(options)) {}

  llvm::Error open(std::span<const ExternalFunction> externals) {
    auto host = orc::JITTargetMachineBuilder::detectHost();
    if (!host) return host.takeError();
    host->setOptions(strict_floats());
    host->setRelocationModel(llvm::Reloc::PIC_);
    host->setCodeModel(llvm::CodeModel::Small);
    host->setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
    auto target = host->createTargetMachine();
    if (!target) return target.takeError();
    target_ = std::move(*target);
    auto jit = orc::LLJITBuilder()
                   .setJITTargetMachineBuilder(std::move(*host))
                   .setLinkProcessSymbolsByDefault(false)
                   .setPlatformSetUp(orc::setUpInactivePlatform)
                   .create();
    if (!jit) return jit.takeError();
    jit_ = std::move(*jit);
    auto& linker = llvm::cast<orc::ObjectLinkingLayer>(jit_->getObjLinkingLayer());
    linker.addPlugin(std::make_shared<CountBytes>(bytes_));
    return define_externals(externals);
  }

  isa::Result<std::string> identity() override {
    return fmt::format("wsevm {} LLVM {} meaning {:016x} layout {:x} {} {} {}\n", WSE_VERSION,
                       LLVM_VERSION_STRING, isa::hash_bytes(std::as_bytes(std::span(bitcode()))),
                       kLayout, target_->getTargetTriple().str(), target_->getTargetCPU().str(),
                       target_->getTargetFeatureString().str());
  }

  isa::Result<Translation> translate(const CompileJob& job) override {
    const std::lock_guard lock(mutex_);
    llvm::Expected<Translation> made = translate_now(job);
    if (!made) return isa::fail(llvm::toString(made.takeError()));
    return std::move(*made);
  }

  isa::Result<CompiledRegion> link(const Object& object) override {
    const std::lock_guard lock(mutex_);
    bytes_ = 0;
    llvm::Expected<RegionFunction> function = link_now(object);
    if (!function) return isa::fail(llvm::toString(function.takeError()));
    return CompiledRegion{*function, bytes_};
  }

  isa::Result<Seal> seal(const isa::Secret& secret, std::span<const std::byte> bytes) override {
    const auto inner = padded_hash(secret, std::byte{0x36}, octets(bytes));
    return std::bit_cast<Seal>(padded_hash(secret, std::byte{0x5c}, inner));
  }

  void abandon() override { abandoned_ = true; }

 private:
  llvm::Error define_externals(std::span<const ExternalFunction> externals) {
    orc::SymbolMap symbols;
    for (const auto& [name, address] : externals) {
      symbols[jit_->getExecutionSession().intern(name)] = {orc::ExecutorAddr::fromPtr(address),
                                                           llvm::JITSymbolFlags::Exported};
    }
    return jit_->getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols)));
  }

  llvm::Expected<Translation> translate_now(const CompileJob& job) {
    // Without a loop instructions are selected one by one, in a sixth of the time.
    target_->setOptLevel(job.region.has_loop ? llvm::CodeGenOptLevel::Default
                                             : llvm::CodeGenOptLevel::None);
    llvm::LLVMContext context;
    auto module = build_module(job, {bitcode(), "meaning"}, context);
    if (!module) return llvm::createStringError(module.error());
    (*module)->setTargetTriple(jit_->getTargetTriple().str());
    (*module)->setDataLayout(jit_->getDataLayout());
    if (isa::mutant(isa::Mutant::RegionContracts)) compute_with_reals(**module);
    optimise(**module, *target_, job.region.has_loop, abandoned_);
    if (abandoned_) return llvm::createStringError("it is no longer wanted");
    Translation made;
    if (options_.wants_ir) made.ir = text_of(**module);
    if (options_.wants_assembly) made.assembly = assembly_of(**module);
    // Objects are alike whatever their program is called.
    (*module)->getFunction(job.name)->setName(kRegionSymbol);
    (*module)->setModuleIdentifier("region");
    (*module)->setSourceFileName("region");
    auto object = orc::SimpleCompiler(*target_)(**module);
    if (!object) return object.takeError();
    made.object = (*object)->getBuffer().str();
    return made;
  }

  // In a library of its own: they all have the same symbol.
  llvm::Expected<RegionFunction> link_now(const Object& object) {
    auto library = jit_->createJITDylib(fmt::format("region {}", libraries_++));
    if (!library) return library.takeError();
    library->addToLinkOrder(jit_->getMainJITDylib());
    if (llvm::Error error = jit_->addObjectFile(
            *library, llvm::MemoryBuffer::getMemBufferCopy(object, library->getName()))) {
      return error;
    }
    auto address = jit_->lookup(*library, kRegionSymbol);
    if (!address) return address.takeError();
    return address->toPtr<RegionFunction>();
  }

  static std::string text_of(const llvm::Module& module) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module.print(stream, nullptr);
    return text;
  }

  std::string assembly_of(const llvm::Module& module) const {
    llvm::SmallString<0> text;
    llvm::raw_svector_ostream stream(text);
    const auto copy = llvm::CloneModule(module);
    llvm::legacy::PassManager passes;
    target_->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile);
    passes.run(*copy);
    return text.str().str();
  }

  CompilerOptions options_;
  std::mutex mutex_;
  std::unique_ptr<llvm::TargetMachine> target_;
  std::unique_ptr<orc::LLJIT> jit_;
  std::size_t bytes_ = 0;  // of the region that is linked now
  std::size_t libraries_ = 0;
  std::atomic<bool> abandoned_ = false;
};

Compiler* make(const CompilerOptions& options, std::span<const ExternalFunction> externals,
               std::string& error) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto compiler = std::make_unique<LlvmCompiler>(options);
  llvm::Error opened = compiler->open(externals);
  if (!opened) return compiler.release();
  error = llvm::toString(std::move(opened));
  return nullptr;
}

}  // namespace
}  // namespace wse::jit

extern "C" {
extern const wse::jit::CompilerModule wse_compiler_module [[gnu::visibility("default")]];
const wse::jit::CompilerModule wse_compiler_module = {wse::jit::kLayout, wse::jit::make};
}
