// TIMING.md says what the machine does: every row of the instruction table, run on every profile,
// takes the cycles of isa/machine/timing.h, from which the page is printed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "isa/machine/timing.h"
#include "tests/support/simulation.h"

namespace wse::test_laws::timing_page {
namespace {

using test_support::Settings;

constexpr std::uint32_t kElements = 23;  // no multiple of a rate

// Arrays of both sizes, of which those that are read together lie in banks apart.
constexpr std::string_view kProgram = R"(.grid 2, 1
.colour out
.program one
  .i32 to[{0}]
  .i32 gap
  .i32 from[{0}] bank=0
  .i32 other[{0}] bank={2}
  .i16 to16[{0}]
  .i16 from16[{0}] bank=0
  .i16 other16[{0}] bank={2}
  task main:
{1}
.place one at (0, 0)
)";

// A neighbour that takes what is sent.
constexpr std::string_view kSink = R"(
.program sink
  .i32 taken[{0}]
  task main:
    mov32 taken, fabin(out)
.place sink at (1, 0)
.route out at (0, 0): ramp -> east
.route out at (1, 0): west -> ramp
)";
constexpr std::string_view kSend = "fabout(out)";

std::string program(const std::string& body, const std::string& profile) {
  const std::string sink = body.contains(kSend) ? fmt::format(kSink, kElements) : "";
  // Whole issues of half the banks, or first words that differ modulo less.
  const isa::Profile machine = *isa::find_profile(profile);
  const std::uint32_t apart = machine.banks / (machine.bank_conflict_width != 0 ? 2 : 4);
  return fmt::format(kProgram, kElements, body, apart) + sink;
}

// The page tells what a PE issues; slower links would hold it up.
const Settings kQuickLinks = {{&isa::Profile::link_interval_cycles, 1},
                              {&isa::Profile::hop_latency_cycles, 1}};

// Cycles from mark begin to mark end.
std::uint64_t span(const std::string& body, const std::string& profile) {
  const test_support::Simulation s = test_support::simulate(
      program(body, profile), {.profile = profile, .max_cycles = 100'000, .settings = kQuickLinks});
  EXPECT_EQ(s.record.status, vm::RunStatus::Halted) << body << s.record.message;
  const auto begin = s.record.marks.find("begin");
  const auto end = s.record.marks.find("end");
  if (begin == s.record.marks.end() || end == s.record.marks.end()) return 0;
  return end->second.last - begin->second.first;
}

// Operands by their letters: the registers hold values that no instruction refuses.
std::string scalar_line(const isa::InstructionInfo& row) {
  std::string line = fmt::format("    {}", row.mnemonic);
  std::string comma = " ";
  for (const char letter : isa::info(row.format).operands) {
    line += comma;
    comma = ", ";
    switch (letter) {
      case 'd': line += "r1"; break;
      case 'a': line += "r2"; break;
      case 'b': line += "r3"; break;
      case 'S': line += "r4"; break;
      case 'L': line += "away"; break;
      default: return "";
    }
  }
  return line + "\n";
}

bool is_measured_alone(const isa::InstructionInfo& row) {
  switch (row.format) {
    case isa::Format::Reg2:
    case isa::Format::Reg3:
    case isa::Format::Reg4:
    case isa::Format::Branch:
    case isa::Format::Jump:
    case isa::Format::Call:
    case isa::Format::Read: return true;
    default: return false;
  }
}

// The registers as they must be for the branch to be taken, or not: by the first operands r2, r4.
std::string registers(std::uint32_t first, std::uint32_t second) {
  return fmt::format("    mov32 r2, {}\n    mov32 r3, 1\n    mov32 r4, {}\n", first, second);
}

std::string between_marks(const std::string& line) {
  return "    mark begin\n" + line + "  away:\n    mark end\n";
}

class TimingPage : public ::testing::TestWithParam<std::string> {
 protected:
  const isa::Profile profile_ = *isa::find_profile(GetParam());
};

TEST_P(TimingPage, ScalarRows) {
  int measured = 0;
  for (const isa::InstructionInfo& row : isa::kInstructions) {
    if (row.is_vector() || !is_measured_alone(row)) continue;
    const isa::ScalarTiming timing = isa::scalar_timing(profile_, row);
    std::set<std::uint64_t> seen;
    for (const auto& [first, second] : {std::pair{4u, 4u}, {3u, 4u}, {4u, 3u}}) {
      seen.insert(span(registers(first, second) + between_marks(scalar_line(row)), GetParam()));
    }
    std::set<std::uint64_t> expected = {timing.cost.cycles};
    if (timing.taken) expected.insert(timing.taken->cycles);
    EXPECT_EQ(seen, expected) << row.mnemonic;
    ++measured;
  }
  EXPECT_GT(measured, 50);
}

// Between the marks is the code of a form, which may jump to `landed`.
std::uint64_t form_span(std::string code, std::uint32_t n, const std::string& profile) {
  for (std::size_t at = code.find('N'); at != code.npos; at = code.find('N')) {
    code.replace(at, 1, std::to_string(n));
  }
  const test_support::Simulation s = test_support::simulate(fmt::format(R"(.grid 1, 1
.program p
  .i32 first                ; so that no array has address 0, which nobody adds
  .i32 v[16]
  .i32 w[16]
  .i32 a[4, 4]
  .table t = landed, landed
  task main:
    mov32 r1, 1
    mov32 r2, 2
    mov32 r3, 1
    mov32 r4, address(v)
    mark begin
    {}
  landed:
    mark end
    halt
  function f (r6) -> r7 link r9:
  function g (r6, r7) -> r8 link r9:
.place p at (0, 0)
)",
                                                                        code),
                                                            {.profile = profile});
  EXPECT_EQ(s.record.status, vm::RunStatus::Halted) << code << s.record.message;
  if (s.record.marks.empty()) return 0;
  return s.record.marks.at("end").last - s.record.marks.at("begin").first;
}

TEST_P(TimingPage, FormsThatBecomeSeveralInstructions) {
  for (const isa::FormTiming& form : isa::kForms) {
    const std::string code(form.code);
    std::uint64_t taken = form_span(code, 6, GetParam());
    if (code.contains('N')) taken -= form_span(code, 5, GetParam());
    EXPECT_EQ(taken, form.cycles(profile_)) << form.text;
  }
}

TEST_P(TimingPage, MemoryAndReturn) {
  const auto cycles = [this](isa::Op op) {
    return isa::scalar_timing(profile_, isa::info(op)).cost.cycles;
  };
  EXPECT_EQ(span(between_marks("    mov32 r1, gap\n"), GetParam()), cycles(isa::Op::Load32));
  EXPECT_EQ(span(between_marks("    mov32 gap, r1\n"), GetParam()), cycles(isa::Op::Store32));
  EXPECT_EQ(span(between_marks("    mov16 r1, to16[3]\n"), GetParam()), cycles(isa::Op::Load16));
  EXPECT_EQ(span(between_marks("    setd d3, from\n"), GetParam()),
            cycles(isa::Op::LoadDescriptor));
  const std::string call =
      "    mark begin\n    call r1, sub\n    mark end\n    halt\n  sub:\n"
      "    ret r1\n";
  EXPECT_EQ(span(call, GetParam()), cycles(isa::Op::Call) + cycles(isa::Op::Return));
}

// Descriptors are in registers before the mark; `to` is the literal of the destination.
std::string vector_body(const isa::InstructionInfo& row, std::string_view to) {
  std::string loads;
  std::string line = fmt::format("    {}", row.mnemonic);
  std::string comma = " ";
  const std::string_view letters = isa::info(row.format).operands;
  for (std::size_t k = 0; k < letters.size(); ++k) {
    const std::string bits = isa::info(row.type_of(k)).bytes == 2 ? "16" : "";
    line += comma;
    comma = ", ";
    switch (letters[k]) {
      case 'D':
        loads += "    setd d0, " + (to.empty() ? "to" + bits : std::string(to)) + "\n";
        break;
      case 'A': loads += "    setd d1, from" + bits + "\n"; break;
      case 'B': loads += "    setd d2, other" + bits + "\n"; break;
      default: break;
    }
    line += letters[k] == 'D' ? "d0" : letters[k] == 'A' ? "d1" : letters[k] == 'B' ? "d2" : "r4";
  }
  return loads + "    mark begin\n" + line + "\n    mark end\n";
}

TEST_P(TimingPage, VectorRows) {
  int measured = 0;
  for (const isa::InstructionInfo& row : isa::kInstructions) {
    if (!row.is_vector()) continue;
    const isa::VectorTiming timing = isa::vector_timing(profile_, row);
    EXPECT_EQ(span(vector_body(row, ""), GetParam()), timing.memory_cycles(kElements))
        << row.mnemonic << " in memory";
    EXPECT_EQ(span(vector_body(row, kSend), GetParam()),
              timing.start + kElements * timing.memory_issue_cycles + timing.drain)
        << row.mnemonic << " to a fabric, both sources in memory";
    ++measured;
  }
  EXPECT_GT(measured, 50);
}

INSTANTIATE_TEST_SUITE_P(Profiles, TimingPage, ::testing::ValuesIn(isa::profile_names()),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace wse::test_laws::timing_page
