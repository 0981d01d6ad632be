// Compiles regions, each once, within a bound of code memory.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "jit/engine.h"
#include "jit/native_code.h"

namespace wse::jit {

struct CompileRequest {
  std::shared_ptr<NativeProgram> program;
  vm::StretchKind kind = vm::StretchKind::Plain;
  std::uint32_t pc = 0;
  isa::CostTable costs;
};

// The work that it has done so far.
struct Work {
  std::uint64_t regions = 0;  // compiled
  std::uint64_t cached = 0;   // found in the cache of objects
  double seconds = 0;
};

// Safe to use from several threads.
class Workbench {
 public:
  Workbench(std::unique_ptr<Compiler> compiler, const JitOptions& options)
      : options_(options), compiler_(std::move(compiler)) {}

  // The place has its function afterwards, or never: then its code stays interpreted.
  void compile(const CompileRequest& request);
  void abandon() { compiler_->abandon(); }

  Work work();

 private:
  // Takes it from the cache if it has it, else from the compiler. `key` is that of the job.
  isa::Result<CompiledRegion> make(const CompileJob& job, const std::string& key);

  const JitOptions options_;
  std::unique_ptr<Compiler> compiler_;
  std::mutex compiling_;
  // By what they are made of: machines of one script run the same programs again and again.
  std::unordered_map<std::string, CompiledRegion> known_;
  std::size_t code_bytes_ = 0;
  std::mutex telling_;
  Work work_;
};

}  // namespace wse::jit
