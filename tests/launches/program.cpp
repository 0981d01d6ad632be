// Writes bodies of tasks piece by piece.
#include "tests/launches/program.h"

#include <fmt/format.h>

#include "tests/support/random.h"

namespace wse::test_launches {
namespace {

using test_support::Random;

enum class Role : std::uint8_t { First, Middle, Last };

// Data, the clock, and what dispatches its ticks.
constexpr const char* kHead = R"(.const ONE = 0
.const K = {most}
.grid {width}, {height}
.colour odd = 0, even = 1, turn = 2, feed = 3, data = 5, tick = 20
)";
constexpr const char* kDeclarations = R"(  .f32 x[8] exported = x + y + i
  .f32 z[8] exported = 1
  .i32 c[6] exported = x + i
  .i32 d[6] exported
  .i32 ring[4] exported
  .i32 total exported
  .i32 turns exported
  .i32 noise exported
  .i32 seen[K] exported
  .i32 began exported
  .i32 delay[K] exported
  .i32 pads[K] exported
  .f32 padded[8]
  .i32 which[K] exported
  .i32 counts[K] exported
  .f32 factors[K] exported
  .i32 dispatched
  .i32 zero
  .i32 sink
  .reg n, alpha, k, t, w, v
  .dsr from, to
  .dsd round = circular(ring, length=4)
  .microthread first = 0, second = 1, taking = 2, ticking = 6, clock = 7
)";
// Starts a clock of w words.
constexpr const char* kClock = R"(    setd  from, mem(address(zero), length=1, stride=0)
    setdlen from, w
    setd  to, mem(address(sink), length=1, stride=0)
    setdlen to, w
    mov32 fabout(tick), from async ticking
.if ONE
    mov32 to, fabin(tick) async clock activate dispatch
.else
    mov32 to, fabin(tick) async clock
.end
)";
constexpr const char* kDispatch = R"(  task dispatch = 30:
    mov32 k, dispatched
    mov32 w, pads[k]
    setd  to, padded
    setdlen to, w
    setd  from, padded
    setdlen from, w
    fmuls to, from, 1.0
    mov32 n, counts[k]
    fmovs alpha, factors[k]
    mov32 t, which[k]
    add32 k, k, 1
    mov32 dispatched, k
    bge   k, K, last_{role}
    mov32 w, delay[k]
    beq   w, 0, last_{role}
{clock}  last_{role}:
    activate t
)";
constexpr const char* kBegin = R"(    tsc   t
    mov32 k, began
    mov32 seen[k], t
    add32 k, k, 1
    mov32 began, k
    fadds z, z, 1.0
)";

class Writer {
 public:
  explicit Writer(std::uint32_t seed) : random_(seed) {}

  Plan plan() {
    plan_.width = 3 + random_.below(3);
    plan_.height = 1 + random_.below(3);
    choose_tasks();
    plan_.text = fmt::format(fmt::runtime(kHead), fmt::arg("most", kMostLaunches),
                             fmt::arg("width", plan_.width), fmt::arg("height", plan_.height));
    for (const Role role : {Role::First, Role::Middle, Role::Last}) write_program(role);
    write_mesh();
    const std::uint32_t orders = 3 + random_.below(kMostLaunches - 3);
    for (std::uint32_t k = 0; k < orders; ++k) add_order(k + 1 < orders);
    return std::move(plan_);
  }

 private:
  enum class Piece : std::uint8_t {
    Add,
    Multiply,
    Count,
    Loop,
    Copy,
    Total,
    More,
    Random,
    Pass,
    Chain,
    Tell,
    Turn,
    Feed
  };
  static constexpr std::uint32_t kLocalPieces = 8;
  static constexpr std::uint32_t kPieces = 13;

  void choose_tasks() {
    tasks_.resize(2 + random_.below(3));
    for (std::size_t k = 0; k < tasks_.size(); ++k) {
      const std::uint32_t pieces = 1 + random_.below(4);
      for (std::uint32_t p = 0; p < pieces; ++p) {
        const bool is_local = k == 0 || random_.one_in(3);
        tasks_[k].push_back(
            static_cast<Piece>(is_local ? random_.below(kLocalPieces)
                                        : kLocalPieces + random_.below(kPieces - kLocalPieces)));
      }
    }
  }

  // Whether all PEs must take part.
  bool is_common(std::uint32_t task) const {
    for (const Piece piece : tasks_[task]) {
      if (static_cast<std::uint32_t>(piece) >= kLocalPieces) return true;
    }
    return false;
  }

  void write_program(Role role) {
    const char* const names[] = {"start", "middle", "finish"};
    name_ = names[static_cast<int>(role)];
    plan_.text +=
        fmt::format(".program {}(out: colour = odd, in: colour = odd)\n{}", name_, kDeclarations);
    plan_.text += "  task main:\n    mov32 w, delay[0]\n    beq   w, 0, idle_" + name_ + "\n";
    plan_.text += kClock;
    plan_.text += "  idle_" + name_ + ":\n    fmuls x, x, 0.5\n";
    if (role == Role::Last) {
      plan_.text += "    mov32 round, fabin(feed, length=endless) async taking\n";
    }
    plan_.text +=
        fmt::format(fmt::runtime(kDispatch), fmt::arg("role", name_), fmt::arg("clock", kClock));
    plan_.text += "  task more = 28:\n    fmuls z, z, 0.75\n";
    if (role != Role::First) {
      plan_.text +=
          "  task take on data (v):\n    mov32 t, total\n    add32 t, t, v\n"
          "    mov32 total, t\n";
    }
    for (std::uint32_t k = 0; k < tasks_.size(); ++k) {
      plan_.text += fmt::format("  task step{} = {} exported (n: i32, alpha: f32):\n{}", k,
                                kFirstId + k, kBegin);
      for (const Piece piece : tasks_[k]) write_piece(piece, role);
    }
  }

  void line(const std::string& text) { plan_.text += "    " + text + "\n"; }
  void label(const std::string& name) { plan_.text += "  " + name + ":\n"; }
  std::string new_label() { return fmt::format("l{}_{}", labels_++, name_); }

  void write_piece(Piece piece, Role role) {
    switch (piece) {
      case Piece::Add: return line("fadds x, x, alpha");
      case Piece::Multiply: return line("fmacs z, z, x, alpha");
      case Piece::Count: return line("add32 c, c, n");
      case Piece::Loop: return write_loop();
      case Piece::Copy: return line("fmovs x[0:3], z[4:7]");
      case Piece::Total:
        line("mov32 t, total");
        line("add32 t, t, n");
        return line("mov32 total, t");
      case Piece::More: return line("activate more");
      case Piece::Random: line("random16 t"); return line("mov32 noise, t");
      case Piece::Pass: return write_pass(role);
      case Piece::Chain: return write_chain(role);
      case Piece::Tell:
        if (role == Role::First) line("mov32 fabout(data), c[0:1]");  // a receiver may be busy
        return;
      case Piece::Turn: return write_turn(role);
      case Piece::Feed:
        if (role == Role::First) line("mov32 fabout(feed), c async second");
        if (role == Role::First) line("wait second");
        return;
    }
  }

  void write_loop() {
    const std::string again = new_label();
    line(fmt::format("mov32 t, {}", 2 + random_.below(6)));
    label(again);
    line("sub32 t, t, 1");
    line("blt   0, t, " + again);
    line("mov32 noise, n");
  }

  void write_pass(Role role) {
    if (role != Role::Last) line("fmovs fabout(out), x async first");
    if (role != Role::First) line("fmovs z, fabin(in)");
    if (role != Role::Last) line("wait first");
  }

  void write_chain(Role role) {
    if (role == Role::First) line("fmovs fabout(out), z");
    if (role == Role::Middle) line("fadds fabout(out), fabin(in), x");
    if (role == Role::Last) line("fadds x, x, fabin(in)");
  }

  // The words of the first PE go to the last one, or back to itself: in turn.
  void write_turn(Role role) {
    if (role == Role::Middle) return;
    const std::string away = new_label();
    line("mov32 t, turns");
    line("add32 k, t, 1");
    line("mov32 turns, k");
    line("and32 t, t, 1");
    if (role == Role::First) line("mov32 fabout(turn, advance), c async first");
    line(fmt::format("b{} t, 0, {}", role == Role::First ? "eq" : "ne", away));
    line("add32 d, d, fabin(turn)");
    label(away);
    if (role == Role::First) line("wait first");
  }

  void write_mesh() {
    const std::uint32_t last = plan_.width - 1;
    const auto mesh = [this](const std::string& text) { plan_.text += text + "\n"; };
    const std::string rows = fmt::format("0..{}", plan_.height - 1);
    const auto colour = [](std::uint32_t x) { return x % 2 == 0 ? "even" : "odd"; };
    mesh(fmt::format(".place start at (0, {}) with out = even, in = odd", rows));
    for (std::uint32_t x = 1; x < last; ++x) {
      mesh(fmt::format(".place middle at ({}, {}) with out = {}, in = {}", x, rows, colour(x),
                       colour(x - 1)));
    }
    mesh(fmt::format(".place finish at ({}, {}) with out = odd, in = {}", last, rows,
                     colour(last - 1)));
    for (std::uint32_t x = 0; x < last; ++x) {
      mesh(fmt::format(".route {} at ({}, {}): ramp -> east", colour(x), x, rows));
      mesh(fmt::format(".route {} at ({}, {}): west -> ramp", colour(x), x + 1, rows));
    }
    mesh(fmt::format(".route turn at (0, {}): [ramp -> east] [ramp -> ramp] ring", rows));
    mesh(fmt::format(".route feed at (0, {}): ramp -> east", rows));
    mesh(fmt::format(".route data at (0, {}): ramp -> east", rows));
    if (last > 1) {
      for (const char* const passed : {"turn", "feed"}) {
        mesh(fmt::format(".route {} at (1..{}, {}): west -> east", passed, last - 1, rows));
      }
      mesh(fmt::format(".route data at (1..{}, {}): west -> ramp, east", last - 1, rows));
    }
    for (const char* const taken : {"turn", "feed", "data"}) {
      mesh(fmt::format(".route {} at ({}, {}): west -> ramp", taken, last, rows));
    }
    mesh(fmt::format(".route tick at (0..{}, {}): ramp -> ramp", last, rows));
  }

  void add_order(bool has_next) {
    Order order{.task = random_.below(static_cast<std::uint32_t>(tasks_.size())),
                .count = static_cast<std::int32_t>(random_.below(200)) - 100,
                .factor = static_cast<float>(random_.below(64)) / 16 - 2,
                .region = {0, 0, plan_.width, plan_.height}};
    if (random_.one_in(3)) order.wait_cycles = random_.below(40);
    if (random_.one_in(3)) order.stop_cycles = 1 + random_.below(30);
    const bool is_second = !plan_.orders.empty() && plan_.orders.back().with_next;
    if (is_second) {  // on the PEs that the former leaves
      const vm::PeRect& left = plan_.orders.back().region;
      order.task = 0;
      order.region = {left.width, 0, plan_.width - left.width, plan_.height};
    } else if (has_next && random_.one_in(4)) {
      order.task = 0;
      order.region = {0, 0, 1 + random_.below(plan_.width - 1), plan_.height};
      order.with_next = true;
    } else if (!is_common(order.task) && random_.one_in(2)) {
      order.region.x = random_.below(plan_.width);
      order.region.y = random_.below(plan_.height);
      order.region.width = 1 + random_.below(plan_.width - order.region.x);
      order.region.height = 1 + random_.below(plan_.height - order.region.y);
    }
    plan_.orders.push_back(order);
  }

  Random random_;
  Plan plan_;
  std::vector<std::vector<Piece>> tasks_;
  std::string name_;
  std::uint32_t labels_ = 0;
};

}  // namespace

Plan random_plan(std::uint32_t seed) { return Writer(seed).plan(); }

const std::vector<std::string>& compared_arrays() {
  static const std::vector<std::string> kArrays = {"x",     "z",     "c",     "d",    "ring",
                                                   "total", "turns", "noise", "seen", "began"};
  return kArrays;
}

}  // namespace wse::test_launches
