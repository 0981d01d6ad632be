// Hostile programs: wsevm must refuse each with one clear message, soon and in bounded memory.
// What is too large for a unit test is made here as a file and given to a child process.
#include <gtest/gtest.h>

#include <random>

#include "tests/support/child.h"

namespace wse {
namespace {

class Hostile : public ::testing::Test {
 protected:
  static constexpr double kSeconds = 60;  // of the processor, ten times what the slowest takes
  static constexpr long kPeakKilobytes = 1'000'000;

  void write(const std::string& name, std::string_view text) {
    test_support::write_text(folder_.path() / name, text);
  }
  void expect_refusal(const std::string& name, std::string_view message) {
    const auto ending = test_support::run_wsevm({"check", name}, {.folder = folder_.path()});
    EXPECT_EQ(ending.code, 2);
    EXPECT_TRUE(ending.errors.contains(message)) << ending.errors.substr(0, 2000);
    EXPECT_LT(ending.errors.size(), 100'000U);
    EXPECT_LT(ending.processor_seconds, kSeconds);
    EXPECT_LT(ending.peak_kilobytes, kPeakKilobytes);
  }

 private:
  test_support::ScratchFolder folder_;
};

std::string repeated(std::string_view unit, std::size_t count) {
  std::string text;
  text.reserve(unit.size() * count);
  for (std::size_t k = 0; k < count; ++k) text += unit;
  return text;
}

TEST_F(Hostile, ALineOf100Megabytes) {
  write("line.wsa", "mov32 " + std::string(100'000'000, 'x'));
  expect_refusal("line.wsa", "line.wsa:1:1: error[E001]: the source has 100000006 bytes");
}

TEST_F(Hostile, AMillionErrors) {
  write("errors.wsa", ".program p\n  task main:\n" + repeated("    fx r1\n", 1'000'000));
  expect_refusal("errors.wsa", " errors more not shown");
}

TEST_F(Hostile, AFileThatIncludesItself) {
  write("first.wsa", ".include \"second.wsa\"\n.include \"second.wsa\"\n");
  write("second.wsa", ".include \"first.wsa\"\n.include \"first.wsa\"\n");
  expect_refusal("first.wsa", "error[E103]: 'first.wsa' includes itself");
}

TEST_F(Hostile, FilesThatDoubleThemselves) {
  constexpr int kFiles = 31;
  for (int k = 0; k < kFiles; ++k) {
    write("f" + std::to_string(k), repeated(".include \"f" + std::to_string(k + 1) + "\"\n", 2));
  }
  write("f31", "; the end\n");
  expect_refusal("f0", "error[E001]: the source has ");
}

std::string macro(const std::string& name, const std::string& body) {
  return ".macro " + name + "(a)\n" + repeated("  " + body + " a\n", 2) + ".end\n";
}

TEST_F(Hostile, MacrosThatUseThemselvesOrDouble) {
  const std::string program = ".grid 1, 1\n.program p\n  task main:\n    m0 1\n";
  write("loop.wsa", macro("m0", "m0") + program);
  expect_refusal("loop.wsa", "error[E115]: macro 'm0' uses itself");
  std::string macros;
  for (int k = 0; k < 31; ++k) {
    macros += macro("m" + std::to_string(k), "m" + std::to_string(k + 1));
  }
  write("double.wsa", macros + macro("m31", "mov32 r1,") + program);
  expect_refusal(
      "double.wsa",
      "error[E117]: macros, loops of `.for` and programs with constants make more than 1000000");
}

TEST_F(Hostile, AnArrayOfABillion) {
  write("array.wsa",
        ".grid 1, 1\n.program p\n  .f32 v[1000000000] = i\n  task main:\n    halt\n"
        ".place p at (0, 0)\n");
  expect_refusal("array.wsa", "error[E084]: program 'p' takes 4000000020 bytes");
}

TEST_F(Hostile, Noise) {
  std::mt19937 random(1);
  std::string noise(10'000'000, '\0');
  for (char& c : noise) c = static_cast<char>(random());
  write("noise.wsa", noise);
  expect_refusal("noise.wsa", "noise.wsa:1:1: error[E0");
  write("noise.wsb", "wsevm\r\n\x1a" + noise);
  expect_refusal("noise.wsb", "noise.wsb: the image has format version ");
}

}  // namespace
}  // namespace wse
