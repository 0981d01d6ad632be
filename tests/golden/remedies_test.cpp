// Helps that rewrite text do what they say: each edit is written into its wrong program, alone, and
// the diagnostic must be gone. A help that tells to rewrite has an edit, or leaves a choice to the
// author, which is named here. Must never try fewer edits than the list says.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "asm/remedies.h"
#include "tests/golden/wrong_programs.h"

namespace wse::assembler {
namespace {

using test_support::GoldenProgram;

// The codes whose helps are tried, and how many edits of each at least.
struct Floor {
  std::string_view code;
  std::size_t edits;
};
constexpr Floor kFloors[] = {
    {"E003", 1}, {"E007", 1}, {"E010", 11}, {"E011", 4}, {"E012", 20}, {"E014", 1}, {"E019", 2},
    {"E020", 4}, {"E024", 1}, {"E025", 2},  {"E026", 1}, {"E027", 2},  {"E031", 1}, {"E032", 1},
    {"E033", 3}, {"E044", 1}, {"E048", 3},  {"E054", 5}, {"E061", 1},  {"E065", 1}, {"E072", 1},
    {"E080", 2}, {"E082", 1}, {"E095", 4},  {"E099", 1}, {"E120", 3},  {"E121", 1}, {"E122", 1},
    {"E124", 1}, {"E125", 1}, {"E126", 1},  {"E127", 1}, {"E129", 2},  {"E139", 2}, {"E143", 1},
    {"E145", 1}, {"E150", 2}, {"E152", 2},  {"E153", 2}, {"E156", 1},  {"E159", 6}, {"E165", 1},
    {"E170", 2}, {"E171", 2}, {"E178", 1},  {"E180", 1}, {"E181", 1},  {"E184", 3}, {"E190", 1},
    {"E197", 3}, {"E200", 2}, {"E201", 10}, {"E204", 1}, {"E216", 3},  {"E220", 1}, {"E229", 1},
};

struct Choice {
  std::string_view code;
  std::string_view what;  // the author has to choose
};
constexpr Choice kChoices[] = {
    {"E004", "the number"},
    {"E008", "the warning"},
    {"E013", "the program, and where in it"},
    {"E018", "where the bracket ends"},
    {"E023", "whether what the constant needs is above too"},
    {"E028", "the value"},
    {"E030", "the value"},
    {"E050", "the operands"},
    {"E051", "the operand"},
    {"E058", "the number of elements"},
    {"E062", "the number of elements"},
    {"E069", "the comparison"},
    {"E090", "the size"},
    {"E093", "which positions, in which order"},
    {"E110", "where the macro ends"},
    {"E114", "which lines are async"},
    {"E117", "the register, and how the loop counts"},
    {"E118", "the array"},
    {"E130", "the subscripts"},
    {"E134", "the slice"},
    {"E135", "the slice"},
    {"E137", "lengths and strides"},
    {"E138", "the number of elements, or their values"},
    {"E155", "where the work is done"},
    {"E158", "the task"},
    {"E162", "the register"},
    {"E166", "the task"},
    {"E167", "the arguments"},
    {"E174", "the value"},
    {"E182", "the entry and the commands"},
    {"E191", "the instruction"},
    {"E192", "whether the element at the end belongs to it"},
    {"E193", "the array"},
    {"E195", "what the control wavelet does"},
    {"E196", "the array and the colour"},
    {"E199", "whether what the colour needs is above too"},
    {"E202", "the number of elements"},
    {"E203", "the seed that stays"},
    {"E217", "the operands"},
    {"E221", "where the program runs"},
    {"E222", "where the task may run"},
    {"E223", "the colour"},
    {"E231", "where the wavelets go"},
    {"E232", "which program receives them, and where"},
    {"E233", "the microthread, and where to wait"},
    {"E241", "the operands"},
    {"E242", "where the words stay in between"},
    {"E273", "the type"},
    {"E280", "where the block ends"},
    {"E281", "the condition"},
    {"E284", "the colour, or which lines need it"},
    {"E288", "the number of elements"},
};

// A row of the table, its help in both forms.
struct HelpRow {
  std::string_view code;
  std::string_view remedy;
  std::string_view otherwise;
};
constexpr HelpRow kHelps[] = {
#define DIAGNOSTIC(name, code, severity, message, remedy, otherwise) {code, remedy, otherwise},
#define NOTE(...)
#include "asm/text/diagnostics.def"
#undef DIAGNOSTIC
#undef NOTE
};

// Whether the help tells the reader to change the text.
bool rewrites(std::string_view help) {
  constexpr std::string_view kVerbs[] = {"write ", "write:", "leave ", "move ",
                                         "put ",   "close ", " away"};
  return std::ranges::any_of(
      kVerbs, [help](std::string_view verb) { return help.find(verb) != std::string_view::npos; });
}

// Whether `diagnostic` is said again of the same place, in the text with the edit in it.
bool is_repeated(const isa::Diagnostic& diagnostic, const Edit& edit, const Output& second) {
  const isa::SourceRange& where = diagnostic.where;
  const bool is_moved = where.file == edit.where.file && where.line >= edit.where.line;
  const auto lines = is_moved ? std::ranges::count(edit.text, '\n') : 0;
  return std::ranges::any_of(second.diagnostics, [&](const isa::Diagnostic& other) {
    return other.code == diagnostic.code && other.where.file == where.file &&
           other.where.line == where.line + lines && other.message == diagnostic.message;
  });
}

// Whether the parser refuses the line of the edit, of which it said nothing before.
bool breaks_the_line(const Output& first, const Edit& edit, const Output& second) {
  const auto refuses = [&edit](const Output& output) {
    return std::ranges::any_of(output.diagnostics, [&edit](const isa::Diagnostic& diagnostic) {
      return diagnostic.code == "E010" && diagnostic.where.file == edit.where.file &&
             diagnostic.where.line == edit.where.line;
    });
  };
  return !refuses(first) && refuses(second);
}

// By code, the edits of all wrong programs that were tried.
using Tally = std::map<std::string, std::size_t, std::less<>>;

void try_remedies(const GoldenProgram& golden, Tally& tried) {
  const Output output = assemble_golden(golden);
  for (const Remedy& remedy : output.remedies) {
    const isa::Diagnostic& diagnostic = output.diagnostics[remedy.diagnostic];
    EXPECT_EQ(diagnostic.help, remedy.help);
    if (remedy.edit.where.file != 0) continue;  // of the command line, or of a file beside it
    GoldenProgram changed = golden;
    changed.source = with_edit(golden.source, remedy.edit);
    const Output second = assemble_golden(changed);
    const bool is_good = !is_repeated(diagnostic, remedy.edit, second) &&
                         !breaks_the_line(output, remedy.edit, second);
    EXPECT_TRUE(is_good) << golden.name() << ":" << diagnostic.where.line << ": "
                         << diagnostic.message << "\nhelp: " << remedy.help << "\n"
                         << isa::to_text(second.diagnostics, second.files);
    ++tried[diagnostic.code];
  }
}

TEST(Remedies, DoWhatTheySay) {
  Tally tried;
  for (const GoldenProgram& golden : wrong_programs()) try_remedies(golden, tried);
  for (const Floor& floor : kFloors) {
    EXPECT_GE(tried[std::string(floor.code)], floor.edits) << floor.code;
  }
  for (const auto& [code, edits] : tried) {
    EXPECT_NE(std::ranges::find(kFloors, code, &Floor::code), std::end(kFloors))
        << "list " << code << ", tried " << edits << " times, in kFloors";
  }
}

// The edits that `check` and editors offer are among the remedies, and each is one that mends.
TEST(Remedies, AreOfferedIfTheyMend) {
  std::size_t offered = 0;
  std::size_t of_includes = 0;
  for (const GoldenProgram& golden : wrong_programs()) {
    const Output output = assemble_golden(golden);
    const auto all = [](std::size_t) { return true; };
    for (const Change& change : tried_changes(output, golden_options(golden), all)) {
      ++offered;
      const isa::Diagnostic& diagnostic = output.diagnostics[change.diagnostic];
      EXPECT_EQ(diagnostic.help, change.help);
      GoldenProgram changed = golden;
      const std::string& path = output.paths[change.where.file];
      std::string& text = change.where.file == 0 ? changed.source : changed.files.at(path);
      of_includes += change.where.file == 0 ? 0 : 1;
      text = with_change(text, change);
      const Output second = assemble_golden(changed);
      const Edit edit{.where = change.where, .text = change.text};
      EXPECT_FALSE(is_repeated(diagnostic, edit, second)) << golden.name() << ": " << change.help;
      EXPECT_FALSE(breaks_the_line(output, edit, second)) << golden.name() << ": " << change.help;
    }
    EXPECT_TRUE(
        tried_changes(output, golden_options(golden), [](std::size_t) { return false; }).empty());
  }
  EXPECT_GE(offered, 135u);
  EXPECT_GE(of_includes, 1u);
}

// A help that tells to rewrite is tried, or says no text: then it is known what the author chooses.
TEST(Remedies, AreTriedUnlessTheAuthorChooses) {
  for (const HelpRow& row : kHelps) {
    const bool is_tried = std::ranges::find(kFloors, row.code, &Floor::code) != std::end(kFloors);
    const bool is_choice =
        std::ranges::find(kChoices, row.code, &Choice::code) != std::end(kChoices);
    EXPECT_FALSE(is_tried && is_choice) << row.code << " is tried: take it out of kChoices";
    if (rewrites(row.remedy) || rewrites(row.otherwise)) {
      EXPECT_TRUE(is_tried || is_choice)
          << row.code << " tells to rewrite: give its edit to Reporter::spells(), or say in "
          << "kChoices what the author chooses\nhelp: " << row.remedy;
    } else {
      EXPECT_FALSE(is_choice) << row.code << " tells to rewrite nothing";
    }
  }
}

}  // namespace
}  // namespace wse::assembler
