// How a PE takes the words of a line, and sends them on.
#include <fmt/format.h>

#include <algorithm>

#include "tests/differential/border_writer.h"

namespace wse::differential {
namespace {

constexpr std::uint32_t kMostTasks = 150;  // words for which tasks are started

}  // namespace

void BorderWriter::take(const Line& line, Station& station, std::uint32_t words, Line* next) {
  if (random_.one_in(20)) ++words;  // one that never comes
  station.data(".i32 pad[400]");
  station.data(".reg n, k, a, seen");
  if (next != nullptr) {
    next->words = words;
    next->packed = line.packed;
  }
  const std::uint32_t choice = random_.below(10);
  if (random_.one_in(2)) delay(station, 200);
  if (!random_.one_in(20)) station.line("unblock " + line.colour);  // for its control task
  if (words == 0) {
    take_until_control(line, station);
  } else if (choice < 2) {
    take_whole(line, station, words, next);
  } else if (choice < 4) {
    take_pieces(line, station, words, next);
  } else if (choice < 6) {
    take_by_queue(line, station, words, next);
  } else if (choice < 8 && !line.packed) {
    take_names(line, station, words, next);
  } else if (choice < 9 && words <= kMostTasks && next == nullptr) {
    take_by_task(line, station, words);
  } else if (next == nullptr) {
    take_until_control(line, station);
  } else {
    take_pieces(line, station, words, next);
  }
  finish(station, next);
}

// The operand, which may do something on a control wavelet; at times it ends too early.
std::string BorderWriter::from(const Line& line, std::uint32_t words) {
  static constexpr std::string_view kKinds[] = {"activate(note)", "unblock(note)"};
  std::string on_control;
  if (random_.one_in(4)) on_control = fmt::format(", on_control={}", kKinds[random_.below(2)]);
  if (random_.one_in(40)) on_control = ", on_control=terminate";
  return fmt::format("fabin({}, length={}{})", line.colour, words, on_control);
}

void BorderWriter::take_whole(const Line& line, Station& station, std::uint32_t words, Line* next) {
  station.data(fmt::format(".i32 y[{}]", words));
  const std::string to = next != nullptr ? fmt::format("fabout({})", next->colour) : "y";
  station.line(fmt::format("mov32 {}, {} async 0 activate done", to, from(line, words)));
}

// Instructions one after the other, between which a control wavelet may go on.
void BorderWriter::take_pieces(const Line& line, Station& station, std::uint32_t words,
                               Line* next) {
  station.data(fmt::format(".i32 y[{}]", words));
  std::uint32_t first = 0;
  for (std::uint32_t k = 1; first < words; ++k) {
    const std::uint32_t end = std::min(words, first + 1 + random_.below(words));
    const std::string then = end == words ? "done" : fmt::format("piece{}", k);
    const std::string to = next != nullptr ? fmt::format("fabout({})", next->colour)
                                           : fmt::format("y[{}:{}]", first, end);
    station.line(fmt::format("mov32 {}, {} async {} activate {}", to, from(line, end - first),
                             random_.below(2), then));
    first = end;
    if (first == words) break;
    station.header(fmt::format("task {}:", then));
    if (next == nullptr || !random_.one_in(2)) continue;
    ++next->controls;
    station.line(fmt::format("mov32 fabout({}, control), control(40, nop, nop, nop, nop, nop)",
                             next->colour));
  }
}

void BorderWriter::take_by_queue(const Line& line, Station& station, std::uint32_t words,
                                 Line* next) {
  station.data(fmt::format(".i32 y[{}]", words));
  station.data(fmt::format(".i32 store[{}]", 1 + random_.below(100)));
  station.data(".fifo q = store");
  station.line(fmt::format("mov32 q, {} async 0", from(line, words)));
  delay(station, 300);
  const std::string to =
      next != nullptr ? fmt::format("fabout({}, length={})", next->colour, words) : "y";
  station.line(fmt::format("mov32 {}, q async 1 activate done", to));
}

// The words are numbers of elements: to write, or to read and maybe to send on. At times there are
// too few elements.
void BorderWriter::take_names(const Line& line, Station& station, std::uint32_t words, Line* next) {
  const std::uint32_t elements = random_.one_in(20) ? kElements / 2 : kElements;
  station.data(fmt::format(".i32 y[{}] = 3 * i % {}", elements, kElements));
  station.data(fmt::format(".i32 z[{}] = 5 * i", words));
  const bool writes = next == nullptr && random_.one_in(2);
  const std::uint32_t half = 1 + random_.below(words);
  std::uint32_t first = 0;
  for (const std::uint32_t end : {half, words}) {
    if (first == end) break;
    const std::string names = fmt::format("y[{}]", from(line, end - first));
    const std::string slice = fmt::format("z[{}:{}]", first, end);
    const std::string to = next != nullptr ? fmt::format("fabout({})", next->colour) : slice;
    const std::string then = end == words ? "done" : "other";
    station.line(writes ? fmt::format("mov32 {}, {} async 0 activate {}", names, slice, then)
                        : fmt::format("mov32 {}, {} async 0 activate {}", to, names, then));
    if (end != words) station.header("task other:");
    first = end;
  }
}

// Every control wavelet ends an instruction without an end of its own; the last ends the PE.
void BorderWriter::take_until_control(const Line& line, Station& station) {
  station.data(".i32 y[8]");
  station.line("block " + line.colour);
  for (std::uint32_t k = 1; k <= line.controls; ++k) {
    const std::string then = k == line.controls ? "done" : fmt::format("piece{}", k);
    station.line(
        fmt::format("mov32 circular(y[0:8], length=1, start=0), fabin({}, length=endless, "
                    "on_control=terminate) async 0 activate {}",
                    line.colour, then));
    if (k < line.controls) station.header(fmt::format("task {}:", then));
  }
}

void BorderWriter::take_by_task(const Line& line, Station& station, std::uint32_t words) {
  station.data(fmt::format(".i32 y[{}]", words));
  station.header(
      fmt::format("task take on {} (a){}:", line.colour, random_.one_in(3) ? " high" : ""));
  station.line("mov32 y[k], a");
  station.line("add32 k, k, 1");
  station.line(fmt::format("blt k, {}, more", words));
  station.line("activate done");
  station.header("more:");
}

void BorderWriter::finish(Station& station, Line* next) {
  station.header("task noted control 40 (seen):");
  station.line("add32 n, n, seen");
  station.header("task note:");
  station.line("add32 n, n, 100");
  station.header("task done:");
  station.line("mark done");
  if (next != nullptr) {
    ++next->controls;
    station.line(fmt::format("mov32 fabout({}, control), control(40, nop, nop, nop, nop, nop)",
                             next->colour));
  }
  station.line("halt");
}

}  // namespace wse::differential
