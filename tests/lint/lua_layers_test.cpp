// Every arrow of Lua's require that is forbidden is drawn once in a small tree.
// Must never depend on the real scripts: the test lint.tree looks at those.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/lint/lint.h"
#include "tests/support/files.h"

namespace wse::lint {
namespace {

class LuaLayersTest : public testing::Test {
 protected:
  void add(const std::string& path, const std::string& text) {
    files_.push_back({path, test_support::split_lines(text)});
  }
  std::vector<std::string> found() {
    Violations violations;
    check_lua_layers(files_, violations);
    std::vector<std::string> texts;
    for (const Violation& violation : violations) {
      texts.push_back(fmt::format("{}:{}: {}", violation.file, violation.line, violation.message));
    }
    return texts;
  }
  // The module `upper` may require `lower`, and never the other way.
  void expect_floors(const std::string& lower, const std::string& upper) {
    const std::string low = "scripts/" + lower + ".lua";
    const std::string high = "scripts/" + upper + ".lua";
    files_.clear();
    add(low, "");
    add(high, require(lower));
    EXPECT_EQ(found(), std::vector<std::string>()) << upper;
    files_.clear();
    add(low, "-- A file.\n" + require(upper));
    add(high, "");
    EXPECT_EQ(found(), std::vector{fmt::format("{}:2: must not require '{}': {} is no lower floor",
                                               low, module(upper), high)});
  }

 private:
  static std::string module(std::string path) {
    std::ranges::replace(path, '/', '.');
    return path;
  }
  static std::string require(const std::string& path) {
    return "local one = require \"" + module(path) + "\"\n";
  }

  std::vector<TextFile> files_;
};

TEST_F(LuaLayersTest, AFloorRequiresOnlyThoseBelowIt) {
  expect_floors("mach/paint/init", "mach/kernels/text");
  expect_floors("mach/kernels/text", "mach/message/called");
  expect_floors("mach/message/called", "mach/vm/worker");
  expect_floors("mach/vm/worker", "mach/lib/control");
  expect_floors("mach/lib/control", "mach/lang/slice");
  expect_floors("mach/lang/slice", "mach/memory/plan");
  expect_floors("mach/memory/plan", "mach/lower/wafer");
  expect_floors("mach/lower/wafer", "mach/program");
  expect_floors("mach/program", "mach/init");
  expect_floors("mach/init", "mach/problems/cg");
  expect_floors("mach/problems/cg", "mach/study/timeline");
  expect_floors("mach/study/timeline", "mach/studies");
  expect_floors("collectives/lib/trees", "collectives/planner/tree");
  expect_floors("collectives/planner", "collectives/patterns/own");
  expect_floors("collectives/patterns/own", "collectives/model/exact");
  expect_floors("collectives/model", "collectives/operations/flood");
  expect_floors("collectives/operations/flood", "collectives/broadcast");
  expect_floors("collectives/broadcast", "collectives/study/points");
  expect_floors("collectives/study/points", "collectives/figure11");
  for (const std::string folder : {"alltoall", "gemm", "stencil"}) {
    expect_floors(folder + "/lib/requests", folder + "/study/points");
    expect_floors(folder + "/study/points", folder + "/times");
  }
  expect_floors("wse/plot/svg", "wse/layout/picture");
  expect_floors("wse/layout/picture", "wse/sweep");
}

TEST_F(LuaLayersTest, AFolderRequiresOnlyWhatItIsFor) {
  expect_floors("wse/init", "support/command");
  expect_floors("support/command", "collectives/lib/command");
  expect_floors("collectives/lib/elements", "alltoall/lib/elements");
  expect_floors("wse/init", "examples/heat");
}

TEST_F(LuaLayersTest, NamesThatAreShortOrPutTogetherCount) {
  add("scripts/examples/lib/neighbours.lua", "");
  add("scripts/examples/heat.lua", "local neighbours = require 'lib.neighbours'\n");
  add("scripts/mach/problems/cg.lua", "");
  add("scripts/mach/study/language.lua", "local one = require(\"mach.problems.\" .. name)\n");
  EXPECT_EQ(found(), std::vector<std::string>());
  add("scripts/mach/lang/slice.lua", "local one = require(\"mach.problems.\" .. name)\n");
  EXPECT_EQ(found(), std::vector<std::string>{
                         "scripts/mach/lang/slice.lua:1: must not require 'mach.problems.': "
                         "scripts/mach/problems/ is no lower floor"});
}

TEST_F(LuaLayersTest, OnlyCodeThatRequiresCounts) {
  add("scripts/mach/studies.lua", "");
  add("scripts/mach/lang/slice.lua",
      "-- require \"mach.studies\"\nlocal host = require \"wse.host\"\nrequired \"mach.studies\"\n"
      "require(part)\n");
  EXPECT_EQ(found(), std::vector<std::string>());
}

TEST_F(LuaLayersTest, AModuleExistsAndLiesInAFolder) {
  add("scripts/gemm/gemm.lua", "require \"gemm.lib.lost\"\n");
  EXPECT_EQ(found(), std::vector<std::string>{
                         "scripts/gemm/gemm.lua:1: there is no module 'gemm.lib.lost'"});
  add("scripts/gemm/lib/lost.lua", "");
  add("scripts/other/a.lua", "");
  EXPECT_EQ(found(), std::vector<std::string>{
                         "scripts/other/a.lua:1: Lua outside the folders of scripts/ that have "
                         "floors"});
}

TEST_F(LuaLayersTest, RequiresDoNotGoRound) {
  add("scripts/gemm/lib/a.lua", "require \"gemm.lib.b\"\n");
  add("scripts/gemm/lib/b.lua", "\nrequire \"gemm.lib.a\"\n");
  EXPECT_EQ(found(), std::vector<std::string>{
                         "scripts/gemm/lib/b.lua:2: require circle: scripts/gemm/lib/a.lua -> "
                         "scripts/gemm/lib/b.lua -> scripts/gemm/lib/a.lua"});
}

}  // namespace
}  // namespace wse::lint
