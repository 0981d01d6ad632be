// The list of inputs: what it knows, whatever it is called, and what it lets outputs replace.
#include "isa/support/input_list.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "isa/support/atomic_file.h"
#include "isa/support/output_file.h"
#include "tests/support/files.h"

namespace wse::isa {
namespace {

namespace fs = std::filesystem;

class Inputs : public testing::Test {
 protected:
  Inputs() { test_support::write_text(path("in"), "old"); }

  std::string path(const std::string& name) const { return scratch_.path() / name; }
  std::string read(const std::string& name) const { return test_support::read_text(path(name)); }
  OpenFile folder() const { return open_folder(AT_FDCWD, scratch_.path().string(), true); }

  std::expected<void, FileError> write(const std::string& name) {
    const std::string text = "new";
    return write_whole_file(path(name), inputs, std::as_bytes(std::span(text)));
  }

  InputList inputs;

 private:
  test_support::ScratchFolder scratch_;
};

TEST_F(Inputs, AreNotReplacedByAnyName) {
  fs::create_hard_link(path("in"), path("hard"));
  fs::create_symlink("in", path("soft"));
  ASSERT_TRUE(read_whole_file(path("in"), inputs));
  for (const char* const name : {"in", "hard", "soft", "./in"}) {
    const auto written = write(name);
    ASSERT_FALSE(written) << name;
    EXPECT_FALSE(written.error().exhausted);
    EXPECT_TRUE(written.error().message.contains("this command reads it")) << name;
    EXPECT_FALSE(check_output(path(name), inputs)) << name;
    EXPECT_EQ(read("in"), "old") << name;
  }
  EXPECT_TRUE(write("other"));
}

TEST_F(Inputs, AreNotReplacedInAFolderThatIsOpen) {
  ASSERT_TRUE(inputs.open_in(folder(), "in", "in").valid());
  EXPECT_FALSE(OutputFile::open_in(folder(), "in", "in", inputs));
  EXPECT_FALSE(append_in(folder(), "in", "in", inputs, {}));
  EXPECT_EQ(read("in"), "old");
}

TEST_F(Inputs, AreKnownBeforeTheyAreOpened) {
  inputs.expect(path("in"));
  inputs.expect(path("none"));
  EXPECT_FALSE(write("in"));
  EXPECT_TRUE(write("none"));
}

TEST_F(Inputs, AreReadThroughALinkAsWell) {
  fs::create_symlink("in", path("soft"));
  ASSERT_TRUE(read_whole_file(path("soft"), inputs));
  EXPECT_EQ(write("in").error().message, "cannot write '" + path("in") +
                                             "': this command reads it, as '" + path("soft") +
                                             "'; give the output a file of its own");
}

TEST_F(Inputs, WhatTheCommandHasWrittenIsNone) {
  ASSERT_TRUE(write("own"));
  ASSERT_TRUE(read_whole_file(path("own"), inputs));
  EXPECT_TRUE(write("own"));
  ASSERT_TRUE(append_in(folder(), "grown", "grown", inputs, {}));
  ASSERT_TRUE(read_whole_file(path("grown"), inputs));
  EXPECT_TRUE(append_in(folder(), "grown", "grown", inputs, {}));
}

TEST_F(Inputs, WhatIsContinuedIsNone) {
  ASSERT_TRUE(inputs.open_to_continue(folder(), "in", "in"));
  ASSERT_TRUE(read_whole_file(path("in"), inputs));
  EXPECT_TRUE(append_in(folder(), "in", "in", inputs, {}));
  EXPECT_TRUE(write("in"));
  EXPECT_EQ(read("in"), "new");
}

TEST_F(Inputs, WhatAScriptHasLookedIntoIsContinued) {
  ASSERT_TRUE(inputs.open_in(folder(), "in", "in").valid());
  ASSERT_TRUE(inputs.open_to_continue(folder(), "in", "in"));
  EXPECT_TRUE(write("in"));
}

TEST_F(Inputs, WhatTheCommandReadsIsNotContinued) {
  ASSERT_TRUE(inputs.open_in(folder(), "in", "in").valid());
  ASSERT_TRUE(read_whole_file(path("in"), inputs));
  EXPECT_FALSE(inputs.open_to_continue(folder(), "in", "in"));
  EXPECT_FALSE(write("in"));
}

TEST_F(Inputs, DevicesAreOnNoList) {
  inputs.expect("/dev/null");
  EXPECT_TRUE(inputs.open("/dev/null").valid());
  EXPECT_TRUE(write_whole_file("/dev/null", inputs, {}));
}

TEST_F(Inputs, NewsOfAnotherProcess) {
  InputList parent;
  test_support::write_text(path("before"), "");
  ASSERT_TRUE(read_whole_file(path("before"), inputs));
  EXPECT_EQ(inputs.take_news().size(), 1u);
  EXPECT_TRUE(inputs.take_news().empty());
  ASSERT_TRUE(read_whole_file(path("in"), inputs));
  ASSERT_TRUE(write("own"));
  parent.merge(inputs.take_news());
  EXPECT_FALSE(check_output(path("in"), parent));
  ASSERT_TRUE(read_whole_file(path("own"), parent));
  EXPECT_TRUE(check_output(path("own"), parent));
  EXPECT_TRUE(check_output(path("before"), parent));
}

}  // namespace
}  // namespace wse::isa
