// A machine that the ranks of a script run together, each with a band of it and the memory of its
// PEs. Since every rank runs the whole script, all make the same machine, and read the same of it
// afterwards: the leader takes what that needs from those who have it, and tells the others what it
// has found.
//
//     all     plan_run()    together, or each alone; which books the leader wants
//     all     the machine, made with medium()
//     all     run()         then the leader has all of the machine, without memory
//     all     tell()        what the leader finds out about it, everywhere
//     all     fetch()       what a symbol holds
//
// Must never be asked in a sweep, whose points run on one rank each.
#pragma once

#include <expected>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scripts/host/binding.h"
#include "scripts/host/records.h"
#include "scripts/host/session.h"
#include "scripts/host/team.h"
#include "vm/run/joined_machine.h"
#include "vm/run/machine.h"
#include "vm/run/state_pieces.h"

namespace wse::script {

// How ranks run a program of the script.
struct TeamPlan {
  bool together = false;
  // Books that the leader's caller wants, which all keep.
  bool profile = false;
  bool lines = false;
  std::uint32_t slices = 0;
};

// Whether a run is shared: smaller machines take less time than messages between ranks do.
inline constexpr std::uint64_t kLeastSharedPes = 4096;

class TeamMachine {
 public:
  // Answers a question of the leader.
  using Answer = std::function<std::string(const std::string& question)>;

  // Compares the run, which `identity` names, between ranks. Returns the leader's plan. Errors: the
  // team ends.
  static std::expected<TeamPlan, BindingError> plan_run(Session& session,
                                                        const Team::Identity& identity,
                                                        TeamPlan leaders);

  explicit TeamMachine(Session& session) : session_(session), medium_(session.options.medium()) {}

  const vm::Medium* medium() const { return medium_.get(); }
  // Returns how many ranks have it together.
  std::uint32_t ranks() const { return static_cast<std::uint32_t>(team().size()); }
  // After run(): the leader's machine, which shows all but memory, or the part of another rank,
  // which knows image and arrays.
  vm::Machine& shown() const { return joined_ ? *joined_ : *own_; }

  // Runs this rank's part, from a checkpoint if there is something to take_up(), and brings all
  // parts to the leader. Errors: those of take_up(); out of memory; the team ends.
  Done run(HeldMachine own, const vm::RunOptions& options,
           const std::function<Done(vm::Machine& machine)>& take_up);
  // Brings what the symbol holds to the leader's machine.
  Done fetch(const std::string& symbol);

  // Calls find() on the leader, while the others answer() what it asks. Returns what it has found
  // on all. `what`: to compare, in words. Errors: those of find(), on all; the team ends; a sweep.
  template <class T>
  std::expected<T, BindingError> tell(const std::string& what, const Answer& answer,
                                      const std::function<std::expected<T, BindingError>()>& find);
  // Calls tell() with a find() that asks nothing.
  template <class T>
  std::expected<T, BindingError> tell(const std::string& what,
                                      const std::function<std::expected<T, BindingError>()>& find) {
    return tell<T>(what, [](const std::string&) { return std::string(); }, find);
  }

  // Returns the file of --checkpoint on the leader, nothing on others. Errors: the run is over; out
  // of memory; those of tell().
  std::expected<std::vector<std::byte>, BindingError> checkpoint();

 private:
  Team& team() const { return *session_.team; }
  Done check_reachable(const std::string& what) const;
  std::unexpected<BindingError> ended(const TeamEnd& end);
  Done gather();
  std::expected<std::vector<std::byte>, BindingError> whole_state();
  // For the leader: asks a rank for all bytes that it has ready. Errors: the team ends.
  std::expected<vm::MessageBytes, BindingError> bytes_of_rank(int rank);
  std::expected<std::string, BindingError> serve(const Answer& answer);
  std::expected<std::vector<std::byte>, BindingError> gather_state(vm::StatePieces& pieces);

  Session& session_;
  std::shared_ptr<const vm::Medium> medium_;  // outlives the machines
  HeldBytes bytes_;
  std::unique_ptr<vm::Machine> own_;     // the part of this rank
  std::unique_ptr<vm::Machine> joined_;  // of all parts; null on other ranks
  std::set<std::string> fetched_;        // symbols
};

template <class T>
std::expected<T, BindingError> TeamMachine::tell(
    const std::string& what, const Answer& answer,
    const std::function<std::expected<T, BindingError>()>& find) {
  if (const Done fine = check_reachable(what); !fine) return std::unexpected(fine.error());
  if (const auto met = team().begin({{"read of a record", what}}); !met) return ended(met.error());
  bool is_found = true;
  T value{};
  BindingError error;
  const auto pass_found = [&](auto& wire) {
    pass(wire, is_found);
    pass(wire, error.ending);
    pass(wire, error.message);
    if (is_found) pass(wire, value);
  };
  if (team().leads()) {
    std::expected<T, BindingError> found = find();
    is_found = found.has_value();
    is_found ? void(value = std::move(*found)) : void(error = found.error());
    Outgoing out;
    pass_found(out);
    team().release(out.bytes);
  } else {
    const auto told = serve(answer);
    if (!told) return std::unexpected(told.error());
    Incoming in(*told);
    pass_found(in);
    if (in.failed()) return problem(what + ": a broken answer of the first rank");
  }
  if (!is_found) return std::unexpected(std::move(error));
  return value;
}

}  // namespace wse::script
