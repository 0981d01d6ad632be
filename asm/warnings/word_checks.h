// Warns of words that certainly never come, and of words that certainly are too many: for colours
// whose routes have one position for ever, between PEs that do what asm/warnings/main_path.h says.
//
// Looks at a bounded number of PEs, those at the ends of placements first, so that its work grows
// with the text and not with the grid. Must say nothing of a program that could end well.
#pragma once

#include <cstddef>
#include <set>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "asm/mesh/mesh_checks.h"
#include "asm/warnings/main_path.h"

namespace wse::assembler {

class WordChecks {
 public:
  // After MeshChecker::check_placements(). `image` has programs and parameters; `programs` is their
  // syntax.
  WordChecks(const isa::Image& image, const isa::Profile& profile,
             const std::vector<const ProgramSyntax*>& programs,
             const std::vector<PlacedProgram>& placements, const std::vector<PlacedStream>& streams,
             const std::vector<PlacedFilter>& filters, const MeshChecker& mesh, Reporter& reporter);

  // While the routes of the colour lie on the grid of the MeshChecker.
  void check(const std::vector<PlacedRoute>& routes, std::uint32_t colour);

  // Sends of which a warning says that they never end: (program, colour).
  const std::set<std::pair<std::uint32_t, std::uint32_t>>& endless_sends() const {
    return endless_sends_;
  }
  bool has_told() const { return has_told_; }

  // The PEs at the ends of placements that have been followed.
  std::vector<std::uint32_t> ends() const;

 private:
  struct Followed {
    std::uint32_t pe = 0;
    std::uint32_t placement = 0;
    MainPath path{};
  };
  // Where the words that a PE receives come from.
  struct Unknown {};
  struct Nobody {};  // no router sends any there
  struct FromPe {
    std::uint32_t pe = 0;
  };
  struct FromStream {
    const PlacedStream* stream = nullptr;
  };
  using Source = std::variant<Unknown, Nobody, FromPe, FromStream>;
  // A router on the way of a message, as many links behind its sender.
  struct Stop {
    std::uint32_t pe = 0;
    std::uint32_t links = 0;
  };

  void follow_ends(std::uint32_t placement);
  const Followed* follow(std::uint32_t pe);
  const isa::Program& program_of(const Followed& followed) const;
  const ProgramSyntax& syntax_of(const Followed& followed) const;

  void check_received(const Followed& receiver);
  void check_sent(const Followed& sender);
  void find_awaited();
  bool is_delivered(std::uint32_t program) const;
  void report_awaited(std::uint32_t program);
  Source source_of(std::uint32_t pe);
  Source beyond_edge(std::uint32_t pe, isa::Port side);
  bool check_target(const Followed& sender, const WordUse& use, const Stop& target);
  std::optional<std::uint64_t> taken_at(std::uint32_t pe);
  const isa::SwitchPosition* position_at(std::uint32_t pe) const;
  bool delivers(std::uint32_t pe) const;
  bool say_once(Problem problem, std::uint32_t program);

  const isa::Image& image_;
  const isa::Profile& profile_;
  const isa::Topology topology_;
  const std::vector<const ProgramSyntax*>& programs_;
  const std::vector<PlacedProgram>& placements_;
  const std::vector<PlacedStream>& streams_;
  const MeshChecker& mesh_;
  Reporter& reporter_;
  std::uint32_t filtered_ = 0;          // colours of which a filter may drop words, as bits
  std::vector<std::uint32_t> awaited_;  // by program: constant colours that it may receive, as bits
  std::vector<std::vector<std::uint32_t>> placements_of_;  // by program: where it runs on some PE
  std::size_t steps_;
  std::size_t routers_;
  std::size_t ends_ = 0;            // the first of followed_: the others are partners of theirs
  bool has_told_ = false;           // of words that do not come, or are too many
  std::vector<Followed> followed_;  // never more than reserved
  std::unordered_map<std::uint32_t, std::size_t> by_pe_;  // index in it
  std::vector<std::pair<Problem, std::uint32_t>> said_;   // of the present colour
  std::set<std::pair<std::uint32_t, std::uint32_t>> endless_sends_;
  const std::vector<PlacedRoute>* routes_ = nullptr;  // of the present call
  std::uint32_t colour_ = 0;
};

}  // namespace wse::assembler
