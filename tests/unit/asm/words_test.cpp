// A typo of a word of the language is told with the words that may be there: one by one, for
// every word that asm/GRAMMAR.md has in quotes, every option of an operand, every command of a
// control wavelet, every word that other instruction sets have for an instruction.
//
// Must never pass over a word: one without a sample fails.
#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>

#include "asm/syntax/operand_options.h"
#include "isa/machine/control_word.h"
#include "tests/support/files.h"
#include "tests/unit/asm/support.h"

namespace wse::assembler {
namespace {

constexpr std::string_view kProgram =
    ".program p(c: colour, k: u16 = 1, l: i16 = 1, m: f32 = 1, n: const = 1)";

// Lines that assemble together, in which each word is at least once.
constexpr std::string_view kSamples[] = {
    ".colour a, b",
    ".route a at (0, 0): [west -> east, ramp] [-> south] ring pop=never torn_down start=1",
    ".route a at (1, 0): [east -> north] pop=always",
    ".route a at (2, 0): [south -> ramp] pop=on_advance",
    ".route a at (3, 0): [ramp -> west] pop=on_advance_nop",
    ".route a at (4..5 step 1, 0): [dim0 -> dim1, dim2, dim3, dim4, dim5]",
    ".route a at (6, 0): [dim6 -> dim7, dim8, dim9, dim10, dim11]",
    ".stream one: i32 at (0, 0): west -> a",
    ".stream two: f16[3] at (0, 0): a -> east",
    ".stream three: i32 at (0, 0): north -> a",
    ".stream four: i32 at (0, 0): a -> south",
    ".filter a at (0, 0): none",
    ".filter a at (1, 0): range 0..1",
    ".filter a at (2, 0): counter max=1 limit=2 start=0 counts=data control=filtered",
    ".filter a at (3, 0): sparse max=1 limit=2 start=0 then=3 counts=control",
    ".filter a at (4, 0): counter max=1 limit=2 counts=both",
    ".expect cycles == 1",
    ".expect v at (0, 0) == 1 within 2 on wse2",
    ".param q: u32 = 1",
    kProgram,
    "  .i32 v[8] exported bank=2 = 1",
    "  .f32 w[8] address=128",
    "  .i32 s[] = view(v)",
    "  .fifo f = v on_leaving_full=t on_leaving_empty=t",
    "  task main:",
    "    mov32 fabout(a), v async 0 activate t",
    "    mov32 fabout(a), v async 0 unblock t",
    "    mov32 fabout(a, length=1, packed, control, advance, queue=1), 1",
    "    mov16 fabout(a, index=1), 1",
    "    mov32 v, fabin(a, length=1, packed, on_control=terminate, queue=1)",
    "    mov32 v, fabin(a, on_control=activate(t))",
    "    mov32 v, fabin(a, on_control=unblock(t))",
    "    mov32 v, mem(0, length=8, stride=1)",
    "    mov32 v, circular(v[0:2], length=8, start=1)",
    "  .if 1",
    "  .else if 2",
    "  .end",
    "    mov32 r1, address(v) + control(30, nop, adv, rst, teardown)",
    "  task t = 9 high:",
    "  task d on a (r1) high:",
    "  task e control 30 (r1):",
    "  task u teardown b:",
    "  function g (r1) -> r2 link r9:",
    ".place p at (0..0 step 1, 0) with c = a",
};

std::string text_with(std::string_view sample, std::string_view instead) {
  std::string text = ".grid 8, 1\n";
  for (const std::string_view line : kSamples) {
    text += fmt::format("{}\n", line == sample ? instead : line);
  }
  return text;
}

// Where the word is alone in the line.
std::vector<std::size_t> places_of(std::string_view word, std::string_view line) {
  const auto is_letter = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  std::vector<std::size_t> places;
  for (std::size_t at = line.find(word); at != std::string_view::npos;
       at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_letter(line[at - 1]);
    if (begins && (end == line.size() || !is_letter(line[end]))) places.push_back(at);
  }
  return places;
}

// What is said of that sample where `instead` is in its place: messages and remedies, without
// lines.
std::string said_of(std::string_view sample, std::string_view instead) {
  const std::string text = text_with(sample, instead);
  const auto before =
      std::ranges::count(std::string_view(text).substr(0, text.find(instead)), '\n');
  std::string said;
  for (const isa::Diagnostic& diagnostic : assemble_text(text).diagnostics) {
    if (diagnostic.where.line == before + 1)
      said += diagnostic.message + "\n" + diagnostic.help + "\n";
  }
  return said;
}

bool names(const std::string& said, std::string_view word) {
  return !places_of(word, said).empty();
}

// The number of samples that have the word; each must name it when a letter is added to it.
std::size_t check_typos(const std::string& word) {
  std::size_t found = 0;
  for (const std::string_view line : kSamples) {
    for (const std::size_t place : places_of(word, line)) {
      ++found;
      std::string typo(line);
      typo.insert(place + word.size(), "x");
      const std::string said = said_of(line, typo);
      EXPECT_TRUE(names(said, word)) << typo << "\n" << said;
    }
  }
  return found;
}

std::set<std::string> quoted_words_of_the_grammar() {
  const std::string text =
      test_support::read_text(std::filesystem::path(WSE_SOURCE_DIR) / "asm/GRAMMAR.md");
  const std::regex regex("\"([a-z][a-z_0-9]+)\"");
  std::set<std::string> words;
  for (std::sregex_iterator at(text.begin(), text.end(), regex); at != std::sregex_iterator();
       ++at) {
    words.insert((*at)[1]);
  }
  return words;
}

TEST(Words, ATypoOfEachWordOfTheGrammarNamesIt) {
  const std::set<std::string> words = quoted_words_of_the_grammar();
  EXPECT_GT(words.size(), 50u);
  for (const std::string& word : words) {
    EXPECT_GT(check_typos(word), 0u) << "no sample has '" << word << "'";
  }
}

TEST(Words, ATypoOfEachTypeNamesIt) {
  for (const isa::TypeInfo& type : isa::kTypes) {
    const std::string typo = fmt::format(".program p(c: colour, k: {}x)", type.text);
    const std::string said = said_of(kProgram, typo);
    EXPECT_TRUE(names(said, type.text)) << typo << "\n" << said;
  }
}

TEST(Words, ATypoOfEachOptionNamesIt) {
  for (const OptionInfo& option : kOptions) {
    EXPECT_GT(check_typos(std::string(option.text)), 0u) << option.text;
  }
  for (const std::string_view command : isa::kCommandTexts) {
    EXPECT_GT(check_typos(std::string(command)), 0u) << command;
  }
}

TEST(Words, OfOtherInstructionSetsNameAnInstruction) {
  const auto is_mnemonic = [](std::string_view word) {
    return std::ranges::find(isa::kInstructions, word, &isa::InstructionInfo::mnemonic) !=
           std::end(isa::kInstructions);
  };
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {
#define OTHER(word, stem) {word, stem},
#include "asm/code/other_words.def"
#undef OTHER
  };
  for (const auto& [word, stem] : kWords) {
    EXPECT_FALSE(is_mnemonic(word)) << word << " is an instruction";
    const std::string said = errors_of(program_with(fmt::format("    {} r1, r2\n", word)));
    const std::size_t at = said.find("did you mean '");
    ASSERT_NE(at, std::string::npos) << word << "\n" << said;
    const std::string rest = said.substr(at + std::string_view("did you mean '").size());
    const std::string meant = rest.substr(0, rest.find('\''));
    EXPECT_TRUE(is_mnemonic(meant) && meant.starts_with(stem)) << word << ": " << meant;
  }
  EXPECT_TRUE(errors_of(program_with("    lsl16 r1, r1, 1\n")).contains("'sll16'"));
}

// What the tests above look for: the words of the place, the nearest, no others.
TEST(Words, AreThoseOfThePlace) {
  EXPECT_EQ(said_of("  task t = 9 high:", "  task t = 9 hihg:"),
            "expected 'exported', 'high' or ':', found 'hihg'\ndid you mean 'high'?\n");
  EXPECT_EQ(said_of("  task t = 9 high:", "  task t = 9 9:"), "expected ':', found '9'\n\n");
}

}  // namespace
}  // namespace wse::assembler
