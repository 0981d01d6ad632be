// The parts of a machine, in the order in which they need each other.
//
// Private to the files of Machine.
#pragma once

#include <algorithm>
#include <optional>
#include <span>

#include "vm/ledger/link_slices.h"
#include "vm/planes/field.h"
#include "vm/report/dot.h"
#include "vm/report/explain.h"
#include "vm/run/machine.h"
#include "vm/run/since.h"
#include "vm/strips/shared_memory.h"
#include "vm/strips/strip_threads.h"
#include "vm/strips/strips.h"

namespace wse::vm {

struct Machine::Parts {
  Parts(isa::Image program_image, const isa::Profile& machine_profile)
      : image(std::move(program_image)),
        profile(machine_profile),
        mesh(image.topology()),
        streams(image),
        channels(image, mesh),
        tracer(mesh),
        strips(channels, history, tracer) {}

  struct Threads {
    std::uint32_t load = 1;
    std::uint32_t run = 1;
  };

  // Loads the image and builds what depends on it.
  isa::Attempt<void> load(const Threads& counts, const Engine& engine, TransportChoice transport);
  // When it is known what its programs send.
  void choose_transport(TransportChoice choice);
  // Starts at most so many threads, and returns a strip for each that the host has given; and for
  // those of other processes.
  // Errors: this process is one of several, and its host starts fewer threads.
  isa::Attempt<std::vector<PeRange>> start_and_cut(std::uint32_t most);
  wafer::Field::Parts field_parts() const {
    return {image, profile, mesh, channels, loaded.placed()};
  }
  // The transport of a strip and the cores behind it.
  void build(Strip& strip);
  // Returns the PEs with a program of these strips.
  std::span<const PeId> own_placed() const {
    const std::vector<PeId>& placed = loaded.placed();
    const PeRange own = strips.pes();
    return {std::ranges::lower_bound(placed, own.first), std::ranges::lower_bound(placed, own.end)};
  }
  // The filters of the image, to the transports.
  isa::Status tell_filters();
  // Before the first cycle: what is asked for only the stepper does.
  void take_stepper(std::string_view reason);
  // What begins, into the cores and transports of the strips.
  void prepare();
  bool can_continue() const {
    return status == RunStatus::CycleLimit || status == RunStatus::Interrupted;
  }
  bool has_come_to_rest() const {
    return status == RunStatus::Halted || status == RunStatus::Deadlock;
  }
  // Whether anything can happen after this stop.
  bool goes_on() const {
    return can_continue() || (options.launches && has_come_to_rest()) || is_shared();
  }
  // Whether other processes have the machine too; then its state is passed after a stop.
  bool is_shared() const { return medium != nullptr && medium->processes() > 1; }
  // ---- launches.cpp: what was done before cycle `at` is told no more.
  void begin_launch(Cycle at);
  // ---- showing.cpp, see there
  void flush(bool reads_memory);
  void show(bool reads_memory);
  void rewind(Strip& strip);
  void close_ledgers();
  void hide();

  // Tells the trace that the run ends in a trap.
  void tell_trap();
  NativeWork native_work() const;
  std::string engine_problem() const;

  TransportTotals totals() const;

  Scene scene() const {
    return {image, mesh, loaded, channels, streams, strips, strips, history, now, can_continue()};
  }

  isa::Image image;
  isa::Profile profile;
  isa::Topology mesh;
  History history;
  Streams streams;
  ChannelMap channels;
  Tracer tracer;
  Loaded loaded;
  std::string engine_name;
  bool on_wafer = false;           // or on the stepper,
  std::string transport_reason;    // for this reason, in words; empty if it was chosen
  std::uint32_t most_threads = 1;  // of a process, that were asked for
  const Medium* medium = nullptr;  // that a host has chosen; null: threads of this process
  bool cohorts = true;             // see MachineOptions
  std::optional<PeRange> rows;     // that are made alone; none: all
  std::unique_ptr<Communicator> communicator;
  std::vector<PeId> ends;             // by strip: after its last PE
  std::optional<wafer::Field> field;  // of the wafer
  Strips strips;
  std::optional<StripThreads> threads;
  std::vector<MarkRecord> marks;
  std::optional<LineMap> lines;     // if they are counted
  std::optional<LinkSlices> links;  // if slices of time are kept
  std::optional<Causes> causes;     // if somebody wants a path
  // ---- a run
  RunOptions options;
  std::optional<Cycle> last;  // the last cycle that was done
  Cycle now = 0;              // the same; 0 before the first one
  RunStatus status = RunStatus::CycleLimit;
  bool is_shown = false;         // as at the end of that cycle: see showing.cpp
  Cycle cycles = 0;              // up to which the record goes
  Since since;                   // what it does not tell of
  Cycle waited = 0;              // the cycles before it are done, on a quiet machine
  bool is_prepared = false;      // launches or elements have come since it was quiet
  std::optional<Record> record;  // if somebody has asked for it
  double wall_seconds = 0;       // of all cycles
};

}  // namespace wse::vm
