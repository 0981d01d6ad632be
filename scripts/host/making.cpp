// Makes room for a machine, then the machine; and what is asked before and after each run.
#include "scripts/host/making.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "scripts/host/own_machine.h"
#include "vm/ledger/link_slices.h"
#include "vm/ledger/slices.h"
#include "vm/run/memory_need.h"

namespace wse::script {
namespace {

constexpr std::uint64_t kInstructionsPerValue = 100;  // of a constant or parameter
constexpr std::uint64_t kMachineBytesPerInstruction = 256;

// A machine that is kept counts rather too much: its need is told rather too small.
constexpr std::uint64_t kLoadFactor = 4;
constexpr std::uint64_t kBytesOfAMachine = std::uint64_t{64} << 10;

// Lua sees a few bytes of each machine: so much of them may be dead before they must go.
constexpr std::uint64_t kBytesPerCollection = std::uint64_t{256} << 20;

std::string said(Caller caller, const std::string& what) {
  return fmt::format("{}: {}", caller, what);
}

std::uint64_t held_bytes_of(const isa::Image& image, const isa::Profile& profile,
                            vm::TransportChoice transport, const Kept& kept) {
  const vm::MemoryNeed need = vm::memory_need(image, profile, transport);
  const std::uint64_t of_profile =
      kept.profile ? std::uint64_t{image.width} * image.height * vm::Machine::kProfileBytes : 0;
  const std::uint64_t of_lines = kept.lines ? vm::line_bytes(image) : 0;
  const std::uint64_t of_launches =
      kept.launches ? std::uint64_t{image.width} * image.height * vm::Machine::kLaunchBytes : 0;
  const isa::Topology mesh = image.topology();
  const std::uint64_t of_slices =
      kept.slices > 0 ? vm::Slices::bytes(vm::SliceTiles(mesh), mesh.pes(), kept.slices) +
                            vm::LinkSlices::bytes(mesh, kept.slices)
                      : 0;
  return kBytesOfAMachine + kLoadFactor * need.load_bytes + need.queue_bytes + need.data_bytes +
         of_profile + of_lines + of_launches + of_slices;
}

// Makes room for one more machine; an error if those that records keep leave none.
Done make_room(lua_State* L, Caller caller, const isa::Image& image, const isa::Profile& profile,
               std::uint32_t ranks) {
  Session& session = session_of(L);
  if (session.options.fits) {
    const isa::Status fits = session.options.fits(image, profile, session.workers, ranks);
    if (!fits) return problem(said(caller, fits.error()), Ending::Exhausted);
  }
  const std::uint64_t allowed = session.held_allowed;
  if (session.held_bytes > std::min(session.collect_at_bytes, allowed)) {
    lua_gc(L, LUA_GCCOLLECT);
    session.collect_at_bytes = session.held_bytes + kBytesPerCollection;
  }
  if (session.held_bytes <= allowed) return {};
  return problem(fmt::format("{}: out of memory: the records that the script keeps hold "
                             "machines of {} MiB; {} MiB are allowed",
                             caller, session.held_bytes >> 20, allowed >> 20),
                 Ending::Exhausted);
}

// For `gen`: the text as it stands. The part that runs it comes after it, so that no line moves.
std::string captured_text(const Session& session, const RunSpec& spec) {
  std::string text = spec.clean_text.value_or(spec.program.text);
  if (!text.ends_with('\n')) text += '\n';
  std::string words;
  for (const auto& [name, value] : spec.program.values) words += fmt::format(" {}={}", name, value);
  const ChosenMachine& machine = spec.options.machine;
  const bool table = machine.option.empty();
  return text + fmt::format("; From {}. Run it with:  wsevm run FILE{} --machine={}{}\n",
                            session.options.file, words, table ? "own.lua" : machine.option,
                            table ? fmt::format(" ; own.lua: {}", machine.text) : "");
}

}  // namespace

std::expected<HeldMachine, BindingError> make_machine(lua_State* L, Caller caller, isa::Image image,
                                                      const isa::Profile& profile,
                                                      const Kept& kept) {
  Session& session = session_of(L);
  if (const Done room = make_room(L, caller, image, profile, kept.ranks); !room) {
    return std::unexpected(room.error());
  }
  const vm::TransportChoice transport =
      kept.on_stepper ? vm::TransportChoice::Stepper : session.options.transport;
  const std::uint64_t bytes = held_bytes_of(image, profile, transport, kept) / kept.ranks;
  if (!session.limits.charge(bytes / kMachineBytesPerInstruction)) {
    return problem(session.limits.text());
  }
  const bool is_alone = kept.one_thread || session.workers > 1;
  const auto threads = is_alone ? std::optional(1u) : session.options.threads;
  const isa::Result<const vm::Engine*> engine = session.engine();
  if (!engine) return problem(said(caller, engine.error()));
  auto machine = vm::Machine::create(std::move(image), profile,
                                     {.threads = threads,
                                      .transport = transport,
                                      .engine = *engine,
                                      .medium = kept.medium,
                                      .cohorts = session.options.cohorts,
                                      .rows = kept.rows});
  if (machine && kept.lines) {
    if (const isa::Status counted = (*machine)->count_lines(); !counted) {
      return problem(said(caller, counted.error()), Ending::Exhausted);
    }
  }
  if (machine) return HeldMachine(std::move(*machine), bytes, session.held_bytes);
  return problem(said(caller, machine.error().message),
                 machine.error().exhausted ? Ending::Exhausted : Ending::BadInput);
}

Done choose_machine(lua_State* L, Caller caller, RunSpec& spec) {
  if (spec.machine_file.empty()) return {};
  auto machine = load_machine(L, spec.machine_file);
  if (!machine && machine.error().on_stack) return std::unexpected(machine.error());
  if (!machine) return problem(said(caller, "machine: " + machine.error().message));
  spec.options.machine = std::move(*machine);
  return {};
}

Done check_engine_outputs(const Session& session) {
  if (!session.options.engine_outputs) return {};
  const auto written = session.options.engine_outputs();
  if (written) return {};
  return problem("wse.run: " + written.error().message,
                 written.error().exhausted ? Ending::Exhausted : Ending::BadInput);
}

BindingError bad_end(Caller caller, const vm::Record& record) {
  const std::string told =
      record.message.empty()
          ? fmt::format("{} after {} cycles", vm::text(record.status), record.cycles)
          : record.message;
  return {said(caller, told), Ending::EndedBadly, false};
}

std::uint64_t cost_of(const Program& program) {
  return kInstructionsPerRun + kInstructionsPerValue * program.values.size() + program.text.size();
}

bool is_captured(Session& session, const RunSpec& spec) {
  ++session.programs;
  if (session.programs != session.options.capture) return false;
  if (isa::is_image(std::as_bytes(std::span(spec.program.text)))) return true;
  session.result.captured = captured_text(session, spec);
  session.result.captured_values = spec.program.values;
  session.limits.trip(Trip::Finished);
  return true;
}

bool is_watched(const Session& session) {
  return session.options.on_run && session.sweeps == 0 && session.workers == 1;
}

bool counts_lines(const Options& options, const isa::Image& image) {
  return options.lists || (options.profiles && vm::line_bytes(image) <= vm::kMostProfiledLineBytes);
}

}  // namespace wse::script
