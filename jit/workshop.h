// Where regions become native code: at once, or by a thread that compiles what is asked for while
// the interpreter continues.
#pragma once

#include <memory>
#include <thread>

#include "jit/workbench.h"

namespace wse::jit {

class Workshop {
 public:
  Workshop(std::unique_ptr<Compiler> compiler, const JitOptions& options);
  // Waits for nobody, unless the options say so: a thread that is compiling continues without it,
  // and ends as soon as it can.
  ~Workshop();
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  std::uint32_t threshold() const { return threshold_; }
  // Of places from which no loop is reached; at least threshold().
  std::uint32_t straight_threshold() const { return straight_threshold_; }
  // The least stretch of the places that are compiled, on average.
  std::uint32_t least_stretch() const { return least_stretch_; }

  // Safe to call from several threads. The place that is asked for has its function afterwards, or
  // later, or never: then its code stays interpreted.
  void ask(const CompileRequest& request);

  Work work() const;

 private:
  struct Shared;  // with its thread

  // Starts the thread unless it runs. False: the host gives none, and whoever asks compiles itself.
  bool open();

  const std::uint32_t threshold_;
  const std::uint32_t straight_threshold_;
  const std::uint32_t least_stretch_;
  const bool waits_at_end_;
  std::shared_ptr<Shared> shared_;
  std::thread thread_;  // none until something is asked for
};

// Whether threads of workshops that are gone still compile. exit() waits for them, and for the
// region that a thread of another workshop compiles; a process that is done need not.
bool is_still_compiling();

}  // namespace wse::jit
