// Lines and words as pieces of the two texts; a step changes the list of lines.
#include "tests/fuzz/splice.h"

#include <algorithm>
#include <vector>

#include "tests/support/random.h"

namespace wse::fuzz {
namespace {

using test_support::Random;
using Pieces = std::vector<std::string_view>;

constexpr std::uint32_t kMostSteps = 4;  // of a splice
constexpr std::uint32_t kMostLines = 8;  // moved by one step

// With their line ends.
Pieces lines_of(std::string_view text) {
  Pieces lines;
  while (!text.empty()) {
    const std::size_t size = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return lines;
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.';
}

// Names, numbers and directives whole, every other byte for itself.
Pieces words_of(std::string_view line) {
  Pieces words;
  while (!line.empty()) {
    std::size_t size = 0;
    while (size < line.size() && is_word(line[size])) ++size;
    size = std::max<std::size_t>(size, 1);
    words.push_back(line.substr(0, size));
    line.remove_prefix(size);
  }
  return words;
}

// A place in `pieces`, its end included.
Pieces::iterator place_in(Pieces& pieces, Random& random) {
  const auto places = static_cast<std::uint32_t>(pieces.size() + 1);
  return pieces.begin() + static_cast<std::ptrdiff_t>(random.below(places));
}

// Up to kMostLines lines of `donor`, or from one of them up to the next that begins a program.
Pieces block_of(const Pieces& donor, Random& random) {
  if (donor.empty()) return {};
  const auto first = donor.begin() + static_cast<std::ptrdiff_t>(
                                         random.below(static_cast<std::uint32_t>(donor.size())));
  const auto begins_program = [](std::string_view line) { return line.starts_with(".program"); };
  auto last = std::find_if(first + 1, donor.end(), begins_program);
  if (!random.one_in(3)) last = std::min(last, first + 1 + random.below(kMostLines));
  return {first, last};
}

std::string joined(const Pieces& pieces) {
  std::string text;
  for (const std::string_view piece : pieces) text += piece;
  return text;
}

class Splicer {
 public:
  Splicer(std::string_view text, std::string_view donor, std::uint32_t seed)
      : lines_(lines_of(text)), donor_(lines_of(donor)), random_(seed) {
    kept_.reserve(kMostSteps);  // pieces point into them
  }

  void step() {
    switch (random_.below(5)) {
      case 0: return insert(block_of(donor_, random_));
      case 1: return insert(block_of(lines_, random_));  // twice the same
      case 2: return leave_out();
      case 3: return std::iter_swap(any_line(), any_line());
      default: return change_word();
    }
  }

  bool empty() const { return lines_.empty(); }

  std::string text(std::size_t max_bytes) const {
    std::string text;
    for (const std::string_view line : lines_) {
      if (text.size() + line.size() > max_bytes) break;
      text += line;
    }
    return text;
  }

 private:
  Pieces::iterator any_line() {
    return lines_.begin() +
           static_cast<std::ptrdiff_t>(random_.below(static_cast<std::uint32_t>(lines_.size())));
  }

  void insert(const Pieces& block) {
    lines_.insert(place_in(lines_, random_), block.begin(), block.end());
  }

  void leave_out() {
    const auto first = any_line();
    const std::ptrdiff_t count = 1 + random_.below(kMostLines);
    lines_.erase(first, first + std::min(count, lines_.end() - first));
  }

  // A word of one line gives way to a word of a line of either text.
  void change_word() {
    const Pieces& source = !donor_.empty() && random_.one_in(2) ? donor_ : lines_;
    const Pieces words = words_of(source[random_.below(static_cast<std::uint32_t>(source.size()))]);
    const auto line = any_line();
    Pieces changed = words_of(*line);
    changed[random_.below(static_cast<std::uint32_t>(changed.size()))] =
        words[random_.below(static_cast<std::uint32_t>(words.size()))];
    *line = kept_.emplace_back(joined(changed));
  }

  Pieces lines_;
  Pieces donor_;
  std::vector<std::string> kept_;
  Random random_;
};

}  // namespace

std::string splice(std::string_view text, std::string_view donor, std::uint32_t seed,
                   std::size_t max_bytes) {
  Splicer splicer(text, donor, seed);
  Random random(~seed);
  const std::uint32_t steps = 1 + random.below(kMostSteps);
  for (std::uint32_t k = 0; k < steps && !splicer.empty(); ++k) splicer.step();
  return splicer.text(max_bytes);
}

}  // namespace wse::fuzz
