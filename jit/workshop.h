// Where regions become native code: at once, or by a thread that compiles what is asked for while
// the interpreter goes on.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
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

// What it has done so far.
struct Work {
  std::uint64_t regions = 0;  // compiled
  std::uint64_t cached = 0;   // found in the cache of objects
  double seconds = 0;
};

class Workshop {
 public:
  Workshop(std::unique_ptr<Compiler> compiler, const JitOptions& options);
  ~Workshop() { compiler_->abandon(); }

  std::uint32_t threshold() const { return threshold_; }

  // Safe to call from several threads. The place that is asked for has its function afterwards, or
  // later, or never: then its code stays interpreted.
  void ask(const CompileRequest& request);

  Work work();

 private:
  void compile(const CompileRequest& request);
  // Of the cache if it has it, else of the compiler. `key` is that of the job.
  isa::Result<CompiledRegion> make(const CompileJob& job, const std::string& key);
  void serve(const std::stop_token& stop);

  const JitOptions options_;
  const std::uint32_t threshold_;
  std::unique_ptr<Compiler> compiler_;
  std::mutex compiling_;
  // By what they are made of: machines of one script run the same programs again and again.
  std::unordered_map<std::string, CompiledRegion> known_;
  std::size_t code_bytes_ = 0;
  std::mutex telling_;
  Work work_;

  std::mutex waiting_;
  std::condition_variable_any asked_;
  std::deque<CompileRequest> requests_;
  std::jthread thread_;  // the last member: it ends before what it uses
};

}  // namespace wse::jit
