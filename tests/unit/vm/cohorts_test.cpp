// Cohorts: which scalar code may have them, and that machines with them end as those without.
#include <gtest/gtest.h>

#include "tests/unit/vm/loading.h"
#include "vm/pe/register_code.h"
#include "vm/run/machine.h"

namespace wse::vm {
namespace {

// Whether a stretch from the first instruction of the text on depends on registers alone.
bool is_register_code(const std::string& code) {
  const Loading loading(
      ".grid 1, 1\n.program p\n  .i32 v[4]\n  .reg a, b\n  .dsr d\n  task main:\n" + code +
      "\n    halt\n.place p at (0, 0)\n");
  const LoadedProgram& program = *loading.loaded().program_at(0);
  return RegisterCode().begins_at(program, program.entry);
}

TEST(RegisterCode, IsWhatReadsNoMemoryNoClockAndNoRandomNumber) {
  EXPECT_TRUE(is_register_code("    add32 a, b, 1"));
  EXPECT_TRUE(is_register_code("    setd d, v"));
  EXPECT_TRUE(is_register_code("    mov32 v, 3"));  // a vector instruction
  EXPECT_FALSE(is_register_code("    ld32 a, v[1]"));
  EXPECT_FALSE(is_register_code("    st32 v[1], a"));
  EXPECT_FALSE(is_register_code("    tsc a"));
  EXPECT_FALSE(is_register_code("    random16 a"));
}

TEST(RegisterCode, IsFollowedThroughBranches) {
  EXPECT_TRUE(is_register_code("  again:\n    sub32 a, a, 1\n    bgt a, 0, again"));
  EXPECT_FALSE(is_register_code("    bgt a, 0, there\n    halt\n  there:\n    tsc b"));
  EXPECT_FALSE(is_register_code("    jmp there\n  there:\n    ld32 b, v[1]"));
}

// Behind a mark the machine looks again.
TEST(RegisterCode, EndsWhereAStretchEnds) {
  EXPECT_TRUE(is_register_code("    add32 a, b, 1\n    mark here\n    tsc a"));
}

// The rows of a mesh: each PE sends to the next one.
constexpr const char* kRows = R"(
.const W = 40
.grid W, 20
.colour east0, east1
.place p at (0..W - 1, 0..19)
.route east0 at (0..W - 2 step 2, 0..19): ramp -> east
.route east0 at (1..W - 1 step 2, 0..19): west -> ramp
.route east1 at (1..W - 2 step 2, 0..19): ramp -> east
.route east1 at (2..W - 1 step 2, 0..19): west -> ramp
)";

// The rows do alike until words of memory and the clock part them.
constexpr const char* kParting = R"(
.program p(first: const = x == 0, last: const = x == W - 1)
  .f32 v[4] exported = x + i
  .f32 sent[4] exported = x * 10 + y + i
  .i32 word exported = y % 3
  .i32 seen exported
  .i32 when exported
  .reg a, b
  .microthread out
  task main:
    mov32 a, 0
  again:
  .if !last
    fmovs fabout(x % 2 ? east1 : east0), sent async out
  .end
  .if !first
    fadds v, v, fabin(x % 2 ? east0 : east1)
  .end
    wait out
    fmuls v, v, 0.5
    fadds v, v, sent
    add32 a, a, 1
    blt a, 3, again
    activate apart
  task apart:
    ld32 b, word
    activate alone
  task alone:
    add32 a, a, b
    fmuls v, v, 0.25
    activate stored
  task stored:
    tsc b
    st32 when, b
    st32 seen, a
    halt
)";

// A word of memory says what a microthread still writes: on odd rows v, which the next instruction
// touches.
constexpr const char* kOtherInFlight = R"(
.grid 2, 20
.colour go, late
.program waiting
  .f32 v[4]
  .f32 w[4]
  .f32 seen[1]
  .i32 word = y % 2
  .reg a
  .microthread in
  task main:
    ld32 a, word
    beq a, 0, even
    fmovs v, fabin(late) async in
    jmp both
  even:
    fmovs w, fabin(late) async in
  both:
    fmovs a, fabin(go)               ; from here on all are in one cycle
    fmovs seen[0:1], fabin(go)
    mov32 a, 0
    fmovs v, 1.0
.program telling
  .f32 sent[4] = i
  .reg a
  task main:
    mov32 a, 50
  early:
    sub32 a, a, 1
    bgt a, 0, early
    fmovs fabout(go), sent[0:1]
    mov32 a, 20
  again:
    sub32 a, a, 1
    bgt a, 0, again
    fmovs fabout(go), sent[0:1]
    mov32 a, 100
  later:
    sub32 a, a, 1
    bgt a, 0, later
    fmovs fabout(late), sent
.place waiting at (0, 0..19)
.place telling at (1, 0..19)
.route go at (1, 0..19): ramp -> west
.route go at (0, 0..19): east -> ramp
.route late at (1, 0..19): ramp -> west
.route late at (0, 0..19): east -> ramp
)";

// A control wavelet ends an instruction in the same cycle on all rows, after one, two or three
// words.
constexpr const char* kEndsApart = R"(
.grid 2, 20
.colour words
.entry over = 40
.program waiting
  .i32 v[8] exported
  .i32 left exported
  .reg a
  task main:
    mov32 a, 0
    mov32 v, fabin(words, length=8, on_control=terminate)
    getleft a
    activate stored
  task stored:
    st32 left, a
    halt
.program telling
  .i32 sent[4] = i
  .i32 copy[4]
  .i32 word = y % 3 + 1
  .reg a, b
  task main:
    ld32 a, word
    sub32 b, 4, a
    mov32 fabout(words), sent[0 :+ a]
    mov32 copy[0 :+ b], sent[0 :+ b] ; so that all rows have issued four elements
    mov32 fabout(words, control), control(over, nop)
.place waiting at (0, 0..19)
.place telling at (1, 0..19)
.route words at (1, 0..19): ramp -> west
.route words at (0, 0..19): east -> ramp
)";

// Descriptors that instructions change, and that differ from row to row at last.
constexpr const char* kWindows = R"(
.program p(first: const = x == 0, last: const = x == W - 1)
  .f32 v[16] exported address=0 = x + i
  .f32 sum[4] exported
  .i32 word = y % 3 * 4
  .reg a, at
  .dsr window
  .microthread out
  task main:
    setd window, v[0:4]
    mov32 a, 0
    mov32 at, 0
  again:
  .if !last
    fmovs fabout(x % 2 ? east1 : east0), window async out
  .end
  .if !first
    fadds sum, sum, fabin(x % 2 ? east0 : east1)
  .end
    wait out
    add32 at, at, 8
    setdbase window, at
    fmacs sum, sum, window, 0.5
    add32 a, a, 1
    blt a, 5, again
    activate apart
  task apart:
    ld32 at, word
    setdbase window, at
    activate last_window
  task last_window:
    fmovs sum, window
    halt
)";

struct Program {
  std::string text;
  std::vector<const char*> exported;
};
const Program kParts{std::string(kRows) + kParting, {"v", "word", "seen", "when"}};
const Program kFlies{kOtherInFlight, {}};
const Program kMoves{std::string(kRows) + kWindows, {"sum"}};
const Program kEnds{kEndsApart, {"left", "v"}};

struct Ended {
  RunStatus status = RunStatus::Halted;
  std::string message;
  Cycle cycles = 0;
  std::vector<std::vector<std::uint32_t>> arrays;
  std::array<std::uint64_t, kActivities> activity = {};
  std::uint64_t instructions = 0;
  std::uint64_t joined = 0;

  bool is_as(const Ended& other) const {
    return status == other.status && message == other.message && cycles == other.cycles &&
           arrays == other.arrays && activity == other.activity &&
           instructions == other.instructions;
  }
};

struct Way {
  TransportChoice transport = TransportChoice::Stepper;
  std::uint32_t threads = 1;
  bool cohorts = true;
  Cycle max_cycles = kNever;
};

Ended ended(const Program& program, const Way& way) {
  const isa::Profile profile = *isa::find_profile("wse2");
  const auto output =
      assembler::assemble({"alike.wsa", program.text}, {.overrides = {}, .profile = profile});
  EXPECT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
  auto machine =
      Machine::create(*output.image, profile,
                      {.threads = way.threads, .transport = way.transport, .cohorts = way.cohorts});
  const Record record = (*machine)->run({.max_cycles = way.max_cycles});
  Ended end{.status = record.status,
            .message = record.message,
            .cycles = record.cycles,
            .arrays = {},
            .activity = record.counters.pe_cycles,
            .instructions = record.counters.instructions,
            .joined = (*machine)->joined_visits()};
  for (const char* const name : program.exported) {
    end.arrays.push_back(*(*machine)->read_array(name));
  }
  return end;
}

void ends_alike(const Program& program, RunStatus status, std::uint64_t joined) {
  for (const TransportChoice transport : {TransportChoice::Stepper, TransportChoice::Wafer}) {
    const Ended alone = ended(program, {.transport = transport, .cohorts = false});
    EXPECT_EQ(alone.status, status) << alone.message;
    EXPECT_EQ(alone.joined, 0u);
    for (const std::uint32_t threads : {1u, 2u, 3u}) {
      const Ended found = ended(program, {.transport = transport, .threads = threads});
      EXPECT_TRUE(found.is_as(alone)) << found.message;
      EXPECT_GT(found.joined, joined);
    }
  }
}

TEST(Cohorts, EndAsCoresThatContinueByThemselves) { ends_alike(kParts, RunStatus::Halted, 1000); }

TEST(Cohorts, MayHaveChangedDescriptors) { ends_alike(kMoves, RunStatus::Halted, 5000); }

TEST(Cohorts, EndInstructionsOfLanesApart) { ends_alike(kEnds, RunStatus::Halted, 10); }

// Where others touch what nothing is about to write, it traps.
TEST(Cohorts, LeaveOutCoresWithOtherInstructionsInFlight) {
  ends_alike(kFlies, RunStatus::Trap, 20);
}

// Where the machine stops, cores that have joined are put back as their leaders are.
TEST(Cohorts, AreShownAsTheyWereInEachCycle) {
  for (const Program& program : {kParts, kMoves}) {
    const Cycle cycles = ended(program, {.cohorts = false}).cycles;
    for (Cycle stop = 1; stop < cycles; stop += 3) {
      EXPECT_TRUE(ended(program, {.max_cycles = stop})
                      .is_as(ended(program, {.cohorts = false, .max_cycles = stop})))
          << "stopped after " << stop << " cycles";
    }
  }
}

}  // namespace
}  // namespace wse::vm
