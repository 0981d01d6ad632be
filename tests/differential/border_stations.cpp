// Senders of a line, and PEs on the way that change what passes.
#include <fmt/format.h>

#include <algorithm>

#include "tests/differential/border_writer.h"

namespace wse::differential {
namespace {

constexpr std::uint32_t kPad = 400;   // elements on which a PE spends time
constexpr std::uint32_t kLeast = 80;  // for which a PE waits that cuts a message
// Commands behind the first one of a control wavelet: routers on the way may pop some.
constexpr std::string_view kRest = "nop, nop, nop, nop, nop, nop, nop";

}  // namespace

// Spends about as many cycles as it works on elements.
void BorderWriter::delay(Station& station, std::uint32_t most, std::uint32_t least) {
  const std::uint32_t elements = least + random_.below(most - least);
  if (elements > 0) station.line(fmt::format("mul32 pad[0:{0}], pad[0:{0}], 3", elements));
}

// One to three messages, mostly long, some with a control wavelet behind them; the last is always.
void BorderWriter::sender(Line& line) {
  Station station;
  line.packed = random_.one_in(6);
  std::vector<std::uint32_t> ends;
  for (std::uint32_t k = 1 + random_.below(3); k > 0; --k) {
    line.words += random_.one_in(5) ? 1 + random_.below(20) : 120 + random_.below(180);
    ends.push_back(line.words);
  }
  station.data(fmt::format(".i32 pad[{}]", kPad));
  if (line.packed) {
    station.data(fmt::format(".i16 v[{}] = 3 * i + 1", 2 * line.words));
  } else {
    station.data(fmt::format(".i32 v[{}] = (7 * i + {}) % {}", line.words, random_.below(kElements),
                             kElements));
  }
  std::uint32_t first = 0;
  for (const std::uint32_t end : ends) {
    message(line, station, first, end);
    first = end;
    if (end != ends.back() && !random_.one_in(3)) continue;
    ++line.controls;
    station.line(
        fmt::format("mov32 fabout({}, control), control(40, nop, {})", line.colour, kRest));
  }
  place(line.path.front(), station);
}

// By one instruction: at once, two words read for each that is sent, packed, or from a FIFO whose
// words come with a pause.
void BorderWriter::message(Line& line, Station& station, std::uint32_t first, std::uint32_t end) {
  const std::string to = fmt::format("fabout({}", line.colour);
  if (line.packed) {
    return station.line(fmt::format("mov16 {}, packed), v[{}:{}]", to, 2 * first, 2 * end));
  }
  const std::string words = fmt::format("v[{}:{}]", first, end);
  switch (random_.below(3)) {
    case 0: return station.line(fmt::format("mov32 {}), {}", to, words));
    case 1: return station.line(fmt::format("or32 {}), {}, {}", to, words, words));
    default: break;
  }
  const std::string queue = fmt::format("q{}", first);
  station.data(fmt::format(".i32 store{}[{}]", first, 1 + random_.below(60)));
  station.data(fmt::format(".fifo {} = store{}", queue, first));
  const std::uint32_t pause = first + random_.below(end - first + 1);
  station.line(fmt::format("mov32 {}, length={}), {} async 1", to, end - first, queue));
  station.line(fmt::format("mov32 {}, v[{}:{}] async 2", queue, first, pause));
  station.line("wait 2");
  delay(station, kPad);
  station.line(fmt::format("mov32 {}, v[{}:{}] async 2", queue, pause, end));
  station.line("wait 2");
  station.line("wait 1");
}

// A router that lets words of its own PE pass between two that come from before.
void BorderWriter::splicer(Line& line, std::size_t k) {
  Station station;
  const bool tears_down = random_.one_in(2);
  const std::string to = after(line, k);
  const std::string routing =
      fmt::format("[{} -> {}] [ramp -> {}] ring pop={}", before(line, k), to, to,
                  tears_down || random_.one_in(2) ? "always" : "on_advance");
  route(line, k, routing);
  station.data(fmt::format(".i32 pad[{}]", kPad));
  for (std::uint32_t splices = tears_down ? random_.below(2) : 1 + random_.below(2); splices > 0;
       --splices) {
    splice(line, station);
  }
  if (random_.one_in(40)) station.line(fmt::format("setpos {}, 0", line.colour));
  if (tears_down) tear_down(line, station, routing);
  place(line.path[k], station);
}

// Takes the switch, and gives it back with the last word or by a command.
void BorderWriter::splice(Line& line, Station& station) {
  delay(station, kPad, kLeast);
  station.line(fmt::format("mov32 fabout({}, length=0, advance), r1", line.colour));
  const std::uint32_t choice = random_.below(4);
  if (choice == 0) {
    ++line.controls;
    return station.line(fmt::format("mov32 fabout({}, control, advance), control(40, nop, {})",
                                    line.colour, kRest));
  }
  if (choice == 1) {
    ++line.controls;
    return station.line(
        fmt::format("mov32 fabout({}, control), control(40, adv, {})", line.colour, kRest));
  }
  const std::uint32_t words = random_.one_in(2) ? 1 + random_.below(20) : 70 + random_.below(60);
  const std::string name = fmt::format("own{}", line.words);
  station.data(fmt::format(".i32 {}[{}] = (11 * i + {}) % {}", name, words, line.words, kElements));
  station.line(fmt::format("mov32 fabout({}, advance), {}", line.colour, name));
  line.words += words;
}

// The router holds all words, until its PE has written the route or the position.
void BorderWriter::tear_down(const Line& line, Station& station, const std::string& routing) {
  delay(station, kPad, kLeast);
  station.line(fmt::format("mov32 fabout({}, length=0, advance), r1", line.colour));
  station.line(
      fmt::format("mov32 fabout({}, control), control(31, teardown, {})", line.colour, kRest));
  station.data(".passive");
  station.header(fmt::format("task redo teardown {}:", line.colour));
  delay(station, kPad);
  if (random_.one_in(2)) {
    station.data(".routing again = " + routing);
    station.line(fmt::format("setroute {}, again", line.colour));
  } else {
    station.line(fmt::format("setpos {}, 0", line.colour));
  }
  station.line("teardown_exit " + line.colour);
}

// A router that gives its PE copies of the words of some stretches. Tasks take them one by one, or
// an instruction that begins again behind each control wavelet.
void BorderWriter::toggler(const Line& line, std::size_t k) {
  Station station;
  const std::string& colour = line.colour;
  const std::string to = after(line, k);
  route(line, k,
        fmt::format("[{} -> {}, ramp] [{} -> {}] ring", before(line, k), to, before(line, k), to));
  station.data(fmt::format(".i32 pad[{}]", kPad));
  station.data(".i32 y[8]");
  station.data(".reg n, a, seen");
  station.data(".passive");
  const bool by_task = random_.one_in(2);
  const std::string receive = fmt::format(
      "mov32 circular(y[0:8], length=1, start=0), fabin({}, length=endless, on_control=terminate) "
      "async 0 activate again",
      colour);
  if (!by_task) station.line("block " + colour);
  if (!by_task) station.line(receive);
  for (std::uint32_t turns = 1 + random_.below(6); turns > 0; --turns) {
    delay(station, kPad / 2, kLeast);
    station.line(fmt::format("mov32 fabout({}, length=0, advance), r1", colour));
  }
  if (!by_task) {
    station.header("task again:");
    station.line(receive);
  } else {
    station.header(fmt::format("task take on {} (a):", colour));
    station.line("and32 n, n, 7");
    station.line("mov32 y[n], a");
    station.line("add32 n, n, 1");
    station.header("task noted control 40 (seen):");
    station.line("add32 n, n, 3");
  }
  place(line.path[k], station);
}

// A PE that takes copies of all words, or of those that pass its filter.
void BorderWriter::tap(Line& line, std::size_t k) {
  Station station;
  route(line, k, fmt::format("{} -> {}, ramp", before(line, k), after(line, k)));
  owned_.insert(line.path[k]);
  const std::uint32_t words = random_.one_in(2) ? filter(line, k) : line.words;
  take(line, station, words, nullptr);
  place(line.path[k], station);
}

// Writes a filter that counts words. Returns how many of the line's words pass.
std::uint32_t BorderWriter::filter(const Line& line, std::size_t k) {
  const bool sparse = random_.one_in(3);
  const std::uint32_t limit = 1 + random_.below(200);
  const std::uint32_t most = random_.below(limit + 1);
  const std::uint32_t start = random_.below(limit + 1);
  const std::uint32_t then = most + random_.below(100);
  routes_ += fmt::format(".filter {} at ({}, {}): {} max={} limit={} start={} counts=data{}\n",
                         line.colour, line.path[k].x, line.path[k].y, sparse ? "sparse" : "counter",
                         most, limit, start, sparse ? fmt::format(" then={}", then) : "");
  std::uint32_t passed = 0;
  std::uint32_t counter = start;
  std::uint32_t turn = limit;
  for (std::uint32_t word = 0; word < line.words; ++word) {
    passed += counter <= most ? 1 : 0;
    if (counter < turn) {
      ++counter;
    } else {
      counter = 0;
      if (sparse) turn = then;
    }
  }
  return passed;
}

}  // namespace wse::differential
