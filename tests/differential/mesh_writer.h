// Routes, flows and events of a random program, on a mesh or a hypercube.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "isa/machine/profile.h"
#include "tests/differential/pe_writer.h"
#include "tests/support/random.h"

namespace wse::differential {

struct Place {
  int x = 0;
  int y = 0;
  auto operator<=>(const Place&) const = default;
};

// One sender, the way of its wavelets, and who gets them.
struct Flow {
  enum class Kind : std::uint8_t { Line, Compass, Switched };
  Kind kind = Kind::Line;
  std::string colour;
  std::vector<Place> path;  // Line, Switched: routers from the sender on; Compass: the neighbours
  std::vector<bool> taps;   // by router of the path: whether its PE may get wavelets
  bool ring = false;        // Compass
  bool used = false;        // Compass without a ring: once only
  // Line, at the edge of the mesh: the side by which a stream comes instead of a sender, and that
  // by which one leaves after the last router.
  std::string enters;
  std::string leaves;
  std::uint32_t stock = 0;     // wavelets of the stream that nobody was told to take yet
  std::uint32_t passed = 0;    // wavelets sent so far
  std::uint32_t short_by = 0;  // elements that the array of the leaving stream lacks, and one
};

// A PE behind a port.
struct Neighbour {
  std::string side;
  Place place;
};

struct MeshKind {
  bool tall = false;   // a mesh of four rows, with a flow through all of them
  bool plain = false;  // nothing that the wafer leaves to the stepper
  bool queues = true;  // FIFOs
  bool apart = false;  // somewhere in a grid whose rows and blocks of PEs cross words of the host
};

class MeshWriter {
 public:
  // Writes nothing that the assembler would refuse for that machine.
  MeshWriter(test_support::Random& random, const isa::Profile& machine, const MeshKind& kind = {});
  std::string text();

 private:
  // mesh_writer.cpp
  void choose_origin();
  void choose_servers();
  void choose_numbers();
  void add_flow();
  bool walk(Flow& flow);
  std::vector<Neighbour> neighbours(Place place) const;
  std::string side(Place from, Place to) const;
  void route_line(Flow& flow);
  bool route_compass(Flow& flow);
  void add_column();  // a flow down or up a column
  void add_streams(Flow& flow);
  std::string stream_lines() const;
  std::string outward(Place place);  // some side without a neighbour, or nothing
  void add_filter(const std::string& colour, Place place);
  void route(const std::string& colour, Place place, const std::string& what);
  Place any_place();
  PeWriter& pe(Place place) { return pes_.at(place); }
  std::string name(Place place) const;
  std::string at(Place place) const;  // where it is in the grid

  // events.cpp
  void event();
  void transfer(Flow& flow);
  void line_transfer(Flow& flow, std::uint32_t wavelets);
  void controlled_transfer(Flow& flow);
  Flow* next_flow(const Flow& flow);
  void compass_transfer(Flow& flow);
  void receive(const std::string& colour, Place place, std::uint32_t wavelets);
  void other_code();

  // switched.cpp
  void route_switched(Flow& flow);
  std::string position(const Flow& flow, std::size_t k, bool first, bool may_tap);
  void switched_transfer(Flow& flow);
  std::string control_word();
  void write_server(Place place);
  void teardown_task(Place place, const std::string& colour);
  void reconfigure(Place place, const std::string& colour);

  test_support::Random& random_;
  const isa::Profile& machine_;
  std::vector<std::uint32_t> numbers_;  // of the colours of flows; empty: not pinned
  std::uint32_t first_entry_ = 40;
  int width_ = 1;
  int height_ = 1;
  Place origin_;        // in the grid
  Place grid_;          // its size
  int dimensions_ = 0;  // of a hypercube; 0: a mesh
  std::map<Place, PeWriter> pes_;
  std::set<Place> servers_;
  std::vector<Flow> flows_;
  std::string lines_;                              // routes and filters
  std::map<Place, std::vector<std::string>> fed_;  // servers: colours that their PEs may get
  std::map<Place, std::uint32_t> expected_;        // servers: wavelets of Line flows so far
  std::set<Place> uncertain_;                      // servers that cannot know how many will come
  std::set<std::pair<Place, std::string>> torn_;   // colours that start torn down
  std::map<std::pair<Place, std::string>, std::string> switched_routes_;
  std::uint32_t names_ = 0;
  MeshKind kind_;
  bool greedy_ = false;    // a receiver will want too much
  bool mistaken_ = false;  // a program will make a mistake
};

}  // namespace wse::differential
