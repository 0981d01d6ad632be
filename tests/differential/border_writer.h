// Random programs of few PEs beside borders of blocks and strips of the wafer, on wide meshes: long
// messages go along lines of routers, and PEs on the way cut them in the middle.
//
// A line has one colour. Its PEs are a sender, stations, and a last PE that takes what comes:
//
//     sender -> router -> splicer -> tap -> router -> last
//                            |        |
//                            |        takes a copy of all words, or of those that a filter passes
//                            puts words or control wavelets of its own between two words
//
// A last PE may send what it takes on along another line.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tests/support/random.h"

namespace wse::differential {

class BorderWriter {
 public:
  explicit BorderWriter(test_support::Random& random) : random_(random) {}
  std::string text();

 private:
  static constexpr std::uint32_t kElements = 701;  // words are numbers of so many elements

  struct Cell {
    int x = 0;
    int y = 0;
    auto operator<=>(const Cell&) const = default;
  };
  // Two PEs beside each other in different blocks.
  struct Edge {
    Cell near;
    Cell far;
  };
  struct Line {
    std::string colour;
    std::vector<Cell> path;
    std::uint32_t words = 0;     // that pass the router where the text has come to
    std::uint32_t controls = 0;  // those of them that reach PEs
    bool packed = false;         // the words are no numbers of elements
  };
  // The text of one PE.
  class Station {
   public:
    void line(const std::string& text) { code_ += "    " + text + "\n"; }
    void header(const std::string& text) { code_ += "  " + text + "\n"; }
    void data(const std::string& text) { data_ += "  " + text + "\n"; }
    std::string text() const { return data_ + "  task main:\n" + code_; }

   private:
    std::string data_;
    std::string code_;
  };

  // border_writer.cpp
  void choose_mesh();
  std::vector<Edge> edges_near(const std::vector<Edge>& edges) const;
  Line new_line();
  void extend(std::vector<Cell>& path, std::uint32_t steps);
  bool lay_across(Line& line);
  bool lay_from(Line& line, Cell first);
  void add_line(Line& line);
  void add_last(Line& line);
  void route(const Line& line, std::size_t k, const std::string& what);
  static std::string side(Cell here, Cell there);
  static std::string before(const Line& line, std::size_t k);  // the side that words come from
  static std::string after(const Line& line, std::size_t k);   // the side that they go to
  void place(Cell cell, const Station& station);

  // border_stations.cpp
  void sender(Line& line);
  void message(Line& line, Station& station, std::uint32_t first, std::uint32_t end);
  void splicer(Line& line, std::size_t k);
  void splice(Line& line, Station& station);
  void tear_down(const Line& line, Station& station, const std::string& routing);
  void toggler(const Line& line, std::size_t k);
  void tap(Line& line, std::size_t k);
  std::uint32_t filter(const Line& line, std::size_t k);
  void delay(Station& station, std::uint32_t most, std::uint32_t least = 0);

  // border_takers.cpp
  void take(const Line& line, Station& station, std::uint32_t words, Line* next);
  void take_whole(const Line& line, Station& station, std::uint32_t words, Line* next);
  void take_pieces(const Line& line, Station& station, std::uint32_t words, Line* next);
  void take_by_queue(const Line& line, Station& station, std::uint32_t words, Line* next);
  void take_names(const Line& line, Station& station, std::uint32_t words, Line* next);
  void take_until_control(const Line& line, Station& station);
  void take_by_task(const Line& line, Station& station, std::uint32_t words);
  void finish(Station& station, Line* next);
  std::string from(const Line& line, std::uint32_t words);

  test_support::Random& random_;
  int width_ = 0;
  int height_ = 0;
  std::vector<Edge> along_rows_;     // borders that a row crosses
  std::vector<Edge> along_columns_;  // borders that a column crosses
  std::set<Cell> owned_;             // PEs with a program
  std::uint32_t lines_ = 0;
  std::string programs_;
  std::string routes_;
};

}  // namespace wse::differential
