// Warns of circles of sends and receives that wait for each other for ever: of mains that go one
// way, over routes that have one position for ever.
//
// Follows the PEs at the ends of placements and all with which they exchange words, up to a bounded
// number. Must say nothing of a program that could end well: MainModel is generous, and what it
// does not know serves everybody.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "asm/mesh/placing.h"
#include "asm/warnings/main_model.h"
#include "asm/warnings/static_ways.h"

namespace wse::assembler {

class WaitChecks {
 public:
  // `image` has programs and parameters; `programs` is their syntax.
  WaitChecks(const isa::Image& image, const isa::Profile& profile,
             const std::vector<const ProgramSyntax*>& programs,
             const std::vector<PlacedProgram>& placements, const std::vector<PlacedRoute>& routes,
             const std::vector<PlacedFilter>& filters, Reporter& reporter);

  // `ends`: the PEs to begin with.
  void check(const std::vector<std::uint32_t>& ends);

 private:
  struct Followed {
    std::uint32_t pe = 0;
    std::uint32_t program = 0;
    MainPath path{};
  };
  using Circle = std::vector<MainModel::Wait>;

  void find_steered();
  std::optional<std::uint32_t> member_at(std::uint32_t pe);
  void connect_partners(std::uint32_t member);
  std::optional<Circle> circle_of(std::uint32_t member) const;
  bool is_told(const Circle& circle);
  void report(Circle circle);
  bool helps_beside(const Circle& circle, const MainModel::Wait& wait);
  isa::SourceRange place_of_wait(const MainModel::Wait& wait) const;
  std::string text_of(const MainModel::Wait& wait) const;
  std::string pe_text(std::uint32_t member) const;

  const isa::Image& image_;
  const isa::Profile& profile_;
  const isa::Topology topology_;
  const std::vector<const ProgramSyntax*>& programs_;
  const std::vector<PlacedProgram>& placements_;
  Reporter& reporter_;
  StaticWays ways_;
  // Colours whose words filters may drop, or whose routes control wavelets may move, as bits.
  std::uint32_t steered_ = 0;
  std::size_t steps_;
  std::deque<Followed> followed_;                           // by member
  std::unordered_map<std::uint32_t, std::uint32_t> by_pe_;  // its member
  MainModel model_;
  std::vector<isa::SourceRange> told_;  // places of circles
};

}  // namespace wse::assembler
