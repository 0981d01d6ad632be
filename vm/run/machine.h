// A machine: an image loaded on a mesh of PEs, run to its end, read back.
//
//     auto machine = vm::Machine::create(image, profile);
//     vm::Record record = (*machine)->run({});
//     std::vector<std::uint32_t> y = (*machine)->read_symbol(3, 0, "y")->words;
//
// It may also stop on the way, be looked at, and continue:
//
//     (*machine)->begin({});
//     while (!(*machine)->advance(next_stop()).is_over) look_at((*machine)->record());
//
// Where it has come to rest a host may launch tasks, again and again: vm/session.
//
// A Machine owns everything it needs; several may live in one process. It begins once.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/image/image.h"
#include "isa/machine/profile.h"
#include "vm/contract/communicator.h"
#include "vm/contract/executor.h"
#include "vm/contract/jitter.h"
#include "vm/ledger/causes.h"
#include "vm/ledger/line_map.h"
#include "vm/ledger/notes.h"
#include "vm/ledger/record.h"
#include "vm/ledger/trace.h"
#include "vm/ledger/trace_lines.h"
#include "vm/run/transport_choice.h"
#include "vm/support/pe_range.h"

namespace wse::vm {

struct MachineOptions {
  // At most so many; a run takes one per row of the grid at most, and fewer where the host does not
  // start them. Without a number loading takes as many as the host has processors, a run one. The
  // results do not depend on it.
  std::optional<std::uint32_t> threads = {};
  TransportChoice transport = TransportChoice::Auto;
  // The engine that executes the code; it must live longer. None: the interpreter.
  const Engine* engine = nullptr;
  // Where its strips meet, if not in this process; it must live longer. None: here, on threads.
  const Medium* medium = nullptr;
  // Works out once what PEs do that are alike (vm/pe/cohorts.h). The results do not depend on it.
  bool cohorts = true;
  // Makes the PEs of these rows alone, on one thread of the stepper: for who takes up a part of a
  // machine, which has all PEs that act and all beside them (MachineState). Such a machine has no
  // record. Not of a cube.
  std::optional<PeRange> rows = {};
};

// How far a run is.
struct RunProgress {
  Cycle cycle = 0;               // the last one that was done
  std::uint64_t busy_pes = 0;    // in it
  std::uint64_t placed_pes = 0;  // that have a program
};

struct RunOptions {
  Cycle max_cycles = kNever;                     // cycles 0 .. max_cycles - 1 run
  const std::atomic<bool>* interrupt = nullptr;  // set it from a signal handler
  // After an interrupt somebody reads memory or queues. If nobody does, the run ends sooner: words
  // on their way are not made, and memory lacks what is done with them.
  bool reads_interrupted = true;
  std::optional<std::uint64_t> tsc_skew = {};  // seed of where the cycle counters start; else 0
  std::optional<Jitter> jitter = {};           // PEs and asynchronous instructions start late
  std::function<void(std::string_view line)> print = {};  // "@cycle PE(x,y): text"
  // So many PEs pass a mark in that cycle; cycles ascend.
  std::function<void(std::string_view name, Cycle cycle, std::uint64_t count)> mark = {};
  std::function<void(const RunProgress& progress)> progress = {};  // now and then
  bool launches = false;  // tasks will be launched where nothing happens any more
  bool profile = false;   // keep what each PE, link and ramp did, see Machine::profile_array
  // Keep what PEs did over time, in so many slices of time or more, see Books::slices; 0: do not.
  // Slices::kMostWanted at most.
  std::uint32_t slices = 0;
  TraceSink* trace = nullptr;  // gets all that happens: see trace_event.h, and TraceLines
  TraceFilter trace_filter = {};
  // Keep what each event waits for, so that the path to this one is known: see Causes. Only a
  // machine of one thread does.
  std::optional<PathTarget> path = {};
};

// An exported array: the smallest rectangle of PEs that holds all that have it.
struct ArrayInfo {
  isa::Type type = isa::Type::I32;
  bool is_array = false;    // false: one element, no third dimension
  std::uint32_t count = 1;  // elements per PE
  std::uint32_t x0 = 0;
  std::uint32_t y0 = 0;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint32_t> shape{};  // extents of an array of more than one dimension
};

// A symbol at one PE.
struct SymbolValue {
  isa::Type type = isa::Type::I32;
  bool is_array = false;
  std::vector<std::uint32_t> words;  // one per element
};

// The end of an advance.
struct Stop {
  RunStatus status = RunStatus::CycleLimit;  // CycleLimit, Interrupted: it can continue
  Cycle now = 0;                             // the last cycle that was done
  bool is_over = false;                      // nothing more will happen
};

class Machine {
 public:
  // Errors: an image that the profile's machine cannot hold, formulas that fail; out of memory.
  static isa::Attempt<std::unique_ptr<Machine>> create(isa::Image image,
                                                       const isa::Profile& profile,
                                                       const MachineOptions& options = {});
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // Before the run: it is to be known where the cycles of every line went. Errors: too many PEs.
  isa::Status count_lines();

  // Calls begin(), advance() up to options.max_cycles, and record().
  Record run(const RunOptions& options);

  // Before the first cycle. Whatever `options` refers to must live while the machine is advanced.
  void begin(const RunOptions& options);
  // Does the cycles before `until`, and before options.max_cycles, that were not done. Then the
  // machine shows all that a run with max_cycles = until shows: record, arrays, symbols, states.
  // Throws what a thread threw.
  Stop advance(Cycle until);
  // After advance(): what was done since began().
  const Record& record();

  // Visits of cores that were not worked out, as another core had done the same.
  std::uint64_t joined_visits() const;

  // Memory that a profile takes for each PE of the mesh, while the machine lives.
  static constexpr std::uint64_t kProfileBytes = 64;
  // Memory that launches take for each PE of the mesh, with a profile.
  static constexpr std::uint64_t kLaunchBytes = 160;
  // After a run with RunOptions::profile: the arrays of its profile, with a number for each PE of
  // the mesh in C order [height][width]. Rows of isa/machine/pe_counters.def; then `ramp_down`,
  // `ramp_up`, and `link_east` and so on for each link port: wavelets that passed there; then
  // `mark_first_NAME` for each mark, of eight at most: the cycle in which a PE first passed it,
  // 2^32 - 1 if it never did.
  std::vector<std::string> profile_arrays() const;
  // Errors: nobody asked for a profile; there is no such array.
  isa::Result<std::vector<std::uint64_t>> profile_array(std::string_view name) const;

  const isa::Image& image() const;
  const isa::Profile& profile() const;

  // Errors: nothing exported has that name, or programs export it with different types or sizes.
  isa::Result<ArrayInfo> array(std::string_view name) const;

  // The words of the array's rectangle in C order [height][width][count]; PEs without it give
  // zeros.
  isa::Result<std::vector<std::uint32_t>> read_array(std::string_view name) const;

  // The same of one PE at a time, row by row, without those that have no such array. The words are
  // valid during the call; look(x, y, words) says whether it wants more.
  using LookAtWords =
      std::function<bool(std::uint32_t x, std::uint32_t y, std::span<const std::uint32_t> words)>;
  isa::Status read_array_by_pe(std::string_view name, const LookAtWords& look) const;

  // Writes words of the rectangle x0, y0, width, height in that order; PEs without it, or of other
  // processes, skip theirs.
  isa::Status write_array(std::string_view name, const ArrayInfo& place,
                          std::span<const std::uint32_t> words);

  // The same with the words of one PE at a time, so that nobody has to hold those of all:
  // words_of(x, y) gives place.count words, which are read before the next call. PEs without
  // the array are skipped.
  using WordsOfPe = std::function<std::span<const std::uint32_t>(std::uint32_t x, std::uint32_t y)>;
  isa::Status write_array_by_pe(std::string_view name, const ArrayInfo& place,
                                const WordsOfPe& words_of);

  // Any symbol at one PE. Errors: outside the grid, no program there, no such symbol.
  isa::Result<SymbolValue> read_symbol(std::uint32_t x, std::uint32_t y,
                                       std::string_view symbol) const;
  // The program's own .expect lines that do not hold, in words; empty if all do.
  std::vector<std::string> failed_expectations(const Record& record) const;

  // After the run: names and values of the state of a PE of the mesh and its router, see
  // report/pe_state.h.
  std::vector<std::pair<std::string, std::string>> pe_state(std::uint32_t x, std::uint32_t y) const;

  // After the run: who waits for whom, as Graphviz text; without nodes unless it ended in a
  // deadlock.
  std::string waits_as_dot(const Record& record) const;

 private:
  // Jobs of a host that holds a machine, see there.
  friend class Advance;
  friend class ArrayParts;
  friend class Books;
  friend class JoinedMachine;
  friend class Launches;
  friend class MachineState;
  friend class OpenStreams;
  friend class SteppedRun;  // tests/cohorts
  friend class Share;
  friend class StateParts;
  friend class StatePieces;
  friend class ThreadSigns;

  struct Parts;
  explicit Machine(std::unique_ptr<Parts> parts);

  void tell(const RunOptions& options, const Note& note);
  Record make_record(RunStatus status);
  std::string message(RunStatus status, std::uint64_t wavelets_left) const;

  std::unique_ptr<Parts> parts_;
};

}  // namespace wse::vm
