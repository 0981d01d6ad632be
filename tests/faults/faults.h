// What the tests of this area share: a folder, wsevm in it, and what a whole file of each kind is.
#pragma once

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "tests/support/child.h"

namespace wse::faults {

namespace fs = std::filesystem;
using test_support::ChildSetup;
using test_support::Ending;
using test_support::Stream;

// A kind of output file: the words that ask for one named FILE, and how to tell a whole one.
struct OutputKind {
  std::string name;
  std::vector<std::string> words;
  bool (*is_whole)(const std::string& bytes);
};

// One of each: array, picture, record, trace, graph of waits, image.
std::span<const OutputKind> output_kinds();

// Whether every line is a JSON object and ends.
bool is_json(const std::string& text);
bool is_trace(const std::string& text);

// The member "status" or "message" of a record; empty if it has none.
std::string record_member(const std::string& record, const std::string& member);
// A number of a record as text; empty if it has none of that name.
std::string record_number(const std::string& record, const std::string& member);

class Faults : public ::testing::Test {
 protected:
  fs::path path(const std::string& name) const { return folder_.path() / name; }
  void write(const std::string& name, std::string_view text) const {
    test_support::write_text(path(name), text);
  }
  std::string read(const std::string& name) const { return test_support::read_text(path(name)); }
  // Names in the folder, temporaries too, sorted.
  std::vector<std::string> names() const;

  Ending wsevm(const std::vector<std::string>& arguments, ChildSetup setup = {}) const {
    setup.folder = folder_.path();
    return test_support::run_wsevm(arguments, setup);
  }
  // wsevm with a small program, made to write one output of the kind to `file`.
  Ending write_output(const OutputKind& kind, const std::string& file,
                      const ChildSetup& setup = {}) const;

  // One message on stderr, which contains `part`.
  static void expect_message(const Ending& ending, const std::string& part);

 private:
  test_support::ScratchFolder folder_;
};

// Two PEs; the first sends its array x to y of the second. Runs 1000 cycles and more on wse2.
extern const std::string kProgram;
// Never ends, and says so all the time to the trace.
extern const std::string kEndless;

}  // namespace wse::faults
