// An orderly tree of files in a scratch folder, and what the lint says of it after a change.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/lint/lint.h"
#include "tests/support/files.h"

namespace wse::lint {

inline constexpr std::string_view kComment = "// A file.\n";
inline constexpr std::string_view kHeaderStart = "// A file.\n#pragma once\n";

inline const std::string kFloorsOfIsa =
    "Floors:\n\n    isa/image  x\n    isa/formula\n    isa/semantics\n    isa/descriptor\n"
    "    isa/machine\n    isa/instruction\n    isa/support\n";
inline const std::string kFloorsOfAsm =
    "Floors:\n\n    asm/warnings  x\n    asm/mesh\n    asm/code\n    asm/program\n    asm/names\n"
    "    asm/syntax\n    asm/text\n";
inline const std::string kFloorsOfVm =
    "Floors:\n\n    vm/page\n    vm/timeline\n    vm/checkpoint\n    vm/profile\n    "
    "vm/events\n    vm/path\n    "
    "vm/session\n    "
    "vm/run\n    "
    "vm/report\n    "
    "vm/strips\n    "
    "vm/processes\n    vm/planes\n    vm/stepper\n    "
    "vm/pe\n"
    "    vm/ledger\n    vm/contract\n    vm/load\n    vm/numpy\n    vm/support\n";

class LintTest : public testing::Test {
 protected:
  void write(const std::string& path, std::string_view text) {
    test_support::write_text(scratch_.path() / path, text);
  }

  void write_header(const std::string& path, std::string_view rest) {
    write(path, std::string(kHeaderStart) + std::string(rest));
  }

  void write_source(const std::string& path, std::string_view rest) {
    write(path, std::string(kComment) + std::string(rest));
  }

  // "file:line: message" of everything found.
  std::vector<std::string> found() {
    std::vector<std::string> texts;
    for (const auto& violation : lint_tree(scratch_.path())) {
      texts.push_back(fmt::format("{}:{}: {}", violation.file, violation.line, violation.message));
    }
    return texts;
  }

  // Leaves out what it says of READMEs: an include may change what their pictures must show.
  std::vector<std::string> found_in_code() {
    std::vector<std::string> texts = found();
    std::erase_if(texts, [](const std::string& text) { return text.contains("README.md:"); });
    return texts;
  }

  void expect_only(const std::string& text) { EXPECT_EQ(found(), std::vector{text}); }

  void SetUp() override {
    for (const char* room : {"vm/cli", "jit", "tests"}) {
      write(std::string(room) + "/README.md", "A room.\n");
    }
    write("isa/README.md", kFloorsOfIsa);
    write("asm/README.md", kFloorsOfAsm);
    write("vm/README.md", kFloorsOfVm);
    write_header("isa/instruction/codec.h", "");
    write_header("asm/syntax/parser.h", "#include \"isa/instruction/codec.h\"\n");
    write_header("asm/assembler.h", "#include \"asm/syntax/parser.h\"\n");
    write_header("vm/pe/core.h", "#include \"isa/instruction/codec.h\"\n");
    write_header("jit/engine.h", "#include \"vm/pe/core.h\"\n");
    write_source("vm/cli/main.cpp",
                 "#include <vector>\n#include \"jit/engine.h\"\n#include \"asm/assembler.h\"\n");
    write_source("tests/a_test.cpp", "#include \"vm/cli/npy.h\"\n");
  }

 private:
  test_support::ScratchFolder scratch_;
};

}  // namespace wse::lint
