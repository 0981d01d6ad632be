// Are odd values of arguments refused plainly, before anything is made of them? Every argument of
// every main script gets each odd value: the script either ends well, or says what is wanted of
// that argument in a message of its own. WSE_ODD_ALL=1 takes all values, else each argument gets
// one, by turns: loading a library takes longer than refusing a value. Must never accept a message
// that shows generated text.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <ranges>

#include "tests/script/main_scripts.h"
#include "tests/script/script_support.h"
#include "tests/support/files.h"

namespace wse::script {
namespace {

namespace fs = std::filesystem;

// Zero, below it, what no word holds, a text, nothing, no number, a fraction, beyond all numbers.
constexpr std::string_view kOdd[] = {"0", "-1", "99999999999", "abc", "", "nan", "1.5", "1e999"};

// Texts that a user must not see: generated text, Lua's own words, lines of a library.
constexpr std::string_view kForeign[] = {
    "error[E", "the program has errors", " nil", "nil ", "called from", "(wse", "attempt to"};

Ran run_with(const MainScript& script, std::vector<std::pair<std::string, std::string>> arguments) {
  Options options = options_of(script);
  options.arguments = std::move(arguments);
  return run_text(text_of(script), options);
}

// The arguments that a script takes, as it lists them for one that it does not know.
std::vector<std::string> names_of(const MainScript& script) {
  auto arguments = arguments_of(script.small);
  arguments.emplace_back("no_such_argument", "1");
  const std::string message = run_with(script, std::move(arguments)).result.message;
  const std::string before = "the script takes ";
  const std::size_t at = message.find(before);
  std::vector<std::string> names;
  if (at == std::string::npos) return names;
  for (const auto part : message.substr(at + before.size()) | std::views::split(std::string(", ")))
    names.emplace_back(part.begin(), part.end());
  return names;
}

bool is_word_character(char c) { return isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Whether the message has the name as a word.
bool names_it(const std::string& message, const std::string& name) {
  for (std::size_t at = message.find(name); at != std::string::npos;
       at = message.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_word_character(message[at - 1])) &&
        (end == message.size() || !is_word_character(message[end])))
      return true;
  }
  return false;
}

// Why the end of a script with name=value is not what a user may expect; "" if it is.
std::string fault_of(const ScriptResult& result, const std::string& name) {
  if (result.ending == Ending::Fine) return "";
  if (result.ending != Ending::BadInput) return "it does not end as one with bad input";
  for (const std::string_view foreign : kForeign) {
    if (result.message.contains(foreign)) return fmt::format("it shows '{}'", foreign);
  }
  return names_it(result.message, name) ? "" : "it does not name the argument";
}

class OddArguments : public testing::TestWithParam<MainScript> {
 protected:
  OddArguments() : before_(fs::current_path()) { fs::current_path(scratch_.path()); }
  ~OddArguments() override { fs::current_path(before_); }

 private:
  test_support::ScratchFolder scratch_;
  fs::path before_;
};

TEST_P(OddArguments, AreRefusedPlainlyOrRun) {
  const MainScript& script = GetParam();
  const std::vector<std::string> names = names_of(script);
  ASSERT_FALSE(names.empty()) << script.file << " lists no arguments";
  const bool all = std::getenv("WSE_ODD_ALL") != nullptr;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string& name = names[k];
    for (std::size_t odd = 0; odd < std::size(kOdd); ++odd) {
      if (!all && (odd + k + script.file.size()) % std::size(kOdd) != 0) continue;
      const std::string_view value = kOdd[odd];
      auto arguments = arguments_of(script.small);
      std::erase_if(arguments, [&name](const auto& argument) { return argument.first == name; });
      arguments.emplace_back(name, value);
      const ScriptResult result = run_with(script, std::move(arguments)).result;
      const std::string fault = fault_of(result, name);
      EXPECT_EQ(fault, "") << script.file << " " << script.small << " with " << name << "=" << value
                           << ": " << result.message;
    }
  }
}

// A machine of another kind: few banks and slow links, or few queues. A run that takes long there
// is no fault.
TEST_P(OddArguments, OtherMachinesRunOrAreRefusedPlainly) {
  const MainScript& script = GetParam();
  for (const std::string machine : {"cm200", "wse3"}) {
    Options options = options_of(script);
    options.arguments = arguments_of(script.small);
    options.defaults.machine = {*isa::find_profile(machine), machine, ""};
    const ScriptResult result = run_text(text_of(script), options).result;
    if (result.message.contains("stopped at the limit")) continue;
    EXPECT_EQ(fault_of(result, machine), "")
        << script.file << " " << script.small << " on " << machine << ": " << result.message;
  }
}

INSTANTIATE_TEST_SUITE_P(Scripts, OddArguments, testing::ValuesIn(main_scripts()),
                         [](const auto& test) { return test.param.name; });

ScriptResult refused_with(std::string message) {
  ScriptResult result;
  result.ending = Ending::BadInput;
  result.message = std::move(message);
  return result;
}

// The judge sees what it is there for.
TEST(OddArgumentsJudge, SeesWhatIsNotPlain) {
  EXPECT_EQ(fault_of(refused_with("P = 0: an integer of at least 1 is wanted"), "P"), "");
  EXPECT_NE(fault_of(refused_with("the width is 0; 1 to 65535 is wanted"), "P"), "");
  EXPECT_NE(fault_of(refused_with("P: attempt to index a nil value"), "P"), "");
  EXPECT_NE(fault_of(refused_with("P: the program has errors"), "P"), "");
  ScriptResult exhausted = refused_with("P: the memory limit is reached");
  exhausted.ending = Ending::Exhausted;
  EXPECT_NE(fault_of(exhausted, "P"), "");
}

// A new command is attacked too: whatever is both a command and a module says so in the same words.
TEST(MainScripts, AreAllInTheTable) {
  const fs::path scripts = fs::path(WSE_SOURCE_DIR) / "scripts";
  for (const std::string_view room :
       {"collectives", "alltoall", "gemm", "stencil", "mach", "examples"}) {
    for (const auto& entry : fs::directory_iterator(scripts / room)) {
      if (entry.path().extension() != ".lua") continue;
      const std::string text = test_support::read_text(entry.path());
      if (room != "examples" && !text.contains("-- a module gets its name")) continue;
      const std::string file = fmt::format("{}/{}", room, entry.path().filename().string());
      const auto& all = main_scripts();
      EXPECT_TRUE(std::ranges::any_of(all, [&file](const auto& one) { return one.file == file; }))
          << file << " has no row in tests/script/main_scripts.txt";
    }
  }
}

}  // namespace
}  // namespace wse::script
