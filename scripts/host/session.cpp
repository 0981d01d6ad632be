// The way from a lua_State to its session, and what a session starts with.
#include "scripts/host/session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>

#include "isa/support/diagnostics.h"
#include "isa/support/hash.h"
#include "scripts/host/sweep_share.h"
#include "scripts/host/team.h"

namespace wse::script {
namespace {

// The argument that says where results go.
constexpr std::string_view kOutput = "out";

FileRoom::Grants grants_of(const Options& options) {
  FileRoom::Grants grants;
  for (const auto& [name, value] : options.arguments) {
    (name == kOutput ? grants.written : grants.read).push_back(value);
  }
  for (const std::string& folder : options.include_folders) grants.read.push_back(folder);
  grants.code = options.code_places;
  if (!options.data_folder.empty()) {
    grants.read.push_back(options.data_folder + "/programs");
    grants.read.push_back(options.data_folder + "/scripts");
    grants.code.push_back({options.data_folder + "/scripts/wse", "the library of scripts", true});
  }
  return grants;
}

LimitOptions limits_for(const Options& options) {
  LimitOptions limits = options.limits;
  if (options.unsafe) limits.memory_bytes = limits.instructions = kNoLimit;
  return limits;
}

void call(const std::function<void(std::string_view)>& sink, std::string_view text) noexcept {
  try {
    if (sink) sink(text);
  } catch (...) {  // a sink without memory loses its line
  }
}

std::string names_text(const std::vector<std::string>& names) {
  return names.empty() ? "no arguments" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

Session::Session(const Options& run_options, isa::InputList& read_files)
    : options(run_options),
      inputs(read_files),
      print_to(run_options.print),
      log_to(run_options.log),
      limits(limits_for(run_options)),
      files(grants_of(run_options), run_options.unsafe, read_files),
      held_allowed(run_options.held_machine_bytes),
      team(run_options.team) {
  if (team == nullptr) return;
  team->listen_to(limits.interrupt());
  files.set_gate([this](const std::string& path, const std::function<FileResult<void>()>& write) {
    return write_by_team(path, write);
  });
}

FileResult<void> Session::write_by_team(const std::string& path,
                                        const std::function<FileResult<void>()>& write) {
  if (team == nullptr || in_team_sweep) return write();
  TeamResult<FileResult<void>> written = team->share_write(path, write);
  if (written) return std::move(*written);
  end_by(written.error());
  return std::unexpected(isa::FileError{limits.text()});
}

void Session::end_by(const TeamEnd& end) {
  if (end.message.empty()) return limits.trip(Trip::Finished);  // the leader says why
  if (end.ending == Ending::Interrupted) return limits.trip(Trip::Interrupted);
  rank_ending = end.ending;
  limits.trip_by_rank(end.message);
}

void Session::print(std::string_view text) noexcept { call(print_to, text); }
void Session::log(std::string_view line) noexcept { call(log_to, line); }

Ending Session::ending_of(const std::string& text) const {
  switch (limits.tripped()) {
    case Trip::Memory: return Ending::Exhausted;
    case Trip::Interrupted: return Ending::Interrupted;
    case Trip::Instructions: return Ending::BadInput;
    case Trip::Finished: return Ending::Fine;
    case Trip::Rank: return rank_ending;
    case Trip::None: break;
  }
  return endings.of(text);
}

void Session::note_code(std::string_view text) {
  const std::uint64_t size = text.size();
  code_digest = isa::hash_bytes(std::as_bytes(std::span(&size, 1)), code_digest);
  code_digest = isa::hash_bytes(std::as_bytes(std::span(text)), code_digest);
}

std::optional<std::string> Session::unknown_argument(bool may_sweep) const {
  const std::vector<std::string> known(asked.begin(), asked.end());
  for (const auto& [name, value] : options.arguments) {
    if (asked.contains(name)) continue;
    if (may_sweep && name == kShareArgument && read_share(value)) continue;
    const std::string near = isa::nearest(name, known);
    return fmt::format("{}: unknown argument '{}'; {}", options.file, name,
                       near.empty() ? "the script takes " + names_text(known)
                                    : fmt::format("did you mean '{}'? The script takes {}", near,
                                                  names_text(known)));
  }
  return std::nullopt;
}

void Session::become_worker(std::uint32_t count, const std::atomic<bool>& stop,
                            std::atomic<std::uint64_t>& work) {
  if (options.hold_outputs) options.hold_outputs(false);
  workers = count;
  team = nullptr;
  limits.listen_to(stop);
  limits.share_work(work);
  if (held_allowed > held_bytes) held_allowed = held_bytes + (held_allowed - held_bytes) / count;
  if (options.enter_worker) options.enter_worker(count);
  static_cast<void>(engine_.release());  // its threads are in the other process: it cannot end here
}

isa::Result<const vm::Engine*> Session::engine() {
  if (engine_ == nullptr && options.make_engine) {
    isa::Result<std::unique_ptr<vm::Engine>> made = options.make_engine();
    if (!made) return std::unexpected(made.error());
    engine_ = std::move(*made);
  }
  return engine_.get();
}

std::string Session::find_input(const std::string& file) const {
  namespace fs = std::filesystem;
  const fs::path path(file);
  const bool anchored = path.is_absolute() || file.starts_with("./") || file.starts_with("../");
  std::error_code error;
  if (anchored || file.empty() || options.data_folder.empty() || fs::exists(path, error))
    return file;
  const fs::path there = fs::path(options.data_folder) / path;
  return fs::is_regular_file(there, error) ? there.string() : file;
}

Session& session_of(lua_State* L) { return **static_cast<Session**>(lua_getextraspace(L)); }

}  // namespace wse::script
