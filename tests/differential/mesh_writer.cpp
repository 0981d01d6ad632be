// The mesh, its flows and their routes; then the whole text.
#include "tests/differential/mesh_writer.h"

#include <fmt/format.h>

#include <algorithm>

namespace wse::differential {
namespace {

constexpr int kMaxWidth = 6;
constexpr int kMaxHeight = 4;
constexpr std::uint32_t kMaxDimensions = 4;
constexpr std::size_t kMaxPositions = 4;
constexpr Place kSteps[] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
constexpr std::string_view kSides[] = {"west", "east", "north", "south"};

}  // namespace

MeshWriter::MeshWriter(test_support::Random& random, const isa::Profile& machine,
                       const MeshKind& kind)
    : random_(random), machine_(machine), kind_(kind) {
  if (kind.tall) {
    width_ = 1 + static_cast<int>(random_.below(kMaxWidth));
    height_ = kMaxHeight;
  } else if (!kind.plain && random_.one_in(6)) {
    dimensions_ = 1 + static_cast<int>(random_.below(kMaxDimensions));
    width_ = 1 << dimensions_;
  } else if (!random_.one_in(15)) {
    width_ = 1 + static_cast<int>(random_.below(kMaxWidth));
    height_ = 1 + static_cast<int>(random_.below(kMaxHeight));
  }
  grid_ = {width_, height_};
  if (kind.apart) choose_origin();
  const std::string everywhere =
      dimensions_ > 0 ? "[ramp -> dim0]" : "[ramp -> west, east, north, south]";
  for (int y = 0; y < height_; ++y) {
    for (int x = 0; x < width_; ++x) {
      const Place place{x, y};
      pes_.emplace(place, PeWriter(random_, machine_, name(place), everywhere, kind.plain));
    }
  }
}

// Around the ends of words and of blocks of 512 PEs, and of rows.
void MeshWriter::choose_origin() {
  static constexpr Place kGrids[] = {{70, 40},  {600, 9},  {512, 6}, {65, 64},
                                     {190, 22}, {128, 24}, {600, 31}};
  grid_ = kGrids[random_.below(std::size(kGrids))];
  static constexpr int kEnds[] = {64, 128, 512, 600};
  const int end = kEnds[random_.below(std::size(kEnds))] - static_cast<int>(random_.below(6));
  origin_.x = std::clamp(end, 0, grid_.x - width_);
  if (random_.one_in(4)) origin_.x = random_.one_in(2) ? 0 : grid_.x - width_;
  origin_.y = static_cast<int>(random_.below(static_cast<std::uint32_t>(grid_.y - height_ + 1)));
}

std::string MeshWriter::at(Place place) const {
  return fmt::format("({}, {})", origin_.x + place.x, origin_.y + place.y);
}

std::string MeshWriter::name(Place place) const { return fmt::format("p{}_{}", place.x, place.y); }

std::string MeshWriter::text() {
  greedy_ = random_.one_in(12);
  mistaken_ = random_.below(20) < 9;
  choose_servers();
  choose_numbers();
  if (kind_.tall) add_column();
  const std::uint32_t flows = 1 + random_.below(5);
  for (std::uint32_t k = 0; k < flows; ++k) add_flow();
  for (auto& [place, pe] : pes_) pe.header("task main:");
  for (const auto& [place, colour] : torn_) {
    if (!servers_.contains(place)) reconfigure(place, colour);
  }
  if (kind_.tall) transfer(flows_.front());
  const std::uint32_t events = 20 + random_.below(26);
  for (std::uint32_t k = 0; k < events; ++k) event();
  for (auto& [place, pe] : pes_) {
    if (servers_.contains(place)) {
      write_server(place);
    } else {
      if (random_.one_in(2)) pe.wait_all();
      pe.keep_registers();
      pe.end();
    }
  }
  std::string all = dimensions_ > 0 ? fmt::format(".hypercube {}\n", dimensions_)
                                    : fmt::format(".grid {}, {}\n", grid_.x, grid_.y);
  for (std::size_t k = 0; k < flows_.size(); ++k) {
    const std::string number = numbers_.empty() ? "" : fmt::format(" = {}", numbers_[k]);
    all += fmt::format(".colour {}{}\n", flows_[k].colour, number);
  }
  all += ".colour own\n";
  all += fmt::format(".route own at ({}..{}, {}..{}): ramp -> ramp\n", origin_.x,
                     origin_.x + width_ - 1, origin_.y, origin_.y + height_ - 1);
  // Routes at the ends of the grid make it several blocks of the wafer.
  const std::vector<Place> ends{{0, 0}, {grid_.x - 1, grid_.y - 1}};
  const bool far = kind_.apart && origin_.y % 4 != 3;
  for (const Place& end : ends) {
    if (!far || pes_.contains({end.x - origin_.x, end.y - origin_.y})) continue;
    all += fmt::format(".route own at ({}, {}): ramp -> ramp\n", end.x, end.y);
  }
  all += fmt::format(".entry stop = {}, note = {}, stray = {}\n", first_entry_, first_entry_ + 1,
                     first_entry_ + 2);
  for (const auto& [place, pe] : pes_) all += pe.text();
  for (const auto& [place, pe] : pes_) {
    all += fmt::format(".place {} at {}{}\n", pe.name(), at(place), pe.placement());
  }
  all +=
      ".library shared\n  function shared_function (r6: i32) -> r7: i32 link r11:\n"
      "    mul32 r7, r6, 3\n";
  return all + lines_ + stream_lines();
}

// At times colours high among the ids, with switches on every machine, and entries below them: then
// it matters by what tasks are picked.
void MeshWriter::choose_numbers() {
  if (!random_.one_in(3)) return;
  numbers_ = {4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 20, 21};
  for (std::size_t k = numbers_.size(); k > 1; --k) {
    std::swap(numbers_[k - 1], numbers_[random_.below(static_cast<std::uint32_t>(k))]);
  }
  if (random_.one_in(2)) first_entry_ = 0;
}

// Those that only serve: data tasks take whatever comes.
void MeshWriter::choose_servers() {
  if (pes_.size() < 2) return;
  for (const auto& [place, pe] : pes_) {
    if (random_.one_in(3)) servers_.insert(place);
  }
  if (servers_.size() == pes_.size()) servers_.erase(servers_.begin());
}

Place MeshWriter::any_place() {
  const auto skip = random_.below(static_cast<std::uint32_t>(pes_.size()));
  return std::next(pes_.begin(), skip)->first;
}

void MeshWriter::add_flow() {
  Flow flow;
  flow.colour = fmt::format("c{}", flows_.size());
  const std::uint32_t choice = random_.below(10);
  flow.kind = choice < 5   ? Flow::Kind::Line
              : choice < 6 ? Flow::Kind::Compass
                           : Flow::Kind::Switched;
  if (flow.kind == Flow::Kind::Compass) {
    if (!route_compass(flow)) return;
  } else {
    if (!walk(flow)) return;
    while (flow.path.size() > 1 && !servers_.contains(flow.path.back())) {
      if (flow.kind == Flow::Kind::Line || random_.one_in(20)) break;
      flow.path.pop_back();  // what switches let through must find somebody who takes it
      flow.taps.pop_back();
      flow.taps.back() = true;
    }
    if (flow.path.size() == 1 || !flow.enters.empty()) flow.kind = Flow::Kind::Line;
    if (flow.kind == Flow::Kind::Line) {
      route_line(flow);
    } else {
      route_switched(flow);
    }
  }
  flows_.push_back(flow);
}

void MeshWriter::add_column() {
  Flow flow;
  flow.colour = fmt::format("c{}", flows_.size());
  flow.kind = Flow::Kind::Line;
  const int x = static_cast<int>(random_.below(static_cast<std::uint32_t>(width_)));
  const bool up = random_.one_in(2);
  for (int k = 0; k < height_; ++k) {
    flow.path.push_back({x, up ? height_ - 1 - k : k});
    flow.taps.push_back(k + 1 == height_ || (k > 0 && random_.one_in(3)));
  }
  servers_.erase(flow.path.front());
  route_line(flow);
  flows_.push_back(flow);
}

// A way from some worker on that meets no router twice.
bool MeshWriter::walk(Flow& flow) {
  Place at = any_place();
  if (!kind_.plain && random_.one_in(5)) flow.enters = outward(at);
  if (flow.enters.empty() && servers_.contains(at)) return false;
  flow.path.push_back(at);
  const std::uint32_t steps = random_.one_in(8) ? 0 : 1 + random_.below(9);
  for (std::uint32_t k = 0; k < 4 * steps && flow.path.size() <= steps; ++k) {
    const std::vector<Neighbour> ways = neighbours(at);
    if (ways.empty()) break;
    const Place next = ways[random_.below(static_cast<std::uint32_t>(ways.size()))].place;
    if (std::ranges::find(flow.path, next) != flow.path.end()) continue;
    flow.path.push_back(next);
    at = next;
  }
  for (std::size_t k = 0; k < flow.path.size(); ++k) {
    const bool last = k + 1 == flow.path.size();
    const bool may = k > 0 || !flow.enters.empty();
    flow.taps.push_back(last || (may && random_.one_in(3)));
  }
  return true;
}

std::vector<Neighbour> MeshWriter::neighbours(Place place) const {
  std::vector<Neighbour> all;
  for (int k = 0; k < dimensions_; ++k) {
    all.push_back({fmt::format("dim{}", k), {place.x ^ 1 << k, 0}});
  }
  for (std::size_t k = 0; dimensions_ == 0 && k < std::size(kSteps); ++k) {
    const Place next{place.x + kSteps[k].x, place.y + kSteps[k].y};
    if (pes_.contains(next)) all.push_back({std::string(kSides[k]), next});
  }
  return all;
}

std::string MeshWriter::side(Place from, Place to) const {
  for (const Neighbour& way : neighbours(from)) {
    if (way.place == to) return way.side;
  }
  return "ramp";
}

void MeshWriter::route(const std::string& colour, Place place, const std::string& what) {
  const bool torn = !what.contains('[') && random_.one_in(12);
  if (torn) torn_.insert({place, colour});
  lines_ +=
      fmt::format(".route {} at {}: {}{}\n", colour, at(place), what, torn ? " torn_down" : "");
}

void MeshWriter::route_line(Flow& flow) {
  add_streams(flow);
  for (std::size_t k = 0; k < flow.path.size(); ++k) {
    const Place here = flow.path[k];
    std::string from = flow.enters.empty() ? "ramp" : flow.enters;
    if (k > 0) from = side(here, flow.path[k - 1]);
    std::string to = flow.leaves;
    if (k + 1 < flow.path.size()) to = side(here, flow.path[k + 1]);
    if (flow.taps[k]) to += to.empty() ? "ramp" : ", ramp";
    route(flow.colour, here, fmt::format("{} -> {}", from, to));
    if (flow.taps[k] && servers_.contains(here)) {
      fed_[here].push_back(flow.colour);
      if (random_.one_in(4)) add_filter(flow.colour, here);
    }
  }
}

std::string MeshWriter::outward(Place place) {
  if (dimensions_ > 0) return "";
  const std::uint32_t first = random_.below(4);
  for (std::uint32_t k = 0; k < 4; ++k) {
    const std::uint32_t way = (first + k) % 4;
    if (!pes_.contains({place.x + kSteps[way].x, place.y + kSteps[way].y})) {
      return std::string(kSides[way]);
    }
  }
  return "";
}

void MeshWriter::add_streams(Flow& flow) {
  if (kind_.plain) return;
  if (!flow.enters.empty()) flow.stock = 1 + random_.below(60);
  if (random_.one_in(4)) flow.leaves = outward(flow.path.back());
  if (flow.leaves == flow.enters && flow.path.size() == 1) flow.leaves.clear();
  if (random_.one_in(6)) flow.short_by = 1 + random_.below(20);
  if (!flow.leaves.empty() && random_.one_in(2)) flow.taps.back() = false;
}

// At times an array that is too small for what leaves.
std::string MeshWriter::stream_lines() const {
  static constexpr std::string_view kTypes[] = {"i32", "f32", "u16"};
  std::string all;
  for (const Flow& flow : flows_) {
    const std::string_view type = kTypes[flow.path.size() % std::size(kTypes)];
    if (!flow.enters.empty()) {
      const Place place = flow.path.front();
      all += fmt::format(".stream in_{}: {}[{}] at ({}, {}): {} -> {}\n", flow.colour, type,
                         flow.passed + flow.stock, place.x, place.y, flow.enters, flow.colour);
    }
    if (!flow.leaves.empty()) {
      const Place place = flow.path.back();
      const std::uint32_t all_of_it = flow.passed + flow.stock + 1;
      const std::uint32_t size = flow.short_by < all_of_it ? all_of_it - flow.short_by : 1;
      all += fmt::format(".stream out_{}: {}[{}] at ({}, {}): {} -> {}\n", flow.colour, type, size,
                         place.x, place.y, flow.colour, flow.leaves);
    }
  }
  return all;
}

// A worker that sends to its neighbours in turn, each time after the last word to another.
bool MeshWriter::route_compass(Flow& flow) {
  const Place centre = any_place();
  if (servers_.contains(centre)) return false;
  flow.path.push_back(centre);
  std::string positions;
  const std::vector<Neighbour> ways = neighbours(centre);
  const std::uint32_t first = random_.below(4);
  for (std::size_t k = 0; k < std::min(ways.size(), kMaxPositions); ++k) {
    const auto& [way, next] = ways[(first + k) % ways.size()];
    positions += fmt::format(" [{}-> {}]", positions.empty() ? "ramp " : "", way);
    lines_ +=
        fmt::format(".route {} at {}: {} -> ramp\n", flow.colour, at(next), side(next, centre));
    flow.path.push_back(next);
    if (servers_.contains(next)) fed_[next].push_back(flow.colour);
  }
  if (positions.empty()) return false;
  flow.ring = flow.path.size() > 2 && random_.one_in(2);
  route(flow.colour, centre, positions.substr(1) + (flow.ring ? " ring" : ""));
  return true;
}

void MeshWriter::add_filter(const std::string& colour, Place place) {
  const std::uint32_t most = random_.below(4);
  const std::uint32_t limit = most + random_.below(4);
  std::string what = fmt::format("range {}..{}", random_.below(3), 3 + random_.below(4));
  const std::uint32_t kind = kind_.plain ? 1 + random_.below(2) : random_.below(3);
  if (kind > 0) {
    static constexpr std::string_view kCounts[] = {"data", "control", "both"};
    what =
        fmt::format("{} max={} limit={} start={} counts={}", kind == 1 ? "counter" : "sparse", most,
                    limit, random_.below(limit + 1), kCounts[kind_.plain ? 0 : random_.below(3)]);
    if (kind == 2) what += fmt::format(" then={}", most + random_.below(4));
    if (!kind_.plain && random_.one_in(2)) what += " control=filtered";
  }
  uncertain_.insert(place);
  lines_ += fmt::format(".filter {} at {}: {}\n", colour, at(place), what);
}

}  // namespace wse::differential
