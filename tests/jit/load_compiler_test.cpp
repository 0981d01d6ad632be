// Where is the compiler's module looked for? Beside the real executable or in its install tree.
#include "jit/load_compiler.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/support/files.h"

namespace wse::jit {
namespace {

namespace fs = std::filesystem;
using Files = std::vector<fs::path>;

TEST(LoadCompiler, LooksWhereTheExecutableLies) {
  EXPECT_EQ(module_files_of({"/c/build/wsevm"}, nullptr), Files{"/c/build/wsevm-jit.so"});
  EXPECT_EQ(module_files_of({"/c/build/debug/wsevm"}, ""), Files{"/c/build/debug/wsevm-jit.so"});
  const Files installed = module_files_of({"/opt/x/bin/wsevm"}, nullptr);
  ASSERT_EQ(installed.size(), 2u);
  EXPECT_TRUE(installed[0].native().starts_with("/opt/x/lib")) << installed[0];
  EXPECT_EQ(installed[1], "/opt/x/bin/wsevm-jit.so");
  EXPECT_EQ(module_files_of({"/usr/bin/wsevm"}, "/m.so"), Files{"/m.so"});
}

TEST(LoadCompiler, LooksWhereTheLibraryLies) {
  EXPECT_EQ(module_files_of({"/opt/x/lib/libwsevm.so.0", true}, nullptr),
            (Files{"/opt/x/lib/wsevm/wsevm-jit.so", "/opt/x/lib/wsevm-jit.so"}));
  EXPECT_EQ(module_files_of({"/opt/x/lib/libwsevm.so.0", true}, "/m.so"), Files{"/m.so"});
}

TEST(LoadCompiler, NeverLooksFromTheCurrentFolder) {
  EXPECT_EQ(module_files_of({""}, nullptr), Files{});
  EXPECT_EQ(module_files_of({"build/wsevm"}, nullptr), Files{});
  for (const fs::path& file : module_files()) EXPECT_TRUE(file.is_absolute()) << file;
}

class ChosenModule : public testing::Test {
 protected:
  ~ChosenModule() override { unsetenv("WSEVM_JIT"); }
  static std::string error_with(const std::string& file) {
    setenv("WSEVM_JIT", file.c_str(), 1);
    const auto loaded = load_compiler({});
    return loaded ? "" : loaded.error();
  }
};

TEST_F(ChosenModule, HasAnAbsolutePath) {
  EXPECT_TRUE(error_with("wsevm-jit.so").contains("WSEVM_JIT must be an absolute path"));
  EXPECT_TRUE(error_with("./wsevm-jit.so").contains("WSEVM_JIT must be an absolute path"));
  EXPECT_EQ(error_with(WSE_BINARY_DIR "/wsevm-jit.so"), "");
}

// As a script would make it: the right bytes, without an x bit.
TEST_F(ChosenModule, HasAnXBit) {
  const test_support::ScratchFolder scratch;
  const fs::path file = scratch.path() / "wsevm-jit.so";
  fs::copy_file(WSE_BINARY_DIR "/wsevm-jit.so", file);
  EXPECT_EQ(error_with(file), "");
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_TRUE(error_with(file).contains("it has no x bit, which a build gives it")) << file;
  fs::create_symlink(file, scratch.path() / "link.so");
  EXPECT_TRUE(error_with(scratch.path() / "link.so").contains("it has no x bit"));
}

}  // namespace
}  // namespace wse::jit
