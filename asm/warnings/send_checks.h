// Warns of words that certainly nobody takes: that no router takes from the ramp of their sender,
// or that no PE receives wherever their colour leads.
//
// Looks at every PE, by colour: words are heard if, from the ramp on, some position of each router
// on the way passes them on to a PE that may receive the colour, or out of the grid. A route that
// begins torn down or that a program may write, and a filter, hear everything. Must say nothing of
// a send to which main may not come.
//
// Cost: a few operations for each router of each colour; a bounded number of PEs is followed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "asm/mesh/mesh_checks.h"
#include "asm/warnings/colour_uses.h"
#include "asm/warnings/main_path.h"
#include "asm/warnings/pe_set.h"
#include "isa/image/placement_values.h"

namespace wse::assembler {

// (program, colour) of sends of which another warning speaks.
using ToldSends = std::set<std::pair<std::uint32_t, std::uint32_t>>;

class SendChecks {
 public:
  // After MeshChecker::check_placements(); `programs` is the syntax of the programs of `image`.
  SendChecks(const isa::Image& image, const std::vector<const ProgramSyntax*>& programs,
             const std::vector<PlacedProgram>& placements, const std::vector<PlacedFilter>& filters,
             const MeshChecker& mesh, Reporter& reporter);

  // While the routes of the colour lie on the grid of the MeshChecker.
  void add_colour(const std::vector<PlacedRoute>& routes, std::uint32_t colour);

  // After all colours. Says nothing of the sends in `told`.
  void report(const ToldSends& told);
  bool has_told() const { return !lines_.empty(); }

 private:
  // A port of a router from which words of the present colour are heard.
  struct Entry {
    std::uint32_t pe = 0;
    isa::Port rx{};
  };
  // Fate of the words: their router has no route for them, does not take them from the
  // ramp, or takes them where nobody hears them.
  enum class Fate : std::uint8_t { Unrouted, NotTaken, NotHeard };
  // One line of a program that sends one colour for nothing.
  struct Line {
    std::uint32_t program = 0;
    std::uint32_t pc = 0;
    std::uint32_t colour = 0;
    Fate fate{};

    auto operator<=>(const Line&) const = default;
  };
  void seed(const std::vector<PlacedRoute>& routes, std::uint32_t pe);
  bool leads_to_receiver(std::uint32_t pe, std::uint32_t tx) const;
  void mark(std::uint32_t pe, isa::Port rx);
  void go_back(const std::vector<PlacedRoute>& routes);
  void hear_everything_written();

  std::uint32_t lost(std::uint32_t pe) const { return uses_.sent(pe) & ~heard_[pe]; }
  Fate fate_of(std::uint32_t pe, std::uint32_t colour) const;
  void follow_lost(std::uint32_t placement);
  const MainPath* path_of(const isa::Program& program, const isa::PlacementValues& values,
                          const std::vector<std::uint32_t>& slots);
  void report_line(const Line& line, const PeSet& pes);

  const isa::Image& image_;
  const isa::Topology topology_;
  const std::vector<const ProgramSyntax*>& programs_;
  const std::vector<PlacedProgram>& placements_;
  const MeshChecker& mesh_;
  Reporter& reporter_;
  const ColourUses uses_;
  std::uint32_t filtered_ = 0;  // colours of which a filter may drop words, as bits
  // By PE, where some PE sends, a bit for each colour: the PE has a route; it takes words from the
  // ramp; they are heard.
  std::vector<std::uint32_t> routed_;
  std::vector<std::uint32_t> taken_;
  std::vector<std::uint32_t> heard_;
  // State of the present colour.
  std::uint32_t colour_ = 0;
  std::vector<std::uint32_t> heard_from_;  // by PE, a bit for each port
  std::vector<Entry> open_;
  // State of the report.
  std::size_t steps_;
  std::size_t paths_;
  std::map<std::vector<std::uint32_t>, MainPath> followed_;  // of the present placement, by the
                                                             // values of the slots it uses
  std::map<Line, PeSet> lines_;                              // to which main certainly comes
};

}  // namespace wse::assembler
