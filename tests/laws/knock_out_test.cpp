// The knock-out law of critical paths: where nothing competes, what is on the path to a mark and
// comes one cycle later makes the mark one cycle later; what is off the path does not, if every
// other path is shorter by a cycle at least.
//
// Random programs on a ring of PEs: one thread each, one colour into it and one out of it. So no
// event has a choice: it happens when the last of its conditions is fulfilled. Before each vector
// instruction is a scalar one of one cycle; a second one beside it delays the start by one.
// In half of the programs messages have one word: long ones take as long in their receivers as in
// their senders, so that other paths are often as long.
#include <array>

#include "tests/laws/law.h"
#include "tests/support/random.h"
#include "vm/path/critical_path.h"

namespace wse::test_laws::knock_out {
namespace {

using test_support::Random;
using test_support::simulate;
using test_support::Simulation;
using vm::CriticalPath;

constexpr std::uint32_t kPrograms = 70;  // on each profile
constexpr const char* kProfiles[] = {"model", "wse2-before", "wse3-before", "wse2", "wse3"};
constexpr std::uint32_t kMostWords = 12;

// A vector instruction of a ring; without values, none.
struct Instruction {
  std::uint32_t pe = ~0u;
  std::size_t number = 0;
};

// The vector instructions of each PE, in the order of its ring. All messages have one order that
// each PE keeps, so there is no deadlock.
class Ring {
 public:
  explicit Ring(Random& random)
      : pes_(4 + 2 * random.below(2)), most_sent_(random.one_in(2) ? 1 : kMostWords), codes_(pes_) {
    const std::uint32_t events = 6 + random.below(10);
    for (std::uint32_t k = 0; k < events; ++k) random.one_in(3) ? compute(random) : send(random);
  }

  std::uint32_t pes() const { return pes_; }
  std::size_t length(std::uint32_t pe) const { return codes_[pe].size(); }
  vm::PeId id(std::uint32_t pe) const { return y_of(pe) * width() + x_of(pe); }

  // The program, with a mark at the end of the PE that acts last, and with one scalar instruction
  // more before `delayed`. Sets `lines` to those of the vector instructions of PE `pe`.
  std::string text(Instruction delayed = {}) const {
    std::string out = ".grid " + std::to_string(width()) + ", 2\n.colour red, blue\n";
    for (std::uint32_t pe = 0; pe < pes_; ++pe) {
      out += ".program p" + std::to_string(pe) + "\n  .f32 a[16] = i\n  .f32 b[16] = i\n";
      out += "  task main:\n";
      for (std::size_t k = 0; k < codes_[pe].size(); ++k) {
        const bool is_late = pe == delayed.pe && k == delayed.number;
        out += is_late ? kScalar + kScalar : kScalar;
        out += "    " + codes_[pe][k] + "\n";
      }
      if (pe == last_) out += "    mark end\n";
      out += ".place p" + std::to_string(pe) + " at " + place(pe) + "\n";
      out += ".route " + colour(pe) + " at " + place(pe) + ": ramp -> " + way(pe) + "\n";
      out += ".route " + colour(before(pe)) + " at " + place(pe) + ": " + origin(pe) + " -> ramp\n";
    }
    return out;
  }
  // The line of a vector instruction in text().
  std::uint32_t line(Instruction wanted) const {
    std::size_t line = wanted.pe > last_ ? 3 : 2;  // the mark
    for (std::uint32_t pe = 0; pe < wanted.pe; ++pe) line += 4 + 2 * codes_[pe].size() + 3;
    return static_cast<std::uint32_t>(line + 4 + 2 * (wanted.number + 1));
  }

 private:
  inline static const std::string kScalar = "    mov32 r0, 1\n";

  std::uint32_t width() const { return pes_ / 2; }
  std::uint32_t x_of(std::uint32_t pe) const { return pe < width() ? pe : pes_ - 1 - pe; }
  std::uint32_t y_of(std::uint32_t pe) const { return pe < width() ? 0 : 1; }
  std::uint32_t after(std::uint32_t pe) const { return (pe + 1) % pes_; }
  std::uint32_t before(std::uint32_t pe) const { return (pe + pes_ - 1) % pes_; }
  std::string place(std::uint32_t pe) const {
    return "(" + std::to_string(x_of(pe)) + ", " + std::to_string(y_of(pe)) + ")";
  }
  static std::string colour(std::uint32_t sender) { return sender % 2 == 0 ? "red" : "blue"; }
  // The direction of the ring's next PE, and that from which the one before sends.
  std::string way(std::uint32_t pe) const {
    if (pe + 1 == width()) return "south";
    if (pe + 1 == pes_) return "north";
    return pe < width() ? "east" : "west";
  }
  std::string origin(std::uint32_t pe) const {
    if (pe == width()) return "north";
    if (pe == 0) return "south";
    return pe < width() ? "west" : "east";
  }

  void compute(Random& random) {
    static constexpr std::array<const char*, 3> kCodes = {
        "fmovs a[0:N], b[0:N]", "fadds a[0:N], a[0:N], b[0:N]", "fmuls b[0:N], a[0:N], b[0:N]"};
    add(random.below(pes_), kCodes[random.below(3)], 1 + random.below(kMostWords));
  }
  // A message to the next PE, or over some that add to it on its way.
  void send(Random& random) {
    const std::uint32_t words = 1 + random.below(most_sent_);
    std::uint32_t pe = random.below(pes_);
    add(pe, "fmovs fabout(" + colour(pe) + "), b[0:N]", words);
    const std::uint32_t relays = random.one_in(2) ? 0 : 1 + random.below(pes_ - 2);
    for (std::uint32_t k = 0; k < relays; ++k) {
      const std::string from = colour(pe);
      pe = after(pe);
      add(pe, "fadds fabout(" + colour(pe) + "), a[0:N], fabin(" + from + ")", words);
    }
    const std::string from = "fabin(" + colour(pe) + ")";
    add(after(pe), random.one_in(2) ? "fmovs a[0:N], " + from : "fadds a[0:N], b[0:N], " + from,
        words);
  }
  void add(std::uint32_t pe, std::string code, std::uint32_t words) {
    for (std::size_t at; (at = code.find('N')) != std::string::npos;) {
      code.replace(at, 1, std::to_string(words));
    }
    codes_[pe].push_back(code);
    last_ = pe;
  }

  std::uint32_t pes_;
  std::uint32_t most_sent_;  // words of a message
  std::uint32_t last_ = 0;   // the PE whose instruction comes last
  std::vector<std::vector<std::string>> codes_;
};

test_support::SimulationOptions options(const char* profile) {
  return {.profile = profile,
          .settings = {{&isa::Profile::simple_cycles, 1}, {&isa::Profile::divide_cycles, 1}}};
}

// Does the path lead through the scalar instruction before a vector instruction on that line?
bool leads_through(const CriticalPath& path, vm::PeId pe, std::uint32_t line) {
  return std::ranges::any_of(path.steps, [&](const vm::PathStep& step) {
    return step.kind == vm::StepKind::Scalar && step.pe == pe &&
           (step.where.line == line || step.where.line + 1 == line);
  });
}

struct Tried {
  std::uint32_t on = 0;
  std::uint32_t off = 0;   // where every other path is shorter
  std::uint32_t open = 0;  // where another path is as long: the mark may come a cycle later or not
};

void knock_out(const Ring& ring, const char* profile, Random& random, Tried& tried) {
  auto with_path = options(profile);
  with_path.path = vm::PathTarget{.mark = 0};
  const std::string text = ring.text();
  const Simulation simulation = simulate(text, with_path);
  EXPECT_EQ(simulation.record.status, vm::RunStatus::Halted) << simulation.record.message << text;
  const auto path = vm::critical_path(*simulation.machine, simulation.record.cycles);
  ASSERT_TRUE(path);
  const vm::Cycle cycles = first(simulation, "end");
  EXPECT_EQ(path->cycles, cycles);
  for (std::uint32_t pe = 0; pe < ring.pes(); ++pe) {
    for (std::size_t k = 0; k < ring.length(pe); ++k) {
      const bool is_on = leads_through(*path, ring.id(pe), ring.line({pe, k}));
      if (!random.one_in(is_on ? 2 : 4)) continue;
      const vm::Cycle later = first(simulate(ring.text({pe, k}), options(profile)), "end");
      const bool is_open = !is_on && path->next && *path->next == cycles;
      ++(is_on ? tried.on : is_open ? tried.open : tried.off);
      EXPECT_EQ(later, cycles + (is_on || (is_open && later > cycles) ? 1 : 0))
          << profile << ", PE " << pe << ", instruction " << k << " of line " << ring.line({pe, k})
          << ":\n"
          << text;
    }
  }
}

TEST(KnockOut, ADelayOnThePathIsOneOfItsEnd) {
  for (const char* const profile : kProfiles) {
    SCOPED_TRACE(profile);
    Tried tried;
    for (std::uint32_t seed = 0; seed < kPrograms && !HasFailure(); ++seed) {
      Random random(seed);
      const Ring ring(random);
      knock_out(ring, profile, random, tried);
    }
    EXPECT_GT(tried.on, kPrograms);
    EXPECT_GT(tried.off, kPrograms / 2);
  }
}

}  // namespace
}  // namespace wse::test_laws::knock_out
