// Which PEs share an instance of a program, and what it holds.
#include <gtest/gtest.h>

#include <set>

#include "tests/unit/vm/loading.h"

namespace wse::vm {
namespace {

// Each parameter is read in one way; `seed` only by initial data.
constexpr const char* kReaders = R"(
.grid 2, 1
.colour red, blue, green
.program p(seed: i32, scalar: i32, first: i32, count: i32, inner: i32, tx: colour, index: i32,
           rx: colour, other: colour, limit: i32, shown: i32, next: i32, told: i32, start: i32)
  .i32 v[64] = seed * i
  .i32 m[4, 8]
  .routing loop = [ramp -> ramp]
  .filtering few = range 0..limit
  task main:
    add32 r1, r1, scalar
    mov32 v[first:first+2], 0
    mov32 v[0:count], 0
    mov32 m[0:2, 0:inner], 0
    mov32 fabout(tx), 1
    mov16 fabout(red, index=index), 1
    setroute other, loop
    setfilter red, few
    print "{shown}"
    mov32 r2, fabin(red) async 2 activate next
    mov32 r2, fabin(red, on_control=activate(told))
    mov32 v[0:2], circular(v[8:12], length=2, start=start)
  task got on rx (r3):
    halt
  task late = 27:
    halt
.place p at (0..1, 0) with seed = 1, scalar = 1, first = 1, count = 1, inner = 1, tx = 0, index = 0, rx = 1, other = 2, limit = 1, shown = 1, next = 27, told = 27, start = 0
)";

// With `name = value` instead of its constant.
std::string with(std::string text, const std::string& name, const std::string& value) {
  const std::size_t at = text.find(" " + name + " = ", text.find("with")) + name.size() + 4;
  return text.replace(at, text.find_first_of(",\n", at) - at, value);
}

TEST(Instances, AreSharedByPesWithTheSameValues) {
  const Loading loading(kReaders);
  EXPECT_EQ(loading.loaded().instances().size(), 1u);
  EXPECT_EQ(loading.loaded().instance_of(0), loading.loaded().instance_of(1));
}

TEST(Instances, DifferWhereAnythingReadsAValueThatDiffers) {
  for (const char* name : {"scalar", "first", "count", "inner", "tx", "index", "rx", "other",
                           "limit", "shown", "start"}) {
    const Loading loading(with(kReaders, name, "x + 1"));
    EXPECT_EQ(loading.loaded().instances().size(), 2u) << name;
  }
  for (const char* name : {"next", "told"}) {
    EXPECT_EQ(Loading(with(kReaders, name, "27 - x")).loaded().instances().size(), 2u) << name;
  }
}

TEST(Instances, DoNotDifferByInitialData) {
  EXPECT_EQ(Loading(with(kReaders, "seed", "x")).loaded().instances().size(), 1u);
}

// Many, so that the table of places grows; each PE has its own values all the same.
TEST(Instances, HoldTheSlotsThatTheProgramReads) {
  const Loading loading(R"(
.grid 60, 50
.program p(mine: i32)
  task main:
    add32 r1, mine, x
.program q
  task main:
    add32 r1, y, 0
.place p at (0..58, 0..49) with mine = (x * y) % 7
.place q at (59, 0..49)
)");
  const Loaded& loaded = loading.loaded();
  std::set<std::pair<std::uint32_t, std::uint32_t>> kinds;
  for (PeId pe = 0; pe < 60 * 50; ++pe) {
    const std::uint32_t x = pe % 60;
    const std::uint32_t y = pe / 60;
    const std::uint32_t* slots = loaded.slots(pe);
    EXPECT_EQ(loaded.program_at(pe)->program->name, x == 59 ? "q" : "p");
    if (x == 59) {
      EXPECT_EQ(slots[1], y);
      continue;
    }
    EXPECT_EQ(slots[0], x);
    EXPECT_EQ(slots[1], 0u);  // not read
    EXPECT_EQ(slots[isa::kBuiltinSlotCount], x * y % 7);
    kinds.emplace(x, x * y % 7);
  }
  EXPECT_EQ(loaded.instances().size(), kinds.size() + 50);
}

// PEs of one instance get its channels; the tasks of several instances are one table.
TEST(Instances, GiveTheirPesChannelsAndTasks) {
  const Loading loading(R"(
.grid 4, 1
.colour red, blue
.program p(tx: colour)
  task main:
    mov32 fabout(tx), x
  task got on blue (r3):
    halt
.place p at (0..3, 0) with tx = x / 2
)");
  EXPECT_EQ(loading.loaded().instances().size(), 4u);
  for (PeId pe = 0; pe < 4; ++pe) {
    EXPECT_EQ(loading.channels().endpoints(pe), pe < 2 ? 3u : 2u);
    EXPECT_EQ(loading.channels().data_tasks(pe), 2u);
    EXPECT_EQ(&loading.loaded().tasks(pe), &loading.loaded().tasks(0));
  }
}

}  // namespace
}  // namespace wse::vm
