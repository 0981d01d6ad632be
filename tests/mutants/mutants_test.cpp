// Every planted error of isa/support/mutants.def must be caught by the judge (a test executable)
// and the tests that its row names; without any, all tests of all judges pass. A judge that crashes
// counts as failing. A row "invariant K in JUDGE TESTS" wants more: the judge must end with the
// assertion of invariant K of vm/planes/README.md. Of random sequences two suffice. The oracle is a
// judge too: `differential` compares the machine with it. The suite OfEachKind has the first error
// of each kind, but for those of compiled code; the suite Others the rest.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct Row {
  std::string_view kind;
  const char* text;
  const char* caught_by;
  const char* meaning;
};

constexpr Row kMutants[] = {
#define MUTANT(kind, name, text, caught_by, meaning) {#kind, text, caught_by, meaning},
#include "isa/support/mutants.def"
#undef MUTANT
};

constexpr std::string_view kOracle = "differential";
constexpr std::string_view kCompiledCode = "jit";
constexpr std::string_view kStatements = "naive";
constexpr std::string_view kOracleProgramsForAll = "1 100 wse2";
constexpr std::string_view kInvariant = "invariant ";  // then its number, " in " and a judge

// Returns the path of the executable; empty if it is not a judge.
std::string judge_path(std::string_view name) {
  if (name == kOracle) return WSE_ORACLE_JUDGE;
  std::istringstream judges(WSE_JUDGES);
  for (std::string judge; judges >> judge;) {
    if (judge.ends_with(std::string("/").append(name))) return judge;
  }
  return {};
}

// Returns the command of a judge with the named error planted ("" for none); `words` are tests, or
// what the oracle's comparison is called with.
std::string judge_command(const std::string& mutant, std::string_view judge,
                          std::string_view words) {
  const std::string path = judge_path(judge);
  EXPECT_NE(path, "") << judge << " is not a judge: a row says JUDGE, then tests";
  const std::string how = judge == kOracle
                              ? std::string(words)
                              : fmt::format("--gtest_fail_fast --gtest_filter='{}'", words);
  // An error may make it hang. Without one it ends, however slow the host is.
  const std::string_view limit = mutant.empty() ? "" : "timeout 300";
  return fmt::format("WSE_MUTANT={} WSE_SEQUENCES=2 {} {} {} 2>&1", mutant, limit, path, how);
}

struct Verdict {
  bool passes = false;
  std::string output;
};

Verdict ask(const std::string& mutant, std::string_view judge, std::string_view words) {
  Verdict verdict;
  FILE* const pipe = popen(judge_command(mutant, judge, words).c_str(), "r");
  EXPECT_NE(pipe, nullptr);
  if (pipe == nullptr) return verdict;
  std::array<char, 4096> part;
  while (const std::size_t size = std::fread(part.data(), 1, part.size(), pipe)) {
    verdict.output.append(part.data(), size);
  }
  verdict.passes = pclose(pipe) == 0;
  return verdict;
}

// A row's judge, and what it is called with; of an invariant its number too.
struct Call {
  std::string_view invariant;
  std::string_view judge;
  std::string_view words;
};

constexpr Call call_of(std::string_view by) {
  Call call;
  if (by.starts_with(kInvariant)) {
    constexpr std::string_view kIn = " in ";
    const std::size_t in = by.find(kIn);
    call.invariant = by.substr(kInvariant.size(), in - kInvariant.size());
    by = by.substr(in + kIn.size());
  }
  const std::size_t space = by.find(' ');
  call.judge = by.substr(0, space);
  call.words = by.substr(space + 1);
  return call;
}

// What `./dev test` builds for the first of each kind is without the oracle and random statements.
constexpr bool first_judges_are_built() {
  std::string_view kind;
  for (const Row& row : kMutants) {
    const std::string_view judge = call_of(row.caught_by).judge;
    if (row.kind != kind && (judge == kOracle || judge == kStatements)) return false;
    kind = row.kind;
  }
  return true;
}
static_assert(first_judges_are_built(), "another row of the kind must be the first");

bool is_caught(const Row& row) {
  const Call call = call_of(row.caught_by);
  const Verdict verdict = ask(row.text, call.judge, call.words);
  if (call.invariant.empty()) return !verdict.passes;
  return verdict.output.contains(fmt::format("vm/planes {}:", call.invariant));
}

class PlantedError : public testing::TestWithParam<Row> {};

TEST_P(PlantedError, IsCaught) {
  EXPECT_TRUE(is_caught(GetParam()))
      << GetParam().caught_by << " did not notice: " << GetParam().meaning;
}

// The rows of the suite OfEachKind, or all others.
std::vector<Row> rows(bool of_each_kind) {
  std::vector<Row> chosen;
  std::string_view kind;
  for (const Row& row : kMutants) {
    const bool is_first = row.kind != kind && call_of(row.caught_by).judge != kCompiledCode;
    if (is_first == of_each_kind) chosen.push_back(row);
    kind = row.kind;
  }
  return chosen;
}

std::string test_name(const testing::TestParamInfo<Row>& info) {
  std::string name = info.param.text;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(OfEachKind, PlantedError, testing::ValuesIn(rows(true)), test_name);
INSTANTIATE_TEST_SUITE_P(Others, PlantedError, testing::ValuesIn(rows(false)), test_name);

TEST(PlantedErrors, NoneMeansThatAllPass) {
  std::istringstream judges(WSE_JUDGES);
  for (std::string judge; judges >> judge;) {
    const std::string name = judge.substr(judge.rfind('/') + 1);
    EXPECT_TRUE(ask("", name, "*").passes) << name;
  }
  EXPECT_TRUE(ask("", kOracle, kOracleProgramsForAll).passes);
}

}  // namespace
