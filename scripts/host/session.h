// The state of one run of a script. It lives longer than its lua_State, which points to it.
#pragma once

#include <functional>
#include <lua.hpp>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "isa/support/hash.h"
#include "scripts/host/file_room.h"
#include "scripts/host/limits.h"
#include "scripts/host/script.h"

namespace wse::script {

// Endings of a script by the text of the error that nobody catches.
class Endings {
 public:
  void note(const std::string& text, Ending ending) {
    text_ = text;
    ending_ = ending;
  }
  Ending of(const std::string& text) const { return text == text_ ? ending_ : Ending::BadInput; }

 private:
  std::string text_;
  Ending ending_ = Ending::BadInput;
};

class Team;
struct TeamEnd;

struct Session {
  Session(const Options& run_options, isa::InputList& read_files);

  // Neither throws.
  void print(std::string_view text) noexcept;
  void log(std::string_view line) noexcept;

  // The path at which an input is read: a relative one that is not in the current folder may be in
  // the data folder.
  std::string find_input(const std::string& file) const;

  // Why the arguments are wrong: one that the script has not asked for, and the nearest it has.
  // `may_sweep`: a sweep may come that takes points=K/N.
  std::optional<std::string> unknown_argument(bool may_sweep) const;

  // Takes the text of the script or of a module into code_digest.
  void note_code(std::string_view text);

  // Returns the ending for when nobody catches the error with this text.
  Ending ending_of(const std::string& text) const;

  // In a process that has just been forked: one of `workers` that share what is left of the host.
  // `work`: that of all, with what this process has done so far.
  void become_worker(std::uint32_t workers, const std::atomic<bool>& stop,
                     std::atomic<std::uint64_t>& work);

  // Ends the script since its team does: at once, whatever catches errors.
  void end_by(const TeamEnd& end);

  // The engine of its machines, made when the first one is. Null is the interpreter.
  isa::Result<const vm::Engine*> engine();

  const Options& options;
  isa::InputList& inputs;  // of the whole command
  std::function<void(std::string_view)> print_to;
  std::function<void(std::string_view)> log_to;
  Limits limits;
  FileRoom files;
  Endings endings;
  std::string traceback;  // of the error that nobody caught
  ScriptResult result;
  std::set<std::string> asked;  // arguments that the script has asked for
  std::uint64_t code_digest =
      isa::kHashSeed;              // of the texts of the script and its modules, in their order
  std::uint64_t programs = 0;      // given to wse.run so far
  std::uint64_t listed_last = 0;   // the session whose launch is the last of result.runs; 0: none
  std::uint64_t held_bytes = 0;    // of machines that live
  std::uint64_t held_allowed = 0;  // of these
  std::uint64_t collect_at_bytes = 0;       // of these: time for a full collection
  std::uint32_t workers = 1;                // processes that share the host; 1: no other
  Team* team = nullptr;                     // null: nobody else runs the script
  std::vector<std::uint32_t> team_workers;  // of each rank, in the sweep that runs
  bool in_team_sweep = false;               // the leader writes the rows of a sweep
  Ending rank_ending = Ending::Fine;        // of Trip::Rank
  int sweeps = 0;                           // that are running, one inside the other
  bool points_left_out = false;             // of a sweep: its CSV had them
  bool told_shortage = false;               // of threads, which the next run lacks too

 private:
  FileResult<void> write_by_team(const std::string& path,
                                 const std::function<FileResult<void>()>& write);

  std::unique_ptr<vm::Engine> engine_;
};

Session& session_of(lua_State* L);

}  // namespace wse::script
