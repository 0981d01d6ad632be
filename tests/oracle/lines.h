// The lines at which the main thread of a processor is, cycle by cycle, and why.
//
// Scalar code runs when its stretch starts, so where the thread will be is noted ahead of time.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "isa/image/image.h"

namespace wse::oracle {

// The work of the main thread at its line.
enum class Doing : std::uint8_t {
  StartsTask,
  Computes,
  SetsUp,
  Cools,
  InVector,
  Waits,
  Nothing,
  Halted
};

// A line of a program; `where` is {} where no task runs.
struct LineKey {
  std::uint32_t program = 0;
  Doing at = Doing::Computes;  // Nothing, Halted, or any line: Computes
  isa::SourceLine where{};
  std::strong_ordering operator<=>(const LineKey& other) const;
};
// Cycles, by the rows of isa/machine/line_causes.def.
enum class Cause : std::uint8_t {
#define LINE_CAUSE(name, text) name,
#include "isa/machine/line_causes.def"
#undef LINE_CAUSE
  kCount
};
using CauseCycles = std::array<std::uint64_t, static_cast<std::size_t>(Cause::kCount)>;
using LineCycles = std::map<LineKey, CauseCycles>;

enum class Activity : std::uint8_t;

class Lines {
 public:
  void place(std::uint32_t program) { program_ = program; }
  // From cycle `from` on the thread is at the instruction; what was noted for later is void.
  void note(std::uint64_t from, Doing doing, std::uint32_t pc);
  // The cycle counts if something works in it or later. `by_fifo`: a FIFO keeps something waiting.
  void count(std::uint64_t now, Activity activity, bool by_fifo);
  // Something worked: what was counted stays.
  void keep();
  void add_to(LineCycles& all, const isa::Program& program) const;

 private:
  struct At {
    std::uint64_t from = 0;
    Doing doing = Doing::Nothing;
    std::uint32_t pc = 0;
  };
  struct Counted {
    At at;
    Cause cause = Cause::NoTask;
  };

  std::uint32_t program_ = 0;
  std::vector<At> ats_{At{}};  // the first one has begun
  std::vector<Counted> open_;
  std::map<std::pair<Doing, std::uint32_t>, CauseCycles> cycles_;  // by kind of line, and pc
};

}  // namespace wse::oracle
