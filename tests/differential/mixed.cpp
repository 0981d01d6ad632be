// One colour that carries everything at once: words in messages of any length, control wavelets
// between them that ask for tasks, and at each PE on the way another way to take both.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "tests/differential/mixed.h"

namespace wse::differential {
namespace {

using test_support::Random;

constexpr std::uint32_t kNoted = 40;    // the entry that receivers bind
constexpr std::uint32_t kDropped = 31;  // the entry that every PE drops
constexpr std::uint32_t kLogged = 32;   // arguments that a PE keeps

// How a PE takes the words of the colour.
enum class Taker : std::uint8_t {
  Receive,  // one asynchronous instruction
  Pieces,   // several, each started by the end of the one before
  Queue,    // into a FIFO, from which another thread pops
  Relay,    // on to the next PE, on a colour of its own
  Task,     // a data task for each word
  Main,     // the main thread waits: a control wavelet before the last word stops it for ever
};

class MixedWriter {
 public:
  explicit MixedWriter(Random& random) : random_(random), width_(2 + random.below(3)) {}

  std::string text() {
    write_sender();
    for (std::uint32_t x = 1; x < width_; ++x) write_receiver(x);
    return fmt::format(".grid {}, 1\n.colour red, blue\n{}{}", width_, programs_, routes_);
  }

 private:
  void line(const std::string& text) { programs_ += "    " + text + "\n"; }
  void header(const std::string& text) { programs_ += "  " + text + "\n"; }

  // Messages and control wavelets in any order; at times a message leaves on a microthread.
  void write_sender() {
    std::string code;
    const std::uint32_t items = 3 + random_.below(7);
    for (std::uint32_t k = 0; k < items; ++k) {
      if (k == 1 || random_.one_in(3)) {
        code += control();
        continue;
      }
      const std::uint32_t words = 1 + random_.below(12);
      const bool asynchronous = random_.one_in(4);
      code += fmt::format("    mov32 fabout(red), v[{}:{}]{}\n", words_, words_ + words,
                          asynchronous ? " async 2" : "");
      if (asynchronous) code += "    wait 2\n";
      words_ += words;
    }
    if (words_ == 0) code += "    mov32 fabout(red), v[0:1]\n";
    words_ = std::max(words_, 1u);
    programs_ +=
        fmt::format(".program sender\n  .i32 v[{}] = 3 * i + 1\n  task main:\n{}", words_, code);
    routes_ += ".place sender at (0, 0)\n.route red at (0, 0): ramp -> east\n";
  }

  std::string control() {
    const bool dropped = random_.one_in(8);
    const bool hidden = random_.one_in(8);
    return fmt::format("    mov32 fabout(red, control), control({}, {}, data={})\n",
                       dropped ? kDropped : kNoted, hidden ? "ignore(nop)" : "nop",
                       random_.below(1000));
  }

  void write_receiver(std::uint32_t x) {
    const bool last = x + 1 == width_;
    const bool fed = last && relays_;  // by the PE before, on the other colour
    const bool tapped = last || random_.one_in(2);
    routes_ += fmt::format(".route red at ({}, 0): west -> {}\n", x,
                           last     ? "ramp"
                           : tapped ? "east, ramp"
                                    : "east");
    if (!tapped) return;
    programs_ += fmt::format(
        ".program taker{0}\n  .i32 y[{1}]\n  .i32 z[{1}]\n  .i32 log[{2}]\n  .reg n, k, a, seen\n"
        "  task main:\n",
        x, words_, kLogged);
    delay();
    if (!random_.one_in(8)) line("unblock red");
    if (fed) line(fmt::format("mov32 z, fabin(blue, length={}) async 4", words_));
    const bool waits = random_.one_in(10);
    const Taker taker = waits ? Taker::Main : static_cast<Taker>(random_.below(5));
    take(x, taker == Taker::Relay && (last || relays_) ? Taker::Receive : taker);
    write_tasks();
    routes_ += fmt::format(".place taker{0} at ({0}, 0)\n", x);
    if (fed) routes_ += fmt::format(".route blue at ({}, 0): west -> ramp\n", x);
  }

  void take(std::uint32_t x, Taker taker) {
    const std::string all = fmt::format("fabin(red, length={}{})", words_, on_control());
    switch (taker) {
      case Taker::Receive: line(fmt::format("mov32 y, {} async 0 activate done", all)); break;
      case Taker::Pieces: take_pieces(); break;
      case Taker::Queue: {
        const auto at = programs_.rfind("  task main:");
        programs_.insert(
            at, fmt::format("  .i32 store[{}]\n  .fifo q = store\n", 1 + random_.below(9)));
        line(fmt::format("mov32 q, {} async 0", all));
        line(fmt::format("mov32 y, q async {} activate done", 1 + random_.below(2)));
        break;
      }
      case Taker::Relay:
        relays_ = true;
        line(fmt::format("add32 fabout(blue), {}, 7 async 0 activate done", all));
        routes_ += fmt::format(".route blue at ({}, 0): ramp -> east\n", x);
        for (std::uint32_t k = x + 1; k + 1 < width_; ++k) {
          routes_ += fmt::format(".route blue at ({}, 0): west -> east\n", k);
        }
        break;
      case Taker::Task:
        if (random_.one_in(2)) line("block take");
        if (random_.one_in(2)) delay();
        line("unblock take");
        header(fmt::format("task take on red (a){}:", random_.one_in(3) ? " high" : ""));
        line("mov32 y[k], a");
        line("add32 k, k, 1");
        line(fmt::format("blt k, {}, more", words_));
        line("activate done");
        header("more:");
        break;
      case Taker::Main:
        line(fmt::format("mov32 y, {}", all));
        line("activate done");
        break;
    }
  }

  void take_pieces() {
    std::uint32_t from = 0;
    for (std::uint32_t k = 1; from < words_; ++k) {
      const std::uint32_t to = std::min(words_, from + 1 + random_.below(words_));
      const std::string next = to == words_ ? "done" : fmt::format("piece{}", k);
      line(fmt::format("mov32 y[{}:{}], fabin(red{}) async {} activate {}", from, to, on_control(),
                       random_.below(2), next));
      if (to < words_) header(fmt::format("task {}:", next));
      from = to;
    }
  }

  std::string on_control() {
    if (!random_.one_in(6)) return {};
    static constexpr const char* kKinds[] = {"terminate", "activate(note)", "unblock(note)"};
    return fmt::format(", on_control={}", kKinds[random_.below(3)]);
  }

  void delay() {
    const std::uint32_t turns = random_.below(9);
    if (turns == 0) return;
    line(fmt::format("mov32 k, {}", turns));
    const std::uint32_t label = labels_++;
    header(fmt::format("loop{}:", label));
    line("sub32 k, k, 1");
    line(fmt::format("bgt k, 0, loop{}", label));
    line("mov32 k, 0");
  }

  // The task that control wavelets ask for, one that it or an instruction may tell, and the end.
  void write_tasks() {
    header(
        fmt::format("task noted control {} (seen){}:", kNoted, random_.one_in(3) ? " high" : ""));
    line(fmt::format("and32 a, n, {}", kLogged - 1));
    line("mov32 log[a], seen");
    line("add32 n, n, 1");
    if (random_.one_in(3)) line("activate note");
    header("task note:");
    line("add32 n, n, 100");
    header("task done:");
    if (random_.one_in(3)) line("add32 n, n, 10000");
    line("mark done");
    line("halt");
  }

  Random& random_;
  std::uint32_t width_;
  std::uint32_t words_ = 0;  // that the sender sends
  std::uint32_t labels_ = 0;
  bool relays_ = false;  // a PE sends on to the last one
  std::string programs_;
  std::string routes_;
};

}  // namespace

std::string mixed_text(Random& random) { return MixedWriter(random).text(); }

}  // namespace wse::differential
