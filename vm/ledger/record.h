// The record of a run: how it ended and what it counted. Names and meanings are those of the JSON.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "isa/instruction/traps.h"
#include "vm/contract/counters.h"
#include "vm/contract/executor.h"
#include "vm/contract/jitter.h"

namespace wse::vm {

enum class RunStatus : std::uint8_t { Halted, Deadlock, Trap, CycleLimit, Interrupted };

constexpr std::string_view text(RunStatus status) {
  constexpr std::string_view kTexts[] = {"halted", "deadlock", "trap", "cycle_limit",
                                         "interrupted"};
  return kTexts[static_cast<int>(status)];
}

struct MarkRecord {
  Cycle first = kNever;
  Cycle last = 0;
  std::uint64_t count = 0;
};

struct TrapRecord {
  isa::Trap kind = isa::Trap::BadInstruction;
  Cycle cycle = 0;
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::string line;    // "FILE:N" of the instruction or the route; empty if nobody knows it
  std::string detail;  // empty if the kind says all
};

// A switch that is not in position 0.
struct PositionRecord {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::string colour;
  std::uint32_t position = 0;
};

// A record lists so many of them: on a wafer there may be millions, and a script keeps records.
inline constexpr std::size_t kMostPositions = 256;

struct Record {
  RunStatus status = RunStatus::Halted;
  std::string message;  // empty if there is nothing to say
  Cycle cycles = 0;     // the latest finish: last cycle in which anything happened, plus 1
  // With every constant of the machine at the low, or the high, end of its interval. Nothing if
  // nobody asked, or if that run did not halt.
  std::optional<Cycle> cycles_low;
  std::optional<Cycle> cycles_high;
  double wall_seconds = 0;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::string machine;
  std::string engine = "interp";
  std::string transport = "stepper";
  std::string transport_reason;  // why it was not the one that was asked for; empty if it was
  NativeWork native;
  std::string engine_problem;    // what an engine that tests itself has found; else empty
  std::optional<Jitter> jitter;  // by which PEs and asynchronous instructions started late
  std::uint32_t threads = 1;
  std::string threads_shortage;  // why the host gave fewer than were asked for; empty if it did not
  std::uint64_t placed_pes = 0;  // with a program
  Counters counters;
#define COUNTED(type, name, group, shown, joined)
#define TOTALLED(name, group, shown, joined) std::uint64_t name = 0;
#include "isa/machine/counters.def"
#undef COUNTED
#undef TOTALLED
  std::optional<TrapRecord> trap;         // iff the status says so
  std::vector<PositionRecord> positions;  // at the end, by PE, then by colour: the first of them
  std::uint64_t positions_total = 0;      // how many there are
  std::map<std::string, MarkRecord> marks;
};

// Where the reports have a counter: in the record itself, or in its table "fabric".
enum class CounterGroup : std::uint8_t { run, fabric };

// Calls visit(name, value) for the counters of a group, in the order of counters.def.
template <class Visit>
void for_each_counter(const Record& record, CounterGroup wanted, Visit visit) {
#define COUNTED(type, name, group, shown, joined) \
  if (wanted == CounterGroup::group) visit(shown, std::uint64_t{record.counters.name});
#define TOTALLED(name, group, shown, joined) \
  if (wanted == CounterGroup::group) visit(shown, record.name);
#include "isa/machine/counters.def"
#undef COUNTED
#undef TOTALLED
}

}  // namespace wse::vm
