// Programs and owners for tests of the C library.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "vm/library/wsevm.h"

namespace wse::test_library {

// Four PEs in a row: y_out = 2 x_in + 1. `table` has two dimensions, `total` none; `hidden` is not
// exported. Each PE prints a line.
inline constexpr const char* kRow = R"(.const W = 4
.const B = 3
.grid W, 1
.program p
  .f32 x_in[B] exported
  .f32 y_out[B] exported
  .i16 small[2] exported = x * 10 + i
  .i32 table[2, 3] exported = i
  .f32 total exported
  .i32 hidden = 7
  task main:
    mark begin
    fadds y_out, x_in, x_in
    fadds y_out, y_out, 1.0
    mov32 hidden, 9
    print "done"
    mark end
.place p at (0..W - 1, 0)
)";

// Runs for hours.
inline constexpr const char* kEndless = R"(.grid 1, 1
.program p
  .i32 n exported
  task main:
  again:
    add32 n, n, 1
    bge n, 0, again
.place p at (0, 0)
)";

// Waits for words that nobody sends.
inline constexpr const char* kDeadlock = R"(.grid 2, 1
.colour red
.program p
  .f32 v[4] exported
  task main:
    fmovs v, fabin(red)
.place p at (0, 0)
.route red at (0, 0): east -> ramp
)";

// Two PEs whose sums begin at 100; each launch of step adds to them.
inline constexpr const char* kLaunched = R"(.grid 2, 1
.program p
  .f32 sum exported
  .f32 first
  .reg r, n, more
  task main:
    fmovs first, 100.0
    fmovs sum, first
  task step exported (n: i32, more: f32):
    xp322fs r, n
    fadds r, r, more
    fadds sum, sum, r
.place p at (0..1, 0)
)";

// A program that is freed at the end.
class TestProgram {
 public:
  explicit TestProgram(const char* text, const char* machine = "wse2",
                       const char* const* values = nullptr) {
    EXPECT_EQ(wsevm_program_load("row.wsa", text, machine, values, &handle_), WSEVM_OK)
        << wsevm_error_text();
  }
  TestProgram(const TestProgram&) = delete;
  TestProgram& operator=(const TestProgram&) = delete;
  ~TestProgram() { wsevm_program_free(handle_); }
  wsevm_program handle() const { return handle_; }

 private:
  wsevm_program handle_ = 0;
};

// A machine that is freed at the end of its scope.
class TestMachine {
 public:
  explicit TestMachine(const char* text, std::vector<const char*> options = {}) : program_(text) {
    options.push_back(nullptr);
    EXPECT_EQ(wsevm_machine_new(program_.handle(), options.data(), &handle_), WSEVM_OK)
        << wsevm_error_text();
  }
  TestMachine(const TestMachine&) = delete;
  TestMachine& operator=(const TestMachine&) = delete;
  ~TestMachine() { wsevm_machine_free(handle_); }
  wsevm_machine handle() const { return handle_; }

 private:
  TestProgram program_;
  wsevm_machine handle_ = 0;
};

// Lets scripts find the library of Lua: the test does not lie where wsevm looks for it.
inline void use_data_of_checkout() { ::setenv("WSEVM_DATA", WSE_SOURCE_DIR, 1); }

// Returns a text of the library as a string, and frees it.
inline std::string taken(char* text) {
  const std::string copy = text == nullptr ? "" : text;
  wsevm_free(text);
  return copy;
}

// Expects that the last call failed with the code, and that its text has these words.
inline void expect_error(int code, int expected, const std::string& words) {
  EXPECT_EQ(code, expected) << wsevm_error_text();
  EXPECT_NE(std::string(wsevm_error_text()).find(words), std::string::npos) << wsevm_error_text();
}

}  // namespace wse::test_library
