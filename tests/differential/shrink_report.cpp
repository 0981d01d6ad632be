// The output is a .wsa file: `wsevm run` takes it as it is.
#include "tests/differential/shrink_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "tests/differential/shrink.h"
#include "tests/differential/sides.h"

namespace wse::differential {
namespace {

constexpr std::size_t kMostText = 4000;

// Every line as a comment.
std::string commented(const std::string& text) {
  std::string out = ";";
  for (const char c : text.substr(0, kMostText)) {
    if (out.back() == '\n') out += ';';
    out += c;
  }
  return out.ends_with('\n') ? out : out + "\n";
}

// A file for --machine: what is not as in the profile of that name.
std::string machine_file(const isa::Profile& profile) {
  const isa::Profile plain = *isa::find_profile(profile.name);
  std::string text = fmt::format("return {{base = \"{}\"", profile.name);
  for (const isa::ParameterInfo& parameter : isa::kParameters) {
    const std::uint32_t value = profile.*parameter.member;
    if (value != plain.*parameter.member) text += fmt::format(", {} = {}", parameter.name, value);
  }
  return text + "}";
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

std::string start_text(const Generated& program) {
  std::string text = fmt::format("; machine: {}\n", machine_file(program.profile));
  if (program.jitter) {
    text += fmt::format("; jitter {}:{}\n", program.jitter->seed, program.jitter->cycles);
  }
  return text;
}

// Where it begins to differ, and the sides there.
std::string first_cycle_text(const Generated& small, const Judge& judge, Verdict verdict) {
  const auto fails = [&](const Generated& candidate) {
    return judge_apart(candidate, judge).verdict == verdict;
  };
  const std::optional<std::uint64_t> limit = first_failing_limit(small, fails);
  if (!limit) {
    return "; no cycle differs where all sides stop together: it is the end, or what is said of "
           "it\n";
  }
  Generated stopped = small;
  stopped.limit = *limit;
  std::string text = fmt::format(
      "; first cycle that differs: {} (alike with --max-cycles={}, not with --max-cycles={})\n{}",
      *limit - 1, *limit - 1, *limit, commented(judge_apart(stopped, judge).text));
  if (verdict != Verdict::Differs) return text;
  const Judgement states = judge_apart(stopped, compare_states);
  return text + fmt::format("; after cycle {}:\n", *limit - 1) + commented(states.text);
}

}  // namespace

int print_shrunk(const Generated& program, const std::string& name, const Judge& judge) {
  const Judgement first = judge_apart(program, judge);
  if (first.verdict == Verdict::Agrees || first.verdict == Verdict::Refused) {
    fmt::print("{}: {}\n", name,
               first.verdict == Verdict::Agrees ? "all sides agree" : "the machine refuses it");
    return 0;
  }
  const Generated small = shrink(program, [&](const Generated& candidate) {
    return judge_apart(candidate, judge).verdict == first.verdict;
  });
  fmt::print("; {}, {} of {} lines\n{}{}", name, lines_of(small.text), lines_of(program.text),
             start_text(small), small.text);
  fmt::print("; at the end:\n{}{}", commented(judge_apart(small, judge).text),
             first_cycle_text(small, judge, first.verdict));
  return 1;
}

}  // namespace wse::differential
