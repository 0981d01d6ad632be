// Makers of native code of regions. The one there is lies in a module of its own (llvm/), which is
// loaded when somebody asks for it (load_compiler.h): nothing here names LLVM.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "isa/semantics/execute.h"
#include "isa/support/result.h"
#include "isa/support/secret_file.h"
#include "jit/region.h"
#include "vm/pe/scalar_step.h"

namespace wse::jit {

// Executes from state->pc, an entry of the region, as Executor::run does, until state->instructions
// would come to more than `end`, or the region ends (Step::Next then). `memory` is state->memory,
// and nothing else leads to those bytes.
using RegionFunction = isa::Step (*)(isa::ScalarState* state, std::byte* memory,
                                     const vm::StretchLimits* limits, std::uint64_t end);

// Which texts of each region are wanted beside its object.
struct CompilerOptions {
  bool wants_ir = false;        // LLVM's
  bool wants_assembly = false;  // the host's
};

struct CompileJob {
  const Region& region;
  const isa::CostTable& costs;
  std::span<const std::uint32_t> literals;  // of the program
  vm::StretchKind kind = vm::StretchKind::Plain;
  std::string name;  // of the function and of files; letters, digits, - and _
};

// Code of a region that is not linked yet: position-independent, without an address of this
// process.
using Object = std::string;

struct Translation {
  Object object;
  std::string ir;  // the texts that are wanted; else empty
  std::string assembly;
};

// A seal, which proves that bytes come from somebody who has the secret: HMAC-SHA256 (RFC 2104).
using Seal = std::array<std::byte, 32>;

struct CompiledRegion {
  RegionFunction function = nullptr;
  std::size_t bytes = 0;  // of code and its constants
};

// Safe to call from several threads.
class Compiler {
 public:
  virtual ~Compiler() = default;

  // All but the job on which an object depends: versions, the meanings, what the host can do.
  virtual isa::Result<std::string> identity() = 0;
  virtual isa::Result<Translation> translate(const CompileJob& job) = 0;
  // Code stays as long as the compiler.
  virtual isa::Result<CompiledRegion> link(const Object& object) = 0;
  virtual isa::Result<Seal> seal(const isa::Secret& secret, std::span<const std::byte> bytes) = 0;
  // Gives up: what is being translated fails as soon as it can.
  virtual void abandon() = 0;
};

// A function that compiled code may call, by the name that the linker has for it.
struct ExternalFunction {
  const char* name;
  void* address;
};

// The exports of the module. A module of another build is refused: both must see the same PE.
struct CompilerModule {
  std::uint64_t layout;  // kLayout of its build
  // Null: error says why. `externals`: what externals.txt lists.
  Compiler* (*make)(const CompilerOptions& options, std::span<const ExternalFunction> externals,
                    std::string& error);
};

inline constexpr std::uint64_t kInterface = 3;  // changes with what is declared here

inline constexpr std::uint64_t kLayout =
    (sizeof(vm::Plan) << 48 | sizeof(isa::ScalarState) << 32 | sizeof(vm::StretchLimits) << 16 |
     isa::kInstructionCount << 4 | vm::kStretchKinds) ^
    kInterface << 60;

inline constexpr const char* kModuleSymbol = "wse_compiler_module";

}  // namespace wse::jit
