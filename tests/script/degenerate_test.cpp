// Does everything that a script derives have a value, or say that it has none? Each main script
// runs at its smallest sizes. Must never accept inf, nan, or a share of more than 100 %.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <regex>

#include "tests/script/main_scripts.h"
#include "tests/script/script_support.h"
#include "tests/support/files.h"

namespace wse::script {
namespace {

namespace fs = std::filesystem;

// Returns what is no figure in a text for people; "" if all of it is.
std::string fault_of_text(const std::string& text) {
  static const std::regex no_number(R"((^|[^\w])-?(inf|nan)($|[^\w]))", std::regex::icase);
  std::smatch found;
  if (std::regex_search(text, found, no_number)) return "it prints " + found.str();
  static const std::regex percent(R"((-?[0-9]+(\.[0-9]+)?) ?%)");
  for (std::sregex_iterator at(text.begin(), text.end(), percent), end; at != end; ++at) {
    const double share = std::stod((*at)[1]);
    if (share < 0 || share > 100) return "it prints " + at->str();
  }
  return "";
}

std::string fault_of_scalar(const std::string& name, const UserScalar& value) {
  const double* number = std::get_if<double>(&value);
  if (number == nullptr) return "";
  if (!std::isfinite(*number)) return name + " is no number";
  const bool is_share = name.contains("share") || name.contains("utilisation");
  return is_share && name != "bound_share" && !name.ends_with("_per_cell") &&
                 (*number < 0 || *number > 1)
             ? fmt::format("{} is {}", name, *number)
             : "";
}

// The first value of the record that is no figure.
std::string fault_of_user(const std::map<std::string, UserValue>& user) {
  for (const auto& [name, value] : user) {
    std::string fault;
    if (const auto* scalar = std::get_if<UserScalar>(&value)) {
      fault = fault_of_scalar(name, *scalar);
    } else if (const auto* list = std::get_if<UserList>(&value)) {
      for (const UserScalar& one : *list)
        fault = fault.empty() ? fault_of_scalar(name, one) : fault;
    } else {
      for (const auto& [key, one] : std::get<UserTable>(value))
        fault = fault.empty() ? fault_of_scalar(name + "." + key, one) : fault;
    }
    if (!fault.empty()) return fault;
  }
  return "";
}

class Degenerate : public testing::TestWithParam<MainScript> {
 protected:
  Degenerate() : before_(fs::current_path()) { fs::current_path(scratch_.path()); }
  ~Degenerate() override { fs::current_path(before_); }

 private:
  test_support::ScratchFolder scratch_;
  fs::path before_;
};

TEST_P(Degenerate, SizesGiveFiguresOrSayWhyNot) {
  const MainScript& script = GetParam();
  ASSERT_FALSE(script.smallest.empty());
  for (const std::string& arguments : script.smallest) {
    Options options = options_of(script);
    options.arguments = arguments_of(arguments);
    const Ran ran = run_text(text_of(script), options);
    EXPECT_EQ(ran.result.message, "") << script.file << " " << arguments;
    EXPECT_EQ(fault_of_text(ran.printed), "") << script.file << " " << arguments << "\n"
                                              << ran.printed;
    EXPECT_EQ(fault_of_user(ran.result.user), "") << script.file << " " << arguments;
  }
}

INSTANTIATE_TEST_SUITE_P(Scripts, Degenerate, testing::ValuesIn(main_scripts()),
                         [](const auto& test) { return test.param.name; });

// The judge sees what it is there for.
TEST(DegenerateJudge, SeesWhatIsNoFigure) {
  EXPECT_EQ(fault_of_text("utilisation 100.0 %, 3 info, nanoseconds"), "");
  EXPECT_NE(fault_of_text("decays by inf per step"), "");
  EXPECT_NE(fault_of_text("off by -nan"), "");
  EXPECT_NE(fault_of_text("utilisation 118.5 %"), "");
  EXPECT_EQ(fault_of_user({{"move_share", UserScalar(0.5)}}), "");
  EXPECT_NE(fault_of_user({{"move_share", UserScalar(1.5)}}), "");
  EXPECT_NE(fault_of_user({{"rate", UserScalar(std::nan(""))}}), "");
  EXPECT_NE(fault_of_user({{"rates", UserList{1.0, HUGE_VAL}}}), "");
}

}  // namespace
}  // namespace wse::script
