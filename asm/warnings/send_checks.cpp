// Goes back from the receivers over all routers of a colour; what it does not meet is lost.
#include "asm/warnings/send_checks.h"

#include <algorithm>

#include "asm/syntax/code_places.h"
#include "isa/image/placement_values.h"
#include "isa/instruction/each_instruction.h"

namespace wse::assembler {
namespace {

using isa::Port;

// Bounds of the work for a whole source.
constexpr std::size_t kPaths = 4'000;  // PEs whose values differ

// The slots whose values can decide what main does.
std::vector<std::uint32_t> slots_used_by(const isa::Program& program) {
  std::set<std::uint32_t> slots;
  const auto add = [&slots](const isa::SlotValue& value) {
    if (value.is_slot) slots.insert(value.value);
  };
  isa::for_each_instruction(program.code, [&](const isa::Instruction& i, std::uint32_t) {
    const bool has_scalar = isa::info(isa::info(i.op).format).operands.contains('S') ||
                            i.source_a_operand() == isa::SourceKind::Scalar ||
                            i.source_b_operand() == isa::SourceKind::Scalar;
    if (has_scalar && i.scalar_operand() == isa::ScalarKind::Slot) slots.insert(i.scalar);
  });
  for (const isa::DescriptorLiteral& d : program.descriptors) {
    for (const isa::SlotValue& value :
         {d.address, d.length, d.colour, d.index, d.task, d.ring, d.start}) {
      add(value);
    }
    for (const auto& inner : d.inner) add(inner.extent);
  }
  return {slots.begin(), slots.end()};
}

}  // namespace

SendChecks::SendChecks(const isa::Image& image, const std::vector<const ProgramSyntax*>& programs,
                       const std::vector<PlacedProgram>& placements,
                       const std::vector<PlacedFilter>& filters, const MeshChecker& mesh,
                       Reporter& reporter)
    : image_(image),
      topology_(image.topology()),
      programs_(programs),
      placements_(placements),
      mesh_(mesh),
      reporter_(reporter),
      uses_(image, placements),
      routed_(uses_.sent_anywhere() == 0 ? 0 : std::size_t{image.width} * image.height),
      taken_(routed_.size()),
      heard_(routed_.size()),
      steps_(kFollowedSteps),
      paths_(kPaths) {
  for (const PlacedFilter& filter : filters) filtered_ |= 1u << filter.item.colour;
  for (const isa::Program& program : image.programs) {
    if (!program.filters.empty()) filtered_ = ~0u;
  }
}

// ---- one colour after the other: whose words are heard

void SendChecks::add_colour(const std::vector<PlacedRoute>& routes, std::uint32_t colour) {
  const auto each_router = [&](auto visit) {
    for (const PlacedRoute& route : routes) {
      if (route.item.colour != colour) continue;
      isa::for_each(route.item.rect,
                    [&](std::uint32_t x, std::uint32_t y) { visit(topology_.pe_at(x, y)); });
    }
  };
  colour_ = colour;
  if ((uses_.sent_anywhere() >> colour & 1) == 0) return;
  heard_from_.resize(heard_.size());
  each_router([&](std::uint32_t pe) { seed(routes, pe); });
  go_back(routes);
  each_router([&](std::uint32_t pe) {
    if ((heard_from_[pe] & isa::bit(Port::Ramp)) != 0) heard_[pe] |= 1u << colour;
    heard_from_[pe] = 0;
  });
  hear_everything_written();
}

void SendChecks::seed(const std::vector<PlacedRoute>& routes, std::uint32_t pe) {
  routed_[pe] |= 1u << colour_;
  const isa::Routing* const routing = mesh_.lasting_routing(routes, colour_, pe);
  if (routing == nullptr) {
    mark(pe, Port::Ramp);
    for (std::uint32_t k = 0; k < topology_.links(); ++k) mark(pe, topology_.link_port(k));
    return;
  }
  for (const isa::SwitchPosition& position : routing->positions) {
    if (position.rx == Port::Ramp) taken_[pe] |= 1u << colour_;
    if (leads_to_receiver(pe, position.tx)) mark(pe, position.rx);
  }
}

// Whether one of these ports leads to a receiver at once: the own PE, a stream, a router of which
// nothing is certain.
bool SendChecks::leads_to_receiver(std::uint32_t pe, std::uint32_t tx) const {
  const bool receives = ((uses_.received(pe) | filtered_) >> colour_ & 1) != 0;
  if ((tx & isa::bit(Port::Ramp)) != 0 && receives) return true;
  for (std::uint32_t k = 0; k < topology_.links(); ++k) {
    const Port port = topology_.link_port(k);
    if ((tx & isa::bit(port)) == 0) continue;
    const std::optional<std::uint32_t> next = topology_.neighbour(pe, port);
    if (!next || (!mesh_.has_route(*next) && mesh_.may_route(colour_, *next))) return true;
  }
  return false;
}

void SendChecks::mark(std::uint32_t pe, Port rx) {
  if ((heard_from_[pe] & isa::bit(rx)) != 0) return;
  heard_from_[pe] |= isa::bit(rx);
  open_.push_back({.pe = pe, .rx = rx});
}

void SendChecks::go_back(const std::vector<PlacedRoute>& routes) {
  while (!open_.empty()) {
    const Entry here = open_.back();
    open_.pop_back();
    if (here.rx == Port::Ramp) continue;
    const std::optional<std::uint32_t> before = topology_.neighbour(here.pe, here.rx);
    if (!before) continue;
    const isa::Routing* const routing = mesh_.lasting_routing(routes, colour_, *before);
    if (routing == nullptr) continue;  // it has no route, or hears everything
    for (const isa::SwitchPosition& position : routing->positions) {
      if ((position.tx & isa::bit(isa::opposite(here.rx))) != 0) mark(*before, position.rx);
    }
  }
}

// At PEs without a route whose programs may write one.
void SendChecks::hear_everything_written() {
  for (const PlacedProgram& placed : placements_) {
    if (image_.programs[placed.item.program].routings.empty()) continue;
    isa::for_each(placed.item.rect, [&](std::uint32_t x, std::uint32_t y) {
      const std::uint32_t pe = topology_.pe_at(x, y);
      if (!mesh_.has_route(pe) && mesh_.may_route(colour_, pe)) heard_[pe] |= 1u << colour_;
    });
  }
}

// ---- all colours: which lines send them

void SendChecks::report(const ToldSends& told) {
  if (uses_.sent_anywhere() == 0) return;
  for (std::uint32_t k = 0; k < placements_.size(); ++k) follow_lost(k);
  for (const auto& [line, pes] : lines_) {
    if (!told.contains({line.program, line.colour})) report_line(line, pes);
  }
}

SendChecks::Fate SendChecks::fate_of(std::uint32_t pe, std::uint32_t colour) const {
  if ((routed_[pe] >> colour & 1) == 0) return Fate::Unrouted;
  return (taken_[pe] >> colour & 1) == 0 ? Fate::NotTaken : Fate::NotHeard;
}

// Follows main at the PEs that may lose words, to see which of them certainly do.
void SendChecks::follow_lost(std::uint32_t placement) {
  const isa::Placement& item = placements_[placement].item;
  const isa::Program& program = image_.programs[item.program];
  const std::vector<std::uint32_t> slots = slots_used_by(program);
  isa::PlacementValues values(image_, item);
  followed_.clear();
  isa::for_each(item.rect, [&](std::uint32_t x, std::uint32_t y) {
    const std::uint32_t pe = topology_.pe_at(x, y);
    if (lost(pe) == 0) return;
    const MainPath* const path = values.move_to(x, y) ? path_of(program, values, slots) : nullptr;
    if (path == nullptr) return;
    for (const WordUse& use : path->sent) {
      if (use.words == 0 || (lost(pe) >> use.colour & 1) == 0) continue;
      lines_[{item.program, use.pc, use.colour, fate_of(pe, use.colour)}].add(x, y);
    }
  });
}

// PEs whose slots hold the same do the same. Returns nullptr if enough have been followed.
const MainPath* SendChecks::path_of(const isa::Program& program, const isa::PlacementValues& values,
                                    const std::vector<std::uint32_t>& slots) {
  std::vector<std::uint32_t> held;
  for (const std::uint32_t k : slots) held.push_back(values.slots()[k]);
  if (const auto known = followed_.find(held); known != followed_.end()) return &known->second;
  if (steps_ == 0 || paths_ == 0) return nullptr;
  --paths_;
  std::size_t steps = std::min(steps_, kFollowedStepsOfPe);
  const std::size_t before = steps;
  MainPath path = follow_main(program, values.slots().data(), steps);
  steps_ -= before - steps;
  return &followed_.emplace(std::move(held), std::move(path)).first->second;
}

void SendChecks::report_line(const Line& line, const PeSet& pes) {
  const Problem problem = line.fate == Fate::NotHeard ? Problem::NotHeard : Problem::NotTaken;
  const isa::Program& program = image_.programs[line.program];
  const std::string place = line.fate == Fate::Unrouted ? pes.place() : "";
  reporter_.report(problem, place_of(*programs_[line.program], program, line.pc), pes.text(),
                   image_.colour_name(line.colour), place);
}

}  // namespace wse::assembler
