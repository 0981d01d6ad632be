// Which room may include which: each arrow that is forbidden is planted and found.
#include "tests/lint/floors.h"
#include "tests/lint/lint_fixture.h"

namespace wse::lint {
namespace {

TEST_F(LintTest, VmMustNotSeeAsm) {
  write_source("vm/a.cpp", "#include \"asm/syntax/parser.h\"\n");
  expect_only("vm/a.cpp:2: vm must not include \"asm/syntax/parser.h\"");
}

TEST_F(LintTest, CoresAndTransportsDoNotSeeEachOther) {
  const std::vector<std::string> rooms = {"vm/pe", "vm/stepper", "vm/planes", "vm/planes/bits"};
  for (const std::string& room : rooms) {
    for (const std::string other : {"vm/pe", "vm/stepper", "vm/planes"}) {
      if (room.starts_with(other)) continue;
      write_header(other + "/a.h", "");
      write_source(room + "/a.cpp", "#include \"" + other + "/a.h\"\n");
      EXPECT_EQ(found_in_code(),
                std::vector{
                    fmt::format("{}/a.cpp:2: {} must not include \"{}/a.h\"", room, room, other)});
    }
    write_source(room + "/a.cpp", "");
  }
}

TEST_F(LintTest, AsmMustNotSeeVm) {
  write_source("asm/a.cpp", "#include \"vm/pe/core.h\"\n");
  expect_only("asm/a.cpp:2: asm must not include \"vm/pe/core.h\"");
}

TEST_F(LintTest, IsaSeesNobody) {
  write_source("isa/a.cpp", "\n  #  include \"vm/pe/core.h\"\n");
  expect_only("isa/a.cpp:3: isa must not include \"vm/pe/core.h\"");
}

TEST_F(LintTest, AFloorSeesOnlyThoseBelowIt) {
  const auto goes_up = [&](const std::string& lower, const std::string& upper) {
    write_header(upper + "/up.h", "");
    write_source(lower + "/a.cpp", "#include \"" + upper + "/up.h\"\n");
    EXPECT_EQ(found_in_code(),
              std::vector{
                  fmt::format("{}/a.cpp:2: {} must not include \"{}/up.h\"", lower, lower, upper)});
    write_source(lower + "/a.cpp", "");
    write_header(lower + "/down.h", "");
    write_source(upper + "/a.cpp", "#include \"" + lower + "/down.h\"\n");
    EXPECT_EQ(found_in_code(), std::vector<std::string>());
  };
  for (const Building& building : buildings()) {
    for (std::size_t k = 1; k < building.floors.size(); ++k) {
      for (const std::string_view upper : building.floors[k]) {
        goes_up(std::string(building.floors[k - 1].front()), std::string(upper));
      }
    }
    const std::string folder(building.folder);
    goes_up(std::string(building.floors.back().front()), folder);
  }
}

TEST_F(LintTest, AReadmeShowsTheFloorsInTheirOrder) {
  std::string swapped = kFloorsOfIsa;
  swapped.replace(swapped.find("isa/formula"), 11, "isa/support");
  for (const std::string& text :
       {std::string("Nothing.\n"), swapped, kFloorsOfIsa + kFloorsOfIsa}) {
    write("isa/README.md", text);
    expect_only(
        "isa/README.md:1: its picture of the floors must have a line for each, in this order: "
        "isa/image, isa/formula, isa/semantics, isa/descriptor, isa/machine, isa/instruction, "
        "isa/support");
  }
}

TEST_F(LintTest, APictureOfFloorsShowsWhatTheIncludesDo) {
  write_header("vm/support/time.h", "");
  write_header("vm/load/loaded.h", "#include \"vm/support/time.h\"\n");
  write_header("vm/pe/core.h", "#include \"vm/load/loaded.h\"\n#include \"vm/support/time.h\"\n");
  const auto with_arrows = [](std::string picture, std::string_view of_pe) {
    picture.replace(picture.find("vm/load\n"), 8, "vm/load    -> support\n");
    return picture.replace(picture.find("vm/pe\n"), 6, fmt::format("vm/pe  {}\n", of_pe));
  };
  write("vm/README.md", with_arrows(kFloorsOfVm, " -> load support"));
  EXPECT_EQ(found(), std::vector<std::string>());
  for (const std::string_view wrong :
       {"", " -> load", " -> support load", " -> load support isa"}) {
    write("vm/README.md", with_arrows(kFloorsOfVm, wrong));
    expect_only(
        "vm/README.md:1: its picture must say 'vm/pe -> load support', which the includes do");
  }
}

TEST_F(LintTest, OutsideOnlyTestsLookIntoTheAssembler) {
  write_source("tests/a.cpp", "#include \"asm/syntax/parser.h\"\n");
  EXPECT_EQ(found(), std::vector<std::string>());
  write_source("vm/cli/a.cpp", "#include \"asm/syntax/parser.h\"\n");
  expect_only("vm/cli/a.cpp:2: vm/cli must not include \"asm/syntax/parser.h\"");
}

TEST_F(LintTest, VmMustNotSeeJit) {
  write_source("vm/a.cpp", "#include \"jit/engine.h\"\n");
  expect_only("vm/a.cpp:2: vm must not include \"jit/engine.h\"");
}

TEST_F(LintTest, NobodySeesTheExecutableOrTheTests) {
  write_source("vm/a.cpp", "#include \"vm/cli/npy.h\"\n");
  expect_only("vm/a.cpp:2: vm must not include \"vm/cli/npy.h\"");
  write_source("vm/a.cpp", "");
  write_source("vm/cli/a.cpp", "#include \"tests/lint/lint.h\"\n");
  expect_only("vm/cli/a.cpp:2: vm/cli must not include \"tests/lint/lint.h\"");
}

TEST_F(LintTest, ScriptsHostSeesNoJit) {
  write("scripts/README.md", "A folder.\n");
  write("scripts/host/README.md", "A room.\n");
  write_source("scripts/host/a.cpp", "#include \"asm/assembler.h\"\n#include \"jit/engine.h\"\n");
  expect_only("scripts/host/a.cpp:3: scripts/host must not include \"jit/engine.h\"");
}

TEST_F(LintTest, TheOracleSharesOnlyData) {
  write_source("tests/oracle/a.cpp",
               "#include \"isa/image/image.h\"\n#include \"isa/semantics/alu.h\"\n");
  expect_only("tests/oracle/a.cpp:3: tests/oracle must not include \"isa/semantics/alu.h\"");
  write_source("tests/oracle/a.cpp", "#include \"vm/pe/core.h\"\n");
  expect_only("tests/oracle/a.cpp:2: tests/oracle must not include \"vm/pe/core.h\"");
}

TEST_F(LintTest, TheOracleComputesFloatsItself) {
  write_header("tests/support/soft_float.h", "");
  write_header("tests/support/simulation.h", "#include \"vm/pe/core.h\"\n");
  write_source("tests/oracle/a.cpp", "#include \"tests/support/soft_float.h\"\n");
  EXPECT_TRUE(found().empty());
  write_source("tests/oracle/a.cpp", "#include \"tests/support/simulation.h\"\n");
  expect_only("tests/oracle/a.cpp:2: tests/oracle must not include \"tests/support/simulation.h\"");
}

TEST_F(LintTest, TheOracleReachesNoMeaningThroughOthers) {
  write_header("isa/image/image.h", "#include \"isa/formula/walk.h\"\n");
  write_header("isa/formula/walk.h", "#include \"isa/semantics/alu.h\"\n");
  write_source("tests/oracle/a.cpp", "#include \"isa/image/image.h\"\n");
  expect_only(
      "tests/oracle/a.cpp:2: tests/oracle reaches isa/semantics through \"isa/image/image.h\"");
}

TEST_F(LintTest, IncludesAreRootedAndQuoted) {
  write_source("vm/a.cpp", "#include \"core.h\"\n");
  expect_only("vm/a.cpp:2: include \"core.h\" is not rooted at a room");
  write_source("vm/a.cpp", "#include \"vm/../asm/syntax/parser.h\"\n");
  expect_only("vm/a.cpp:2: include \"vm/../asm/syntax/parser.h\" is not rooted at a room");
  write_source("vm/a.cpp", "#include <isa/instruction/codec.h>\n");
  expect_only("vm/a.cpp:2: include of <isa/instruction/codec.h>: a room's header takes quotes");
}

TEST_F(LintTest, IncludesDoNotGoRound) {
  write_header("vm/a.h", "#include \"vm/b.h\"\n");
  write_header("vm/b.h", "#include \"vm/c.h\"\n");
  write_header("vm/c.h", "#include \"vm/a.h\"\n");
  expect_only("vm/c.h:3: include circle: vm/a.h -> vm/b.h -> vm/c.h -> vm/a.h");
}

}  // namespace
}  // namespace wse::lint
