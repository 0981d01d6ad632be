// Collects the PEs, runs the model, and goes from what waits to what it waits for.
#include "asm/warnings/wait_checks.h"

#include <algorithm>

#include "asm/syntax/code_places.h"
#include "asm/text/report.h"
#include "isa/image/placement_values.h"
#include "isa/instruction/each_instruction.h"

namespace wse::assembler {
namespace {

constexpr std::size_t kMembers = 1'000;  // PEs that are followed
constexpr std::size_t kCircles = 8;      // that are told
constexpr std::size_t kNotes = 4;        // of one circle

}  // namespace

WaitChecks::WaitChecks(const isa::Image& image, const isa::Profile& profile,
                       const std::vector<const ProgramSyntax*>& programs,
                       const std::vector<PlacedProgram>& placements,
                       const std::vector<PlacedRoute>& routes,
                       const std::vector<PlacedFilter>& filters, Reporter& reporter)
    : image_(image),
      profile_(profile),
      topology_(image.topology()),
      programs_(programs),
      placements_(placements),
      reporter_(reporter),
      ways_(image, placements, routes),
      steps_(kFollowedSteps) {
  for (const PlacedFilter& filter : filters) steered_ |= 1u << filter.item.colour;
  find_steered();
}

void WaitChecks::find_steered() {
  for (const isa::Program& program : image_.programs) {
    if (!program.filters.empty()) steered_ = ~0u;
    for (const isa::DescriptorLiteral& literal : program.descriptors) {
      if (literal.kind != isa::DescriptorKind::FabricOut || !literal.options.control) continue;
      steered_ |= literal.colour.is_slot ? ~0u : 1u << literal.colour.value;
    }
    // A computed or loaded descriptor may be of control wavelets.
    isa::for_each_instruction(program.code, [this](const isa::Instruction& i, std::uint32_t) {
      if (i.op == isa::Op::SetColour || i.op == isa::Op::FetchDescriptor) steered_ = ~0u;
    });
  }
}

void WaitChecks::check(const std::vector<std::uint32_t>& ends) {
  for (const std::uint32_t pe : ends) member_at(pe);
  for (std::uint32_t k = 0; k < followed_.size(); ++k) connect_partners(k);
  if (!model_.run()) return;
  std::vector<Circle> circles;
  for (std::uint32_t k = 0; k < followed_.size() && circles.size() < kCircles; ++k) {
    std::optional<Circle> circle = circle_of(k);
    if (circle && !is_told(*circle)) circles.push_back(std::move(*circle));
  }
  for (const Circle& circle : circles) report(circle);
}

// Returns the member that represents the PE; nothing if it has no program, or enough are followed.
std::optional<std::uint32_t> WaitChecks::member_at(std::uint32_t pe) {
  if (const auto found = by_pe_.find(pe); found != by_pe_.end()) return found->second;
  const std::optional<std::uint32_t> placement = ways_.placement_at(pe);
  if (!placement || steps_ == 0 || followed_.size() == kMembers) return std::nullopt;
  const isa::Placement& item = placements_[*placement].item;
  isa::PlacementValues values(image_, item);
  if (!values.move_to(topology_.x_of(pe), topology_.y_of(pe))) return std::nullopt;
  std::size_t steps = std::min(steps_, kFollowedStepsOfPe);
  const std::size_t before = steps;
  const auto member = static_cast<std::uint32_t>(followed_.size());
  followed_.push_back(
      {.pe = pe,
       .program = item.program,
       .path = follow_main(image_.programs[item.program], values.slots().data(), steps)});
  steps_ -= before - steps;
  by_pe_[pe] = member;
  model_.add_member(followed_.back().path);
  return member;
}

// Finds those to which the member sends and from which it receives. A channel is made once, by its
// sender.
void WaitChecks::connect_partners(std::uint32_t member) {
  const std::uint32_t pe = followed_[member].pe;
  std::uint32_t sent = 0;
  std::uint32_t received = 0;
  for (const FabricStep& step : followed_[member].path.steps) {
    for (const FabricStep::Operand& operand : step.operands) {
      (operand.receives ? received : sent) |= 1u << operand.colour;
    }
  }
  for (std::uint32_t colour = 0; colour < isa::kMaxColours; ++colour) {
    if ((steered_ >> colour & 1) != 0) continue;
    if ((received >> colour & 1) != 0) {
      if (const auto source = ways_.source(pe, colour)) member_at(*source);
    }
    if ((sent >> colour & 1) == 0) continue;
    const auto targets = ways_.targets(pe, colour);
    if (!targets) continue;
    for (const StaticWays::Target& target : *targets) {
      const std::optional<std::uint32_t> receiver = member_at(target.pe);
      const std::uint64_t room = std::uint64_t{profile_.up_ramp_depth} + profile_.down_ramp_depth +
                                 std::uint64_t{target.links} * profile_.router_depth;
      if (receiver) model_.connect(member, colour, *receiver, room);
    }
  }
}

// Finds the circle to which the waits lead from the main of the member. Returns nothing if they end
// at a PE that has nothing more to do: that is a matter of counts.
std::optional<WaitChecks::Circle> WaitChecks::circle_of(std::uint32_t member) const {
  Circle way;
  std::optional<MainModel::Wait> wait = model_.wait_of(member);
  while (wait) {
    const auto met = std::ranges::find_if(way, [&wait](const MainModel::Wait& before) {
      return before.member == wait->member && before.step == wait->step;
    });
    if (met != way.end()) {
      way.erase(way.begin(), met);
      return way;
    }
    way.push_back(*wait);
    wait = model_.next_of(way.back());
  }
  return std::nullopt;
}

// Whether one with the same lines has been told, or none of its PEs need end.
bool WaitChecks::is_told(const Circle& circle) {
  const bool all_passive = std::ranges::all_of(circle, [this](const MainModel::Wait& wait) {
    return image_.programs[followed_[wait.member].program].passive;
  });
  const bool is_known = std::ranges::any_of(circle, [this](const MainModel::Wait& wait) {
    return std::ranges::find(told_, place_of_wait(wait)) != told_.end();
  });
  if (all_passive || is_known) return true;
  for (const MainModel::Wait& wait : circle) told_.push_back(place_of_wait(wait));
  return false;
}

isa::SourceRange WaitChecks::place_of_wait(const MainModel::Wait& wait) const {
  const Followed& followed = followed_[wait.member];
  return place_of(*programs_[followed.program], image_.programs[followed.program],
                  followed.path.steps[wait.step].pc);
}

std::string WaitChecks::pe_text(std::uint32_t member) const {
  const std::uint32_t pe = followed_[member].pe;
  return fmt::format("PE ({}, {})", topology_.x_of(pe), topology_.y_of(pe));
}

std::string WaitChecks::text_of(const MainModel::Wait& wait) const {
  const FabricStep& step = followed_[wait.member].path.steps[wait.step];
  return fmt::format("{} {} at most {} of {} of colour '{}' here, and then waits for {}",
                     pe_text(wait.member), wait.operand.receives ? "gets" : "sends", wait.words,
                     counted(static_cast<std::int64_t>(wait.operand.words(step.elements)), "word"),
                     image_.colour_name(wait.operand.colour), pe_text(wait.partner));
}

// At an instruction that would end the circle if it ran beside what follows, a send before others;
// else at the first member.
void WaitChecks::report(Circle circle) {
  std::string_view helps;
  for (const bool receives : {false, true}) {
    const auto found = std::ranges::find_if(circle, [&](const MainModel::Wait& wait) {
      return wait.operand.receives == receives && helps_beside(circle, wait);
    });
    if (found == circle.end()) continue;
    helps = receives ? "receive" : "send";
    std::rotate(circle.begin(), found, circle.end());
    break;
  }
  reporter_.report(Problem::WaitCircle, place_of_wait(circle[0]), text_of(circle[0]), helps);
  for (std::size_t k = 1; k < std::min(circle.size(), kNotes + 1); ++k) {
    reporter_.note(Remark::WaitsToo, place_of_wait(circle[k]), text_of(circle[k]));
  }
}

bool WaitChecks::helps_beside(const Circle& circle, const MainModel::Wait& wait) {
  return model_.run(wait) && std::ranges::none_of(circle, [this](const MainModel::Wait& member) {
           return model_.wait_of(member.member).has_value();
         });
}

}  // namespace wse::assembler
