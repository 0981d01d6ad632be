// .include: which file is meant, what lines and diagnostics say, and that nothing loops for ever.
#include "tests/unit/asm/support.h"

namespace wse::assembler {
namespace {

using Files = std::map<std::string, std::string>;

Output assemble_files(std::string_view text, const Files& files, const std::string& path = "",
                      const std::vector<std::string>& folders = {}) {
  return assemble({"main.wsa", std::string(text)}, {.overrides = {},
                                                    .profile = *isa::find_profile("wse2"),
                                                    .path = path,
                                                    .include_folders = folders,
                                                    .load = loader_of(files)});
}

std::string errors_in(std::string_view text, const Files& files) {
  const Output output = assemble_files(text, files, "main.wsa");
  EXPECT_NE(output.image.has_value(), isa::has_errors(output.diagnostics));
  return isa::to_text(output.diagnostics, output.files);
}

constexpr std::string_view kMain =
    ".grid 1, 1\n.include \"lib/code.wsa\"\n.place p at (0, 0)\n.expect n at (0, 0) == 3\n";
const Files kLibrary = {
    {"lib/code.wsa", ".program p\n  .i32 n\n.include \"body.wsa\"\n  mov32 n, r1\n"},
    {"lib/body.wsa", "  task main:\n    mov32 r1, 3\n"}};

TEST(Include, StandsForItsLines) {
  const Output output = assemble_files(kMain, kLibrary);
  ASSERT_TRUE(output.image) << isa::to_text(output.diagnostics, output.files);
  const isa::Image& image = *output.image;
  EXPECT_EQ(image.programs.size(), 1u);
  EXPECT_EQ(image.sources, (Texts{"lib/code.wsa", "body.wsa", "main.wsa"}));
  const isa::Program& program = image.programs[0];
  EXPECT_EQ(image.place_text(program.symbols[0].where), "lib/code.wsa:2");
  EXPECT_EQ(image.place_text(program.line_of(0)), "body.wsa:2");
  EXPECT_EQ(image.place_text(program.line_of(1)), "lib/code.wsa:4");
  EXPECT_EQ(image.place_text(image.placements[0].where), "main.wsa:3");
  const Output again = assemble_text(isa::disassemble(image));
  ASSERT_TRUE(again.image);
  EXPECT_EQ(isa::write_image(*again.image), isa::write_image(image));
}

TEST(Include, LooksBesideTheFileAndThenInTheFolders) {
  const auto value = [](const std::string& path, const std::vector<std::string>& folders) {
    const Files files = {{"here/a.wsa", ".const A = 1\n"},
                         {"first/a.wsa", ".const A = 2\n"},
                         {"second/a.wsa", ".const A = 3\n"},
                         {"/top/a.wsa", ".const A = 4\n"},
                         {"a.wsa", ".const A = 5\n"}};
    const Output output = assemble_files(
        ".include \"a.wsa\"\n.grid A, 1\n.program p\n  task main:\n.place p at (0, 0)\n", files,
        path, folders);
    return output.image ? output.image->width : 0;
  };
  EXPECT_EQ(value("here/main.wsa", {"first", "second"}), 1u);
  EXPECT_EQ(value("there/main.wsa", {"none", "first", "second/"}), 2u);
  EXPECT_EQ(value("there/main.wsa", {"second", "first"}), 3u);
  EXPECT_EQ(value("/top/main.wsa", {}), 4u);
  EXPECT_EQ(value("there/../main.wsa", {}), 5u);
  EXPECT_EQ(value("", {}), 5u);
  EXPECT_EQ(value("there/main.wsa", {}), 0u);
}

TEST(Include, KeepsTheLinesOfLineDirectives) {
  const Output output = assemble_files(
      ".line 70 \"gen.lua\"\n.grid 1, 1\n.program p\n  task main:\n    mov32 r1, 1\n"
      ".include \"b.wsa\"\n    mov32 r1, 3\n.place p at (0, 0)\n",
      {{"b.wsa", "mov32 r1, 2\n"}});
  ASSERT_TRUE(output.image);
  const isa::Program& program = output.image->programs[0];
  EXPECT_EQ(output.image->place_text(program.line_of(0)), "gen.lua:70");
  EXPECT_EQ(output.image->place_text(program.line_of(1)), "b.wsa:1");
  EXPECT_EQ(output.image->place_text(program.line_of(2)), "gen.lua:70");
}

// `.line` gives all that follows one line, `.lines` counts; data and instructions alike.
TEST(Include, LinesOfLinesDirectivesCount) {
  const Output output = assemble_files(
      ".lines 5 \"row.lua(9)\"\n.grid 1, 1\n.program p\n  .i32 n[\n 2]\n  task main:\n"
      "    mov32 r1, 1\n.include \"b.wsa\"\n    mov32 r1, 3\n.line 4\n    mov32 r1, 4\n"
      "    mov32 r1, 5\n.lines 4294967295 \"z\"\n\n    mov32 r1, 6\n.place p at (0, 0)\n",
      {{"b.wsa", "    mov32 r1, 2\n"}});
  ASSERT_TRUE(output.image);
  const isa::Program& program = output.image->programs[0];
  const auto place = [&](std::uint32_t pc) {
    return output.image->place_text(program.line_of(pc));
  };
  EXPECT_EQ(output.image->place_text(program.symbols[0].where), "row.lua(9):7");
  EXPECT_EQ(place(0), "row.lua(9):10");
  EXPECT_EQ(place(1), "b.wsa:1");
  EXPECT_EQ(place(2), "row.lua(9):12");
  EXPECT_EQ(place(3), "row.lua(9):4");
  EXPECT_EQ(place(4), "row.lua(9):4");
  EXPECT_EQ(place(5), "z:4294967295");
}

TEST(Include, ErrorsNameTheLinesThatTheyComeFrom) {
  const std::string twice = ".include \"b.wsa\"\n.include \"b.wsa\"\n.fine\n";
  const std::string errors = errors_in(
      ".grid 1, 1\n.colr a\n.line 7 \"row.lua\"\n.colr b\n.colr c\n.lines 3 \"t\"\n.colr d\n"
      ".colr e\n.line 0\n.colr f\n" +
          twice,
      {{"b.wsa", ".colr g\n.line 1 \"deep\"\n.colr h\n"}});
  const auto says = [&errors](const std::string& place, const std::string& from) {
    const std::size_t at = errors.find(place);
    const std::string_view rest = std::string_view(errors).substr(std::min(at, errors.size()));
    const std::string_view told = rest.substr(0, rest.find("error", place.size() + 8));
    return at != std::string::npos &&
           (from.empty()
                ? told.find("= note") == std::string_view::npos
                : told.find("      = note: from " + from + "\n") != std::string_view::npos);
  };
  EXPECT_TRUE(says("main.wsa:2:1:", "")) << errors;
  EXPECT_TRUE(says("main.wsa:4:1:", "row.lua:7")) << errors;
  EXPECT_TRUE(says("main.wsa:5:1:", "row.lua:7")) << errors;
  EXPECT_TRUE(says("main.wsa:7:1:", "t:3")) << errors;
  EXPECT_TRUE(says("main.wsa:8:1:", "t:4")) << errors;
  EXPECT_TRUE(says("main.wsa:10:1:", "")) << errors;
  EXPECT_TRUE(says("b.wsa:1:1:", "")) << errors;
  EXPECT_TRUE(says("b.wsa:3:1:", "deep:1")) << errors;
  EXPECT_TRUE(says("main.wsa:13:1:", "")) << errors;
}

// A name as long as the source is cut in each of the notes.
TEST(Include, LongNamesOfLinesAreCut) {
  std::string text = ".line 1 \"" + std::string(100'000, 'n') + "\"\n";
  for (int k = 0; k < 100; ++k) text += ".colr\n";
  EXPECT_LT(errors_in(text, {}).size(), 50'000u);
}

TEST(Include, FilesOfOneNameAreToldApart) {
  const Output output = assemble_files(
      ".grid 1, 1\n.include \"a/all.wsa\"\n.include \"b/all.wsa\"\n.place p at (0, 0)\n",
      {{"a/all.wsa", ".include \"x.wsa\"\n"},
       {"b/all.wsa", ".include \"x.wsa\"\n"},
       {"a/x.wsa", ".program p\n"},
       {"b/x.wsa", "  .i32 n\n  task main:\n"}});
  ASSERT_TRUE(output.image);
  EXPECT_EQ(output.image->place_text(output.image->programs[0].symbols[0].where), "b/x.wsa:1");
}

TEST(Include, SaysTheChain) {
  const std::string errors =
      errors_in(kMain, {{"lib/code.wsa", kLibrary.at("lib/code.wsa")},
                        {"lib/body.wsa", "  task main:\n    mov33 r1, 3\n    mov34 r1, 3\n"}});
  EXPECT_NE(errors.find("body.wsa:2:5: error[E012]"), std::string::npos) << errors;
  EXPECT_NE(errors.find("lib/code.wsa:3:10: note: included here: 'body.wsa'"), std::string::npos);
  const std::size_t outer = errors.find("main.wsa:2:10: note: included here: 'lib/code.wsa'");
  EXPECT_NE(outer, std::string::npos) << errors;
  EXPECT_EQ(errors.find("main.wsa:2:10", outer + 1), std::string::npos) << "said once";
}

TEST(Include, WhatIsMissingHidesWhatFollowsFromIt) {
  const std::string errors = errors_in(
      ".include \"colours.wsa\"\n.route red at (0, 0): ramp -> ramp\n.program p\n  .i32 ]\n", {});
  EXPECT_NE(errors.find("main.wsa:1:10: error[E101]"), std::string::npos) << errors;
  EXPECT_NE(errors.find("error[E010]"), std::string::npos) << errors;
  EXPECT_EQ(errors.find("'red'"), std::string::npos) << errors;
  const Output alone = assemble_text(".include \"a.wsa\"\n");
  EXPECT_EQ(alone.diagnostics.size(), 1u);
}

TEST(Include, LoopsAndBombsEnd) {
  const auto contains = [](const std::string& text, std::string_view part) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text.substr(0, 3000);
  };
  contains(errors_in(".include \"main.wsa\"\n", {{"main.wsa", ".include \"main.wsa\"\n"}}), "E103");
  contains(errors_in(".include \"a.wsa\"\n", {{"a.wsa", ".include \"./x/../a.wsa\"\n"}}), "E103");
  Files chain;
  for (int k = 0; k < 100; ++k) {
    chain["a" + std::to_string(k)] = ".include \"a" + std::to_string(k + 1) + "\"\n";
  }
  contains(errors_in(".include \"a0\"\n", chain), "a31:1:10: error[E104]");
  Files bomb;
  for (int k = 0; k < 30; ++k) {
    const std::string line = ".include \"a" + std::to_string(k + 1) + "\"\n";
    bomb["a" + std::to_string(k)] = line + line;
  }
  bomb["a30"] = "";
  contains(errors_in(".include \"a0\"\n", bomb), "E001");
  const Files large = {{"a", std::string(kMaxSourceBytes / 2 + 1, '\n')}};
  contains(errors_in(".include \"a\"\n.include \"a\"\n", large), "main.wsa:2:10: error[E001]");
}

}  // namespace
}  // namespace wse::assembler
