// A change is kept if the program still fails; passes repeat until none finds anything.
#include "tests/differential/shrink.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <vector>

namespace wse::differential {
namespace {

using TextLines = std::vector<std::string>;

TextLines split_at(const std::string& text, char at) {
  TextLines parts;
  std::string part;
  for (const char c : text) {
    if (c != at) {
      part += c;
      continue;
    }
    parts.push_back(std::move(part));
    part.clear();
  }
  if (!part.empty()) parts.push_back(std::move(part));
  return parts;
}

std::string joined(const TextLines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

bool is_in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::set<std::string> words_of(const std::string& line) {
  std::set<std::string> words;
  std::string word;
  for (const char c : line + " ") {
    if (is_in_word(c)) {
      word += c;
    } else if (!word.empty()) {
      words.insert(std::move(word));
      word.clear();
    }
  }
  return words;
}

std::size_t indentation(const std::string& line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

class Shrinker {
 public:
  Shrinker(const Generated& failing, const Fails& fails, std::uint32_t most_questions)
      : best_(failing),
        lines_(split_at(failing.text, '\n')),
        fails_(fails),
        left_(most_questions) {}

  Generated run() {
    for (bool again = true; again && left_ > 0;) {
      again = drop_blocks();
      again = drop_words() || again;
      again = drop_runs() || again;
      again = simplify_machine() || again;
      again = shorten_lines() || again;
      again = lower_numbers() || again;
    }
    return best_;
  }

 private:
  bool keep_if_failing(const Generated& candidate) {
    if (left_ == 0) return false;
    --left_;
    if (!fails_(candidate)) return false;
    best_ = candidate;
    lines_ = split_at(best_.text, '\n');
    return true;
  }
  bool try_lines(const TextLines& lines) {
    Generated candidate = best_;
    candidate.text = joined(lines);
    return candidate.text != best_.text && keep_if_failing(candidate);
  }

  // A program or a task with all below its line, and every other line that names it.
  bool drop_blocks() {
    bool any = false;
    for (std::size_t k = 0; k < lines_.size();) {
      std::size_t end = k + 1;
      while (end < lines_.size() && indentation(lines_[end]) > indentation(lines_[k])) ++end;
      const bool dropped =
          end > k + 1 && (try_without_block(k, end, true) || try_without_block(k, end, false));
      any = any || dropped;
      if (!dropped) ++k;
    }
    return any;
  }
  bool try_without_block(std::size_t first, std::size_t end, bool with_mentions) {
    const TextLines words = split_at(lines_[first].substr(indentation(lines_[first])), ' ');
    const std::string name =
        words.size() < 2 ? "" : words[1].substr(0, words[1].find_first_of("(:"));
    TextLines rest;
    for (std::size_t k = 0; k < lines_.size(); ++k) {
      const bool mentions = with_mentions && words_of(lines_[k]).contains(name);
      if ((k < first || k >= end) && !mentions) rest.push_back(lines_[k]);
    }
    return try_lines(rest);
  }

  // All lines with one word: a colour, a symbol, a label.
  bool drop_words() {
    bool any = false;
    for (const std::string& word : words_of(best_.text)) {
      TextLines rest = lines_;
      std::erase_if(rest, [&](const std::string& line) { return words_of(line).contains(word); });
      any = try_lines(rest) || any;
    }
    return any;
  }

  // Runs of lines, the longest first.
  bool drop_runs() {
    bool any = false;
    for (std::size_t length = std::max<std::size_t>(1, lines_.size() / 2); length > 0;
         length /= 2) {
      for (std::size_t k = 0; k < lines_.size();) {
        TextLines rest = lines_;
        const auto first = rest.begin() + static_cast<std::ptrdiff_t>(k);
        rest.erase(first, first + static_cast<std::ptrdiff_t>(std::min(length, rest.size() - k)));
        const bool dropped = try_lines(rest);
        any = any || dropped;
        if (!dropped) k += length;
      }
    }
    return any;
  }

  // Up to three words of a line, and a comma that is left at its end.
  bool shorten_lines() {
    bool any = false;
    for (std::size_t k = 0; k < lines_.size(); ++k) {
      for (std::size_t count = 3; count > 0; --count) {
        for (std::size_t first = 1; first < words_in(k); ++first) {
          while (first + count <= words_in(k) && try_shorter(k, first, count)) any = true;
        }
      }
    }
    return any;
  }
  std::size_t words_in(std::size_t line) const {
    if (line >= lines_.size()) return 0;
    return split_at(lines_[line].substr(indentation(lines_[line])), ' ').size();
  }
  bool try_shorter(std::size_t line, std::size_t first, std::size_t count) {
    const std::size_t margin = indentation(lines_[line]);
    TextLines words = split_at(lines_[line].substr(margin), ' ');
    const auto from = words.begin() + static_cast<std::ptrdiff_t>(first);
    words.erase(from, from + static_cast<std::ptrdiff_t>(count));
    std::string shorter(margin, ' ');
    for (const std::string& word : words) shorter += (&word == &words[0] ? "" : " ") + word;
    if (shorter.ends_with(',')) shorter.pop_back();
    TextLines lines = lines_;
    lines[line] = shorter;
    return try_lines(lines);
  }

  // Numbers of the text: 1, a half, one less.
  bool lower_numbers() {
    bool any = false;
    for (std::size_t at = 0; at < best_.text.size(); ++at) {
      const bool begins = std::isdigit(static_cast<unsigned char>(best_.text[at])) != 0 &&
                          (at == 0 || !is_in_word(best_.text[at - 1]));
      if (!begins) continue;
      while (try_lower_number(at)) any = true;
    }
    return any;
  }
  bool try_lower_number(std::size_t at) {
    std::size_t end = at;
    while (end < best_.text.size() && is_in_word(best_.text[end])) ++end;
    const std::string digits = best_.text.substr(at, end - at);
    constexpr std::size_t kMostDigits = 9;
    if (digits.size() > kMostDigits || digits.find_first_not_of("0123456789") < digits.size()) {
      return false;
    }
    const std::uint64_t number = std::stoull(digits);
    for (const std::uint64_t lower : {std::uint64_t{1}, number / 2, number - 1}) {
      if (number == 0 || lower >= number) continue;
      Generated candidate = best_;
      candidate.text.replace(at, end - at, std::to_string(lower));
      if (keep_if_failing(candidate)) return true;
    }
    return false;
  }

  // Without jitter, on one strip, with the numbers of the plain profile.
  bool simplify_machine() {
    bool any = false;
    if (best_.jitter) {
      Generated candidate = best_;
      candidate.jitter.reset();
      any = keep_if_failing(candidate);
    }
    if (best_.strips > 1) {
      Generated candidate = best_;
      candidate.strips = 1;
      any = keep_if_failing(candidate) || any;
    }
    const isa::Profile plain = *isa::find_profile(best_.profile.name);
    for (const isa::ParameterInfo& parameter : isa::kParameters) {
      if (best_.profile.*parameter.member == plain.*parameter.member) continue;
      Generated candidate = best_;
      candidate.profile.*parameter.member = plain.*parameter.member;
      any = keep_if_failing(candidate) || any;
    }
    return any;
  }

  Generated best_;
  TextLines lines_;  // of its text
  const Fails& fails_;
  std::uint32_t left_;  // questions
};

}  // namespace

Generated shrink(const Generated& failing, const Fails& fails, std::uint32_t most_questions) {
  return Shrinker(failing, fails, most_questions).run();
}

std::optional<std::uint64_t> first_failing_limit(const Generated& failing, const Fails& fails) {
  constexpr std::uint64_t kTried = 256;
  const auto fails_at = [&](std::uint64_t limit) {
    Generated stopped = failing;
    stopped.limit = limit;
    return fails(stopped);
  };
  for (std::uint64_t limit = 1; limit <= kTried; ++limit) {
    if (fails_at(limit)) return limit;
  }
  std::uint64_t agrees = kTried;
  std::uint64_t differs = failing.max_cycles();
  if (!fails_at(differs)) return std::nullopt;
  while (differs - agrees > 1) {
    const std::uint64_t middle = agrees + (differs - agrees) / 2;
    (fails_at(middle) ? differs : agrees) = middle;
  }
  return differs;
}

}  // namespace wse::differential
