// Random programs, assembled and run: every array holds what the text says (meaning.cpp). Faults of
// the assembler whose images are valid are seen here; the oracle cannot see them, it runs the same
// image.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string_view>

#include "tests/naive/program.h"
#include "tests/support/simulation.h"

namespace wse::naive {
namespace {

std::uint32_t programs() {
  const char* const given = std::getenv("WSE_NAIVE_PROGRAMS");
  return given == nullptr ? 600 : static_cast<std::uint32_t>(std::strtoul(given, nullptr, 10));
}

void count(const std::vector<Statement>& statements, std::map<Statement::Kind, int>& met) {
  for (const Statement& statement : statements) {
    ++met[statement.kind];
    count(statement.body, met);
  }
}

// Forms with registers, by a piece of their text; at least so often in 600 programs.
constexpr std::string_view kForms[] = {
    "    map ", "index=r1", "map r1, difference", "r10 :+", ":+ r10", ": r10", "[r10, ", ", r10]"};
constexpr int kFormsOfEach = 100;

TEST(Naive, ProgramsComputeWhatTheirTextSays) {
  std::map<Statement::Kind, int> met;
  std::map<std::string_view, int> forms;
  for (std::uint32_t seed = 1; seed <= programs(); ++seed) {
    const Program program = random_program(seed);
    const std::string text = text_of(program);
    const test_support::Simulation run =
        test_support::simulate(text, {.profile = seed % 2 == 0 ? "wse2" : "model"});
    ASSERT_NE(run.machine, nullptr) << "seed " << seed << "\n" << text;
    ASSERT_EQ(run.record.status, vm::RunStatus::Halted) << run.record.message << "\n" << text;
    for (std::uint32_t x = 0; x < kWidth; ++x) {
      const auto expected = meaning_of(program, x);
      for (std::size_t k = 0; k < program.arrays.size(); ++k) {
        const std::string& name = program.arrays[k].name;
        ASSERT_EQ(run.words(x, 0, name), expected[k])
            << "seed " << seed << ", " << name << " at PE(" << x << ", 0)\n"
            << text;
      }
    }
    for (const std::string_view form : kForms) {
      for (std::size_t at = text.find(form); at != text.npos; at = text.find(form, at + 1)) {
        ++forms[form];
      }
    }
    count(program.main, met);
    for (const auto& function : program.functions) count(function, met);
  }
  for (int kind = 0; kind <= static_cast<int>(Statement::Kind::Map); ++kind) {
    EXPECT_GT(met[static_cast<Statement::Kind>(kind)], 20) << "statements of kind " << kind;
  }
  for (const std::string_view form : kForms) EXPECT_GE(forms[form], kFormsOfEach) << form;
}

}  // namespace
}  // namespace wse::naive
