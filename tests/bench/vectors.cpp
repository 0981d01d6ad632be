// Vector instructions: what one costs to start, and what each element costs, as a line through
// measured times; beside it the line of the same loop in C++.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>

#include "tests/bench/native_loops.h"
#include "tests/bench/workloads.h"
#include "tests/support/files.h"

namespace wse::bench {
namespace {

constexpr std::string_view kFile = "tests/bench/programs/vectors.wsa";

// Elements of an instruction, and how often it is executed: for about two milliseconds.
struct Length {
  std::size_t elements;
  std::size_t rounds;
};
constexpr Length kLengths[] = {{8, 80'000}, {256, 60'000}, {1024, 30'000}, {kMostElements, 8'000}};
constexpr std::size_t kLengthCount = std::size(kLengths);
constexpr std::size_t kShown = 2;  // the length with a row of its own
constexpr std::size_t kShownCompiled[] = {1, 3};
constexpr int kTries = 20;  // of each length, of which the fastest counts

// Seconds of one instruction of each length.
using Times = std::array<double, kLengthCount>;

// Seconds of one instruction: start + n * element.
struct Line {
  double start = 0;
  double element = 0;
};

// The line whose distances from the points are the least parts of them, squared and summed: short
// instructions say what a start costs, long ones what an element does.
Line line_through(const Times& seconds) {
  double weights = 0, n = 0, nn = 0, t = 0, nt = 0;
  for (std::size_t k = 0; k < seconds.size(); ++k) {
    const auto elements = static_cast<double>(kLengths[k].elements);
    const double weight = 1 / (seconds[k] * seconds[k]);
    weights += weight;
    n += weight * elements;
    nn += weight * elements * elements;
    t += weight * seconds[k];
    nt += weight * elements * seconds[k];
  }
  const double element = (weights * nt - n * t) / (weights * nn - n * n);
  return {(t - element * n) / weights, element};
}

template <class Seconds>
Times least_of(Seconds seconds_of_length) {
  Times least;
  least.fill(std::numeric_limits<double>::infinity());
  for (std::size_t k = 0; k < kTries * kLengthCount; ++k) {
    const std::size_t length = k % kLengthCount;
    const double one = seconds_of_length(length) / static_cast<double>(kLengths[length].rounds);
    least[length] = std::min(least[length], one);
  }
  return least;
}

Times times_of(const NativeLoop& loop) {
  return least_of([&loop](std::size_t k) {
    return seconds_of([&] { loop.run(kLengths[k].elements, kLengths[k].rounds); });
  });
}

// A row of programs/vectors.wsa, assembled for every length.
using Images = std::vector<isa::Image>;

Images images_of(std::size_t kind) {
  Images images;
  for (const Length& length : kLengths) {
    images.push_back(assembled(std::string(kFile),
                               test_support::read_text(in_checkout(std::string(kFile))),
                               measured_profile(),
                               {{"kind", std::to_string(kind)},
                                {"N", std::to_string(length.elements)},
                                {"rounds", std::to_string(length.rounds)}}));
  }
  return images;
}

Times times_of(const Images& images, const vm::Engine* engine) {
  return least_of([&](std::size_t k) { return run_of(images[k], {.engine = engine}).seconds; });
}

// What these times say: elements by seconds, of all that are added to an instruction, and of one
// of a usual length.
Work each_element(const Times& times) { return {1, line_through(times).element}; }
Work of_length(const Times& times, std::size_t k) {
  return {static_cast<double>(kLengths[k].elements), times[k]};
}

// What the rows of one instruction share.
struct Subject {
  const NativeLoop& loop;
  std::function<const Images&()> images;
  std::string how;
  const vm::Engine* engine = nullptr;
  std::string_view ending;  // of names

  template <class Say>
  Yardstick in_cpp(Say say) const {
    return {"in C++", [&loop = loop, say] { return say(times_of(loop)); }};
  }
  Row start() const {
    return {fmt::format("{}, start{}", loop.name, ending), "ns",
            how + ", time of none of its elements", in_cpp(each_element),
            [images = images, engine = engine] {
              return Work{line_through(times_of(images(), engine)).start * 1e9, 1};
            }};
  }
  Row element() const {
    return {
        fmt::format("{}, each element{}", loop.name, ending), "elements/s",
        fmt::format("{}; C++: {}", how, loop.text), in_cpp(each_element),
        [images = images, engine = engine] { return each_element(times_of(images(), engine)); }};
  }
  Row length(std::size_t k, bool headline) const {
    const auto say = [k](const Times& times) { return of_length(times, k); };
    return {fmt::format("{}, {} elements{}", loop.name, kLengths[k].elements, ending),
            "elements/s",
            fmt::format("{} N={}", how, kLengths[k].elements),
            in_cpp(say),
            [images = images, engine = engine, say] { return say(times_of(images(), engine)); },
            headline};
  }
};

std::vector<Row> rows_of(std::size_t kind) {
  const NativeLoop& loop = native_loops()[kind];
  Subject subject{loop, made_once([kind] { return images_of(kind); }),
                  fmt::format("{} kind={}", kFile, kind), nullptr, ""};
  std::vector<Row> rows = {subject.start(), subject.element(),
                           subject.length(kShown, loop.name == "add f32")};
  if (!can_compile()) return rows;
  subject.engine = &compiling_engine();
  subject.ending = ", compiled";
  subject.how += " --engine=jit";
  rows.push_back(subject.start());
  rows.push_back(subject.element());
  for (const std::size_t k : kShownCompiled) rows.push_back(subject.length(k, false));
  return rows;
}

}  // namespace

std::vector<Row> vector_rows() {
  std::vector<Row> rows;
  for (std::size_t kind = 0; kind < kNativeLoops; ++kind) {
    std::ranges::move(rows_of(kind), std::back_inserter(rows));
  }
  return rows;
}

}  // namespace wse::bench
