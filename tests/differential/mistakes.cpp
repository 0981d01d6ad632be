// What a program must not do: for every trap that code can reach, the lines that reach it.
#include <algorithm>
#include <string_view>
#include <vector>

#include "tests/differential/pe_writer.h"

namespace wse::differential {
namespace {

using Lines = std::vector<std::string_view>;

// By trap, some ways to it each. Nothing is in flight before them; `own` leads back to the PE;
// `forbidden` is a FIFO that nothing else uses. What other code reaches often is not here.
const std::vector<std::vector<Lines>> kMistakes = {
    {{"mov32 fabout(own), i32_1 async 3", "mov32 fabout(own), i32_2 async 4"}},  // two producers
    {{"mov32 i32_1, fabin(own) async 3", "mov32 i32_2, fabin(own) async 4"},     // two consumers
     {"mov32 i32_1, fabin(own) async 3", "mov32 r1, i32_2[fabin(own)]"}},
    {{"setd d10, fabin(own, length=1)", "setd d11, fabin(own)",
      "mov32 fabout(own), 1",  // or two inputs
      "add32 r1, d10, d11"}},
    {{"mov32 i32_1, fabin(own) async 3", "mov32 fabout(own), i32_3 async 3"}},  // microthread
    {{"mov32 i32_1, fabin(own) async 3", "mov32 i32_1[2], r1"},                 // memory race
     {"mov32 i32_1, fabin(own) async 3", "mov32 i32_2[0:3], i32_1[4:7]"},
     {"mov32 i32_1, fabin(own) async 3",
      "add32 i32_2[0:3], i32_3[0:3], i32_1[4:7]"},  // by the second source
     {"mov32 i32_1, fabin(own) async 3", "add32 r1, i32_3[0:3], i32_1[4:7]"},
     {"mov32 i32_1, fabin(own) async 3", "mov32 fabout(own), i32_1[0:3] async 4"},
     {"mov32 r1, i32_1[fabin(own)] async 3", "mov32 i32_1[50], r2"}},
    {{"mov32 i32_1[1:9], i32_1[0:8]"},  // overlap
     {"add32 i32_1[0:8], i32_1[0:8], i32_1[2:10]"},
     {"mov32 i32_1[fabin(own, length=3)], i32_1[0:3]"}},
    {{"mov32 noted, 40000", "mov32 r1, i32_1[noted]"},  // outside memory
     {"setd d10, i32_1[0:3]", "setdstride d10, 9000", "mov32 i32_2[0:3], d10"}},
    {{"mov32 fabout(own), 77", "mov32 r1, i32_1[fabin(own)]"},
     {"mov32 fabout(own), -1", "mov32 i32_1[fabin(own, length=1)], r1"}},
    {{"setd d10, i32_1[0:3]", "getdbase r1, d10", "add32 r1, r1, 2", "setdbase d10, r1",
      "mov32 i32_2[0:3], d10"}},                                                       // misaligned
    {{"setd d10, i32_1[0:3]", "setdlen d10, 1", "add32 i32_3[0:2], i32_2[0:2], d10"},  // short
     {"setd d10, i32_1[0:8]", "mov32 d10, fabin(own, length=endless)"}},
    {{"setd d10, fabin(own)", "mov32 d10, i32_1"}},  // unset descriptor
    {{"mov32 stored[0], 77", "ldd d10, stored[0]"},  // bad descriptor
     {"setd d10, fabout(own, advance)", "mov32 d10, fabin(own, length=3, on_control=terminate)"},
     {"setd d10, forbidden", "mov16 i16_1[0:2], d10"},
     {"mov32 noted, -1", "setd d10, i32_1[0:3]", "setdlen d10, noted"},
     {"mov32 noted, -1", "setd d10, fabin(own)", "setdlen d10, noted"},
     {"setd d10, i32_1[0:3]", "mov32 d10, i32_2[0:3] async 3"},
     {"setd d10, i32_1[0:3]", "std stored[0], d10", "mov32 stored[3], -1", "ldd d10, stored[0]"}},
    {{"setd d10, fabin(own, length=1)", "std stored[0], d10", "mov32 stored[1], 0",  // no queue
      "ldd d10, stored[0]", "mov32 i32_1[0:1], d10 async 3"},
     {"setd d10, fabout(own)", "setd d11, fabin(own, length=3)", "std stored[0], d10",
      "mov32 stored[1], 0", "ldd d10, stored[0]", "mov32 d10, 5", "mov32 d11, 5"}},
    {{"setd d10, fabin(own)", "setd d11, fabout(own)", "mov32 d11, d10"}},  // no length
    {{"mov32 noted, 0", "divs32 r1, r1, noted"}, {"mov32 noted, 0", "remu32 r1, r1, noted"}},
    {{"mov32 noted, 100000", "blt noted, 5, returned", "ret noted", "returned:"}},
    {{"mov32 fabout(own), i32_1[0:3]", "setpos own, 0"}},  // configuration in use
    {{"setpos own, 1"}},                                   // bad position
    {{"mov32 taken, 60", "activate taken"}},               // unbound task
    {{"mov32 forbidden, fabin(own, length=3) async 3", "mov32 forbidden, i32_1[0:2]"},  // FIFO
     {"mov32 forbidden_store, i32_1[0:4]"}},
    {{"mov32 noted, forbidden_store[2]"},
     {"mov32 i32_1, forbidden async 3", "mov32 r1, forbidden"}},
    {{"mov32 noted, 1", "assert noted == 2"}},
    {{"setroute own, everywhere", "mov32 fabout(own), 1"}},  // off the grid, on most meshes
    {{"setroute own, everywhere", "mov32 fabout(own), 2"}},
};

// Loops without an end. They trap where a taken branch takes no time; elsewhere the limit of cycles
// ends them.
const std::vector<Lines> kLoops = {{"mov32 noted, 1", "forever:", "bgt noted, 0, forever"},
                                   {"mov32 noted, 1", "spinning:", "bne noted, 0, spinning"}};

// One mistake in so many is a loop: as often as other traps although few machines have such loops,
// and seldom where they take long.
constexpr std::uint32_t kLoopsThatTrap = 6;
constexpr std::uint32_t kLoopsToTheLimit = 12;

bool have(const Lines& lines, std::string_view word) {
  return std::ranges::any_of(lines, [&](std::string_view text) { return text.contains(word); });
}

}  // namespace

void PeWriter::mistake() {
  wait_all();
  const auto some = [this](const auto& all) -> const auto& {
    return all[random_.below(static_cast<std::uint32_t>(all.size()))];
  };
  const auto fits = [this](const Lines& lines) {
    return has_forbidden_ || !have(lines, "forbidden");
  };
  const bool is_free = machine_.branch_taken_cycles == 0;
  const Lines* lines = &some(some(kMistakes));
  while (!fits(*lines)) lines = &some(some(kMistakes));
  if (random_.one_in(is_free ? kLoopsThatTrap : kLoopsToTheLimit)) lines = &some(kLoops);
  for (const std::string_view text : *lines) {
    if (text.ends_with(':')) {
      header(std::string(text));
    } else {
      line(std::string(text));
    }
  }
}

}  // namespace wse::differential
