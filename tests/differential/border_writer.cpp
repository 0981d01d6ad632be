// The mesh, lines of routers across borders of blocks, and who is where on them.
#include "tests/differential/border_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "vm/planes/bits/grid.h"

namespace wse::differential {
namespace {

struct Size {
  int width;
  int height;
};
// Two have blocks of whole rows that end in the middle of one, two have tiles of 64 x 8 PEs.
constexpr Size kMeshes[] = {{600, 9}, {600, 9}, {130, 12}, {130, 12}, {128, 16}, {192, 24}};
constexpr std::uint32_t kMostLines = 4;
constexpr int kNear = 10;  // PEs between lines of one program, so that they share a border

struct Direction {
  std::string_view side;
  int x;
  int y;
};
constexpr Direction kDirections[] = {
    {"west", -1, 0}, {"east", 1, 0}, {"north", 0, -1}, {"south", 0, 1}};

}  // namespace

std::string BorderWriter::text() {
  choose_mesh();
  const std::uint32_t lines = 1 + random_.below(3);
  for (std::uint32_t k = 0; k < lines && lines_ < kMostLines; ++k) {
    Line line = new_line();
    if (!lay_across(line)) continue;
    sender(line);
    add_line(line);
  }
  std::string all = fmt::format(".grid {}, {}\n.colour edge", width_, height_);
  for (std::uint32_t k = 0; k < lines_; ++k) all += fmt::format(", c{}", k);
  // Routes in two corners: the blocks are those of the whole mesh.
  all +=
      fmt::format("\n.route edge at (0, 0): ramp -> ramp\n.route edge at ({}, {}): ramp -> ramp\n",
                  width_ - 1, height_ - 1);
  return all + programs_ + routes_;
}

void BorderWriter::choose_mesh() {
  const Size size = kMeshes[random_.below(std::size(kMeshes))];
  width_ = size.width;
  height_ = size.height;
  const auto width = static_cast<std::uint32_t>(width_);
  const auto height = static_cast<std::uint32_t>(height_);
  const auto mesh = isa::Topology::mesh(width, height);
  const vm::wafer::Grid grid(mesh, {.x = 0, .y = 0, .width = width, .height = height});
  const auto block = [&](int x, int y) {
    return grid.block_of(static_cast<std::uint32_t>(y * width_ + x));
  };
  for (int y = 0; y < height_; ++y) {
    for (int x = 0; x < width_; ++x) {
      const bool row = x + 1 < width_ && block(x, y) != block(x + 1, y);
      const bool column = y + 1 < height_ && block(x, y) != block(x, y + 1);
      if (row) along_rows_.push_back({{x, y}, {x + 1, y}});
      if (column) along_columns_.push_back({{x, y}, {x, y + 1}});
    }
  }
}

// All but the first line begin near the PEs that have a program.
std::vector<BorderWriter::Edge> BorderWriter::edges_near(const std::vector<Edge>& edges) const {
  if (owned_.empty()) return edges;
  std::vector<Edge> near;
  const Cell centre = *owned_.begin();
  std::ranges::copy_if(edges, std::back_inserter(near), [&](const Edge& edge) {
    return std::abs(edge.near.x - centre.x) + std::abs(edge.near.y - centre.y) <= kNear;
  });
  return near;
}

BorderWriter::Line BorderWriter::new_line() {
  Line line;
  line.colour = fmt::format("c{}", lines_++);
  return line;
}

// Goes on from the end of the path, mostly straight, where the path has not been.
void BorderWriter::extend(std::vector<Cell>& path, std::uint32_t steps) {
  std::uint32_t side = random_.below(4);
  if (path.size() > 1) {
    const Cell at = path.back();
    const Cell past = path[path.size() - 2];
    for (std::uint32_t k = 0; k < 4; ++k) {
      if (past.x + kDirections[k].x == at.x && past.y + kDirections[k].y == at.y) side = k;
    }
  }
  for (std::uint32_t tries = 0; tries < 4 * steps && steps > 0; ++tries) {
    if (random_.one_in(5)) side = random_.below(4);
    const Cell next{path.back().x + kDirections[side].x, path.back().y + kDirections[side].y};
    const bool inside = next.x >= 0 && next.x < width_ && next.y >= 0 && next.y < height_;
    if (!inside || std::ranges::find(path, next) != path.end()) {
      side = random_.below(4);
      continue;
    }
    path.push_back(next);
    --steps;
  }
}

bool BorderWriter::lay_across(Line& line) {
  const std::vector<Edge> edges = edges_near(random_.one_in(2) ? along_rows_ : along_columns_);
  if (edges.empty()) return false;
  Edge edge = edges[random_.below(static_cast<std::uint32_t>(edges.size()))];
  if (random_.one_in(2)) std::swap(edge.near, edge.far);
  line.path = {edge.far, edge.near};
  extend(line.path, random_.below(4));
  std::ranges::reverse(line.path);
  extend(line.path, 1 + random_.below(7));
  return !owned_.contains(line.path.front()) && !owned_.contains(line.path.back());
}

bool BorderWriter::lay_from(Line& line, Cell first) {
  line.path = {first};
  extend(line.path, 2 + random_.below(6));
  return line.path.size() > 1 && !owned_.contains(line.path.back());
}

// All after the first PE, which sends.
void BorderWriter::add_line(Line& line) {
  route(line, 0, "ramp -> " + after(line, 0));
  for (std::size_t k = 1; k + 1 < line.path.size(); ++k) {
    const bool free = !owned_.contains(line.path[k]) && line.path[k] != line.path.back();
    const std::uint32_t choice = free ? random_.below(8) : 7;
    if (choice < 2) {
      splicer(line, k);
    } else if (choice < 3) {
      toggler(line, k);
    } else if (choice < 5) {
      tap(line, k);
    } else {
      route(line, k, fmt::format("{} -> {}", before(line, k), after(line, k)));
    }
  }
  add_last(line);
}

void BorderWriter::add_last(Line& line) {
  const std::size_t last = line.path.size() - 1;
  const Cell cell = line.path.back();
  route(line, last, before(line, last) + " -> ramp");
  owned_.insert(cell);
  const std::uint32_t words = random_.one_in(4) ? filter(line, last) : line.words;
  Station station;
  Line next;
  const bool sends_on = lines_ < kMostLines && random_.one_in(2) && lay_from(next, cell);
  if (sends_on) next.colour = new_line().colour;
  take(line, station, words, sends_on ? &next : nullptr);
  place(cell, station);
  if (sends_on) add_line(next);
}

void BorderWriter::route(const Line& line, std::size_t k, const std::string& what) {
  routes_ +=
      fmt::format(".route {} at ({}, {}): {}\n", line.colour, line.path[k].x, line.path[k].y, what);
}

std::string BorderWriter::side(Cell here, Cell there) {
  for (const Direction& way : kDirections) {
    if (here.x + way.x == there.x && here.y + way.y == there.y) return std::string(way.side);
  }
  return "ramp";
}

std::string BorderWriter::before(const Line& line, std::size_t k) {
  return side(line.path[k], line.path[k - 1]);
}

std::string BorderWriter::after(const Line& line, std::size_t k) {
  return side(line.path[k], line.path[k + 1]);
}

void BorderWriter::place(Cell cell, const Station& station) {
  owned_.insert(cell);
  const std::string name = fmt::format("p{}_{}", cell.x, cell.y);
  programs_ += fmt::format(".program {}\n{}", name, station.text());
  routes_ += fmt::format(".place {} at ({}, {})\n", name, cell.x, cell.y);
}

}  // namespace wse::differential
