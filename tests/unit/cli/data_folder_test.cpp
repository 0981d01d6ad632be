// The data folder: found by what surrounds the executable; inputs come from it only if the current
// folder has none.
#include "vm/front/data_folder.h"

#include <gtest/gtest.h>

#include "tests/support/files.h"

namespace wse::front {
namespace {

namespace fs = std::filesystem;

class DataFolder : public testing::Test {
 protected:
  // A file of the scratch folder, with its folders.
  fs::path make(const fs::path& file) const {
    test_support::write_text(top() / file, "");
    return top() / file;
  }
  const fs::path& top() const { return scratch_.path(); }

 private:
  test_support::ScratchFolder scratch_;
};

TEST_F(DataFolder, OfTheLibraryIsInItsTree) {
  make("p/share/wsevm/programs/hello/hello.wsa");
  EXPECT_EQ(data_folder_of(make("p/lib/libwsevm.so.0"), nullptr), top() / "p/share/wsevm");
  EXPECT_EQ(data_folder_of(make("p/lib/x86_64-linux-gnu/libwsevm.so.0"), nullptr),
            top() / "p/share/wsevm");
}

TEST_F(DataFolder, OfAnInstalledTreeIsBesideItsExecutable) {
  make("p/share/wsevm/programs/hello/hello.wsa");
  EXPECT_EQ(data_folder_of(make("p/bin/wsevm"), nullptr), top() / "p/share/wsevm");
}

TEST_F(DataFolder, OfACheckoutIsItsTop) {
  make("checkout/programs/hello/hello.wsa");
  EXPECT_EQ(data_folder_of(make("checkout/build/wsevm"), nullptr), top() / "checkout");
  EXPECT_EQ(data_folder_of(make("checkout/build/debug/wsevm"), nullptr), top() / "checkout");
  EXPECT_EQ(data_folder_of(make("checkout/build/debug/x/wsevm"), nullptr), fs::path());
}

TEST_F(DataFolder, TheInstalledOneGoesBeforeAnythingAbove) {
  make("p/programs/hello/hello.wsa");
  make("p/share/wsevm/programs/hello/hello.wsa");
  EXPECT_EQ(data_folder_of(make("p/bin/wsevm"), nullptr), top() / "p/share/wsevm");
}

TEST_F(DataFolder, TheEnvironmentGoesBeforeBoth) {
  make("p/share/wsevm/programs/hello/hello.wsa");
  const fs::path executable = make("p/bin/wsevm");
  EXPECT_EQ(data_folder_of(executable, "/elsewhere"), "/elsewhere");
  EXPECT_EQ(data_folder_of(executable, ""), top() / "p/share/wsevm");
}

TEST_F(DataFolder, MayBeMissing) {
  EXPECT_EQ(data_folder_of(make("p/bin/wsevm"), nullptr), fs::path());
  EXPECT_EQ(data_folder_of({}, nullptr), fs::path());
}

TEST_F(DataFolder, HoldsInputsThatTheCurrentFolderHasNot) {
  const fs::path file = make("data/only_in_the_data_folder/a.wsa");
  EXPECT_EQ(find_input("only_in_the_data_folder/a.wsa", top() / "data"), file.string());
}

TEST_F(DataFolder, IsNotAskedForPathsThatSayWhereTheyStart) {
  make("data/a.wsa");
  EXPECT_EQ(find_input("./a.wsa", top() / "data"), "./a.wsa");
  EXPECT_EQ(find_input("../a.wsa", top() / "data"), "../a.wsa");
  EXPECT_EQ(find_input("/a.wsa", top() / "data"), "/a.wsa");
  EXPECT_EQ(find_input("-", top() / "data"), "-");
}

TEST_F(DataFolder, GoesBehindTheCurrentFolder) {
  const fs::path before = fs::current_path();
  make("data/a.wsa");
  make("here/a.wsa");
  fs::current_path(top() / "here");
  EXPECT_EQ(find_input("a.wsa", top() / "data"), "a.wsa");
  fs::current_path(before);
}

TEST_F(DataFolder, AFailureSaysWhereAFileWasLookedFor) {
  make("data/folder/a.wsa");
  for (const std::string file : {"no_such_file.wsa", "folder"}) {
    const Outcome<std::string> found = find_input(file, top() / "data");
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().message, "cannot read " + file +
                                         ": it is neither in the current folder nor in " +
                                         (top() / "data").string());
    EXPECT_EQ(found.error().code, ExitCode::BadInput);
  }
}

TEST_F(DataFolder, WithoutOneTheReaderSpeaks) {
  EXPECT_EQ(find_input("no_such_file.wsa", {}), "no_such_file.wsa");
}

}  // namespace
}  // namespace wse::front
