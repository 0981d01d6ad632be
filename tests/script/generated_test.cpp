// Is the text that `gen` writes the program that runs? For each wse.run of each example: the image
// of the text and the image that ran are the same, the lines that messages name aside.
//
// Must never run more of an example than its first kMostPrograms programs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <ranges>

#include "asm/assembler.h"
#include "isa/image/image.h"
#include "isa/support/atomic_file.h"
#include "tests/script/script_support.h"

namespace wse::script {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostPrograms = 4;
constexpr std::size_t kMostBytes = std::size_t{16} << 20;

std::string read_text_of(const fs::path& path) {
  isa::InputList inputs;
  const auto bytes = isa::read_whole_file(path.string(), inputs, kMostBytes);
  return bytes ? std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()) : "";
}

// Without what a .line directive changes.
isa::Image without_lines(isa::Image image) {
  image.sources.clear();
  for (isa::Program& program : image.programs) {
    program.lines.clear();
    for (isa::Symbol& symbol : program.symbols) symbol.where = {};
  }
  for (isa::Placement& placement : image.placements) placement.where = {};
  for (isa::Route& route : image.routes) route.where = {};
  for (isa::Filter& filter : image.filters) filter.where = {};
  for (isa::Stream& stream : image.streams) stream.where = {};
  for (isa::Expectation& expectation : image.expectations) expectation.where = {};
  return image;
}

bool same_program(const isa::Image& a, const isa::Image& b) {
  return isa::write_image(without_lines(a)) == isa::write_image(without_lines(b));
}

// Folders below programs/: a text has no place of its own, so its includes are looked for there.
// The folder of fft.wsa would hide the file of that name that comes with wsevm.
std::vector<std::string> program_folders() {
  std::vector<std::string> folders;
  for (const auto& entry : fs::recursive_directory_iterator(WSE_SOURCE_DIR "/programs")) {
    if (entry.is_directory() && entry.path().filename() != "fft")
      folders.push_back(entry.path().string());
  }
  std::ranges::sort(folders);
  return folders;
}

isa::Result<std::optional<std::string>> load(const std::string& path) {
  if (!fs::exists(path)) return std::nullopt;
  return read_text_of(path);
}

// Of "--machine=VALUE"; of a file the one that its table, which may be after, is based on.
isa::Profile profile_of(const std::string& value, std::string_view line) {
  if (const auto known = isa::find_profile(value)) return *known;
  for (const std::string& name : isa::profile_names()) {
    if (line.contains(fmt::format("base = \"{}\"", name))) return *isa::find_profile(name);
  }
  return *isa::find_profile("wse2");
}

// Assembles what `gen` wrote as its last line says: "...  wsevm run FILE P=8 --machine=wse2".
isa::Image image_of(const std::string& text) {
  assembler::Options options;
  options.include_folders = program_folders();
  options.load = load;
  const std::string_view last = std::string_view(text).substr(text.rfind("wsevm run FILE"));
  const std::string_view command = last.substr(0, last.find_first_of(";\n"));
  for (const auto part : command | std::views::split(' ')) {
    const std::string word(part.begin(), part.end());
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) continue;
    const std::string name = word.substr(0, equals);
    const std::string value = word.substr(equals + 1);
    if (name == "--machine") {
      options.profile = profile_of(value, last);
    } else if (!name.starts_with("--")) {
      options.overrides.emplace_back(name, value);
    }
  }
  assembler::Output output = assembler::assemble({"generated.wsa", text}, options);
  EXPECT_EQ(isa::to_text(output.diagnostics, output.files), "");  // no warning either
  return output.image.value_or(isa::Image{});
}

struct Captured {
  ScriptResult result;
  std::vector<isa::Image> ran;  // before the one that was captured
};

Captured capture(const std::string& source, Options options, std::uint64_t number) {
  Captured captured;
  options.capture = number;
  options.fits = [&captured](const isa::Image& image, const isa::Profile&, unsigned,
                             unsigned) -> isa::Status {
    captured.ran.push_back(image);
    return {};
  };
  captured.result = run_text(source, std::move(options)).result;
  return captured;
}

// Compares each program that comes out of `gen` with what ran in its place, which is seen when the
// next one is asked for. How many there were.
std::size_t compare_programs(const std::string& source, const Options& options) {
  std::string before;
  for (std::uint64_t k = 1;; ++k) {
    const Captured captured = capture(source, options, k);
    const bool wanted = captured.ran.size() + 1 == k;
    EXPECT_TRUE(wanted || k == 1) << captured.result.message;
    if (!wanted) return 0;
    if (!before.empty()) {
      EXPECT_TRUE(same_program(image_of(before), captured.ran[k - 2])) << "program " << k - 1;
    }
    before = captured.result.captured;
    if (captured.result.ending != Ending::Fine || k > kMostPrograms) return k - 1;
  }
}

std::vector<std::string> examples() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(WSE_SOURCE_DIR "/scripts/examples")) {
    if (entry.path().extension() == ".lua") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

class Generated : public testing::TestWithParam<std::string> {};

TEST_P(Generated, TextIsTheProgramThatRuns) {
  const fs::path script = fs::path(WSE_SOURCE_DIR) / "scripts/examples" / (GetParam() + ".lua");
  EXPECT_GT(compare_programs(read_text_of(script), command_options(script)), 0u);
}

INSTANTIATE_TEST_SUITE_P(Examples, Generated, testing::ValuesIn(examples()),
                         [](const auto& example) {
                           std::string name = example.param;
                           std::ranges::replace_if(name, [](char c) { return !isalnum(c); }, '_');
                           return name;
                         });

constexpr const char* kMarked = R"lua(
local wse = require "wse"
local function text(mark, word)
  return ".grid 1, 1\n" .. mark .. ".program p\n  task main:\n    mov32 r1, " .. word ..
         "\n.place p at (0, 0)\n"
end
wse.run{text = text("", 1), marked_text = text('.line 5 "made.lua"\n', 1)}
wse.run{text = text("", 1), values = {}, marked_text = text('.lines 5 "made.lua"\n', WORD)}
)lua";

Captured captured_marked(const std::string& word, std::uint64_t number) {
  std::string source = kMarked;
  source.replace(source.find("WORD"), 4, word);
  return capture(source, test_options(), number);
}

TEST(MarkedText, RunsAndIsNotWritten) {
  const Captured second = captured_marked("1", 2);
  ASSERT_EQ(second.ran.size(), 1u);
  EXPECT_EQ(second.ran[0].sources, (std::vector<std::string>{"made.lua"}));
  EXPECT_EQ(second.result.captured.find(".line"), std::string::npos);
  const isa::Image written = image_of(second.result.captured);
  EXPECT_EQ(written.sources, std::vector<std::string>{"generated.wsa"});
  const Captured all = captured_marked("1", 3);
  ASSERT_EQ(all.ran.size(), 2u);
  EXPECT_TRUE(same_program(written, all.ran[0]));
  EXPECT_TRUE(same_program(written, all.ran[1]));
}

// The comparison sees what is no line.
TEST(MarkedText, OtherProgramsAreSeen) {
  const Captured all = captured_marked("2", 3);
  ASSERT_EQ(all.ran.size(), 2u);
  EXPECT_FALSE(same_program(all.ran[0], all.ran[1]));
}

// The text of a layout is marked for a run, also for one before the program that `gen` wants.
TEST(MarkedText, OfALayoutIsForRuns) {
  const std::string source = R"(local wse = require "wse"
local w = wse.layout(1, 1)
w:program[[
.program p(n: i32)
  task main:
    add32 r1, r1, n
]]
w:place("p", w:all(), {n = 7})
w:run{}
)";
  const Captured wanted = capture(source, test_options(), 1);
  EXPECT_TRUE(wanted.result.captured.contains(".place p at (0, 0) with n = 7"));
  EXPECT_FALSE(wanted.result.captured.contains(".line"));
  const Captured run = capture(source, test_options(), 2);
  ASSERT_EQ(run.ran.size(), 1u);
  EXPECT_TRUE(std::ranges::find(run.ran[0].sources, "test.lua") != run.ran[0].sources.end());
}

}  // namespace
}  // namespace wse::script
