// The past of a run of a script: what it began with, so that it can be asked afterwards what it
// waited for, by the causes that its machine has kept or by a second run.
#pragma once

#include <lua.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isa/support/diagnostics.h"
#include "scripts/host/binding.h"
#include "scripts/host/making.h"
#include "vm/run/interval_runs.h"
#include "vm/timeline/timeline.h"

namespace wse::script {

// The event whose path a script wants, see vm::path_target.
struct WantedPath {
  std::string to;
  bool is_kept = false;  // by the machine of the run; else a second run keeps it
};

class Past {
 public:
  // `words`: of the arrays before the first cycle; nothing if they are not known any more.
  Past(const RunDefaults& options, std::optional<vm::FirstWords> words)
      : options_(options), words_(std::move(words)) {}

  // `sources`: of the program.
  void want(WantedPath path, isa::SourceFiles sources) {
    path_ = std::move(path);
    sources_ = std::move(sources);
  }
  const std::optional<WantedPath>& path() const { return path_; }
  const isa::SourceFiles& sources() const { return sources_; }
  const RunDefaults& options() const { return options_; }
  // Returns the arrays before the first cycle; null if they are not known any more.
  const vm::FirstWords* words() const { return words_ ? &*words_ : nullptr; }

  // Returns the options of a second run.
  vm::RunOptions run_options(const Session& session) const;
  // Returns a machine of one thread before its first cycle; what `run`, the machine of the run, was
  // before it began, or these rows of it. Errors: those of make_machine().
  std::expected<HeldMachine, BindingError> begin_again(lua_State* L, Caller caller,
                                                       const vm::Machine& run,
                                                       vm::Timeline::Kind kind,
                                                       const vm::Timeline::Rows& rows = {}) const;
  // Answers why PEs wait, see vm::why. The machine that runs ahead stays for the next question.
  isa::Attempt<std::string> why(lua_State* L, const vm::Machine& run, const vm::PeRect& rect,
                                vm::Cycle cycle);

 private:
  RunDefaults options_;
  std::optional<vm::FirstWords> words_;
  std::optional<WantedPath> path_{};
  isa::SourceFiles sources_{};
  lua_State* asking_ = nullptr;  // during a question
  const vm::Machine* run_ = nullptr;
  std::vector<HeldBytes> held_{};  // of machines of the timeline
  std::unique_ptr<vm::Timeline> timeline_{};
};

// record_path(record, to or nil) -> table: the critical path to that event, or to the one that the
// run was asked to keep
Returned record_path(lua_State* L);
// record_why(record, x, y, cycle) -> text
Returned record_why(lua_State* L);

}  // namespace wse::script
