// Between the file room and vm/checkpoint.
#include "scripts/host/checkpoints.h"

#include <fmt/format.h>

#include <span>

#include "scripts/host/asked_session.h"
#include "scripts/host/files.h"
#include "scripts/host/records.h"
#include "scripts/host/session.h"
#include "scripts/host/table_reader.h"
#include "scripts/host/team_machine.h"
#include "vm/checkpoint/checkpoint.h"

namespace wse::script {
namespace {

constexpr std::uint64_t kInstructionsPerPe = 64;  // that is written or read

Done charge(lua_State* L, const isa::Image& image) {
  const std::uint64_t pes = std::uint64_t{image.width} * image.height;
  if (limits_of(L).charge(pes * kInstructionsPerPe)) return {};
  return problem(limits_of(L).text());
}

std::unexpected<BindingError> error_of(std::string_view method, const isa::Error& error) {
  return problem(fmt::format("{}: {}", method, error.message),
                 error.exhausted ? Ending::Exhausted : Ending::BadInput);
}

// Writes a machine or a session into the file at argument 2.
template <class Holder>
Returned write(lua_State* L, std::string_view method, Holder& holder, const isa::Image& image) {
  const auto file = asked_name(L, 2, method, "a file");
  if (!file) return std::unexpected(file.error());
  if (const Done charged = charge(L, image); !charged) return std::unexpected(charged.error());
  const auto bytes = vm::checkpoint_of(holder);
  if (!bytes) return error_of(method, bytes.error());
  return write_file(L, *file, *bytes);
}

// Writes a machine that ranks have together: the leader alone has the bytes.
Returned write_shared(lua_State* L, TeamMachine& shared) {
  const auto file = asked_name(L, 2, "record:checkpoint", "a file");
  if (!file) return std::unexpected(file.error());
  if (const Done charged = charge(L, shared.shown().image()); !charged) {
    return std::unexpected(charged.error());
  }
  const auto bytes = shared.checkpoint();
  if (!bytes) return std::unexpected(bytes.error());
  return write_file(L, *file, *bytes);
}

template <class Holder>
Done restore(lua_State* L, Caller caller, Holder& holder, const isa::Image& image,
             const std::string& file) {
  if (Done charged = charge(L, image); !charged) return charged;
  Session& session = session_of(L);
  const auto bytes = session.files.read(session.find_input(file), session.limits.memory_bytes());
  if (!bytes) return problem(fmt::format("{}: restore: {}", caller, bytes.error().message));
  if (!session.limits.charge(bytes->size())) return problem(session.limits.text());
  const auto done = vm::restore(holder, std::as_bytes(std::span(*bytes)));
  if (!done) return error_of(fmt::format("{}: restore: {}", caller, file), done.error());
  return {};
}

}  // namespace

Returned record_checkpoint(lua_State* L) {
  vm::Machine* const machine = machine_of(L, 1);
  if (machine == nullptr) return problem("record:checkpoint: this is no record of wse.run");
  if (TeamMachine* const shared = shared_of(L, 1)) return write_shared(L, *shared);
  return write(L, "record:checkpoint", *machine, machine->image());
}

Returned session_checkpoint(lua_State* L) {
  const auto held = asked_session(L, "s:checkpoint");
  if (!held) return std::unexpected(held.error());
  vm::Session& session = *(*held)->session;
  return write(L, "s:checkpoint", session, session.machine().image());
}

Done take_up(lua_State* L, Caller caller, vm::Machine& machine, const std::string& file) {
  return restore(L, caller, machine, machine.image(), file);
}

Done take_up(lua_State* L, Caller caller, vm::Session& session, const std::string& file) {
  return restore(L, caller, session, session.machine().image(), file);
}

}  // namespace wse::script
