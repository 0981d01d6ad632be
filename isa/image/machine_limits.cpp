// Looks at every route, routing, task and instruction once, then at the PEs of placements.
#include "isa/image/machine_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "isa/image/placement_values.h"
#include "isa/instruction/each_instruction.h"

namespace wse::isa {
namespace {

constexpr std::uint32_t kAllColours = (1u << kMaxColours) - 1;

template <class Value>
void add_once(std::vector<Value>& values, const Value& value) {
  if (std::ranges::find(values, value) == values.end()) values.push_back(value);
}

bool any_slot(std::span<const SlotValue> colours) {
  return std::ranges::any_of(colours, &SlotValue::is_slot);
}

bool any_slot(std::span<const ColourUses::Length> lengths) {
  return std::ranges::any_of(lengths, [](const ColourUses::Length& use) {
    return use.colour.is_slot || use.length.is_slot;
  });
}

class BreachFinder {
 public:
  BreachFinder(const Image& image, const Profile& profile) : image_(image), profile_(profile) {}

  std::vector<MachineBreach> of_the_image() {
    for (std::uint32_t k = 0; k < image_.routes.size(); ++k) check_route(k);
    for (std::uint32_t k = 0; k < image_.programs.size(); ++k) check_program(k);
    return std::move(found_);
  }

  std::vector<MachineBreach> of_placements() {
    const bool all_switch = (profile_.switch_colours & kAllColours) == kAllColours;
    if (profile_.queue_colours == 0 && all_switch && profile_.colours == kMaxColours) return {};
    std::vector<ColourUses> uses;
    for (const Program& program : image_.programs) uses.push_back(colour_uses(program));
    for (std::uint32_t k = 0; k < image_.placements.size(); ++k) {
      const ColourUses& mine = uses[image_.placements[k].program];
      if (mine.has_slots() || may_be_too_many(mine)) check_placement(k, mine);
    }
    return std::move(found_);
  }

 private:
  bool has_switch(std::uint32_t colour) const {
    return (profile_.switch_colours >> colour & 1) != 0;
  }

  // Where lengths decide.
  bool may_be_too_many(const ColourUses& uses) const {
    return uses.received.size() > profile_.input_queues ||
           uses.sent.size() > profile_.output_queues;
  }

  void add(MachineLimit limit, MachineBreach breach) {
    breach.limit = limit;
    found_.push_back(breach);
  }

  // `breach` has all but the limit and the number.
  void check_routing(const Routing& routing, MachineBreach breach) {
    const auto count = static_cast<std::uint32_t>(routing.positions.size());
    breach.number = count;
    if (count > profile_.switch_positions) add(MachineLimit::SwitchPositions, breach);
    for (std::uint32_t k = 1; k < count && profile_.switch_position_sides < 2; ++k) {
      if (!changes_both_sides(routing.positions[k - 1], routing.positions[k])) continue;
      breach.number = k;
      add(MachineLimit::PositionSides, breach);
    }
  }

  void check_route(std::uint32_t index) {
    const Route& route = image_.routes[index];
    const MachineBreach place{.index = index, .number = route.colour, .where = route.where};
    if (route.colour >= profile_.colours) add(MachineLimit::Colour, place);
    check_routing(route.routing, place);
    if (route.routing.positions.size() < 2 || has_switch(route.colour)) return;
    add(MachineLimit::SwitchColour, place);
  }

  void check_program(std::uint32_t index) {
    const Program& program = image_.programs[index];
    for (std::uint32_t k = 0; k < program.routings.size(); ++k) {
      check_routing(program.routings[k].routing, {.program = index, .index = k});
    }
    for (std::uint32_t k = 0; k < program.tasks.size(); ++k) check_task(index, k);
    if (profile_.queue_colours != 0) check_changes(index);
    const ColourUses uses = colour_uses(program);
    check_colours(index, uses, nullptr, {});
    check_switched(index, uses, nullptr, {});
    if (!any_slot(uses.received_lengths)) check_received(index, uses, nullptr, {});
    if (!any_slot(uses.sent_lengths)) check_sent(index, uses, nullptr, {});
  }

  void check_task(std::uint32_t index, std::uint32_t number) {
    const Program& program = image_.programs[index];
    const Task& task = program.tasks[number];
    if (task.kind != TaskKind::Local || task.id.value >= profile_.first_local_id) return;
    found_.push_back({.limit = MachineLimit::LocalId,
                      .program = index,
                      .index = number,
                      .number = task.id.value,
                      .where = program.line_of(task.entry)});
  }

  void check_changes(std::uint32_t index) {
    const Program& program = image_.programs[index];
    for_each_instruction(program.code, [&](const Instruction& instruction, std::uint32_t pc) {
      if (instruction.op != Op::SetColour) return;
      found_.push_back({.limit = MachineLimit::ColourChange,
                        .program = index,
                        .index = pc,
                        .where = program.line_of(pc)});
    });
  }

  // Checks what the program sends and receives; with `slots` what has its colour from one, else
  // the others. A colour that it only routes carries nothing but what some program sends.
  void check_colours(std::uint32_t index, const ColourUses& uses, const std::uint32_t* slots,
                     MachineBreach breach) {
    breach.program = index;
    for (const std::vector<SlotValue>* colours : {&uses.received, &uses.sent}) {
      for (const SlotValue& colour : *colours) {
        if (colour.is_slot != (slots != nullptr)) continue;
        breach.number = value_of(colour, slots);
        if (breach.number < profile_.colours || breach.number >= kMaxColours) continue;
        return add(MachineLimit::Colour, breach);
      }
    }
  }

  // With `slots` those that have their colour from one, else the others.
  void check_switched(std::uint32_t index, const ColourUses& uses, const std::uint32_t* slots,
                      const MachineBreach& place) {
    for (const ColourUses::Switched& use : uses.switched) {
      if (use.colour.is_slot != (slots != nullptr)) continue;
      const std::uint32_t colour = value_of(use.colour, slots);
      if (colour >= kMaxColours || has_switch(colour)) continue;
      MachineBreach breach = place;
      breach.program = index;
      breach.index = use.pc;
      breach.number = colour;
      breach.where = image_.programs[index].line_of(use.pc);
      add(MachineLimit::SwitchColour, breach);
    }
  }

  void check_received(std::uint32_t index, const ColourUses& uses, const std::uint32_t* slots,
                      const MachineBreach& place) {
    count(MachineLimit::InputQueues, index, colours_of(uses.received_lengths, slots),
          profile_.input_queues, place);
  }
  void check_sent(std::uint32_t index, const ColourUses& uses, const std::uint32_t* slots,
                  const MachineBreach& place) {
    count(MachineLimit::OutputQueues, index, colours_of(uses.sent_lengths, slots),
          profile_.output_queues, place);
  }
  void count(MachineLimit limit, std::uint32_t index, std::uint32_t colours, std::uint32_t queues,
             MachineBreach breach) {
    breach.number = static_cast<std::uint32_t>(std::popcount(colours));
    if (profile_.queue_colours == 0 || breach.number <= queues) return;
    breach.program = index;
    add(limit, breach);
  }

  // Every limit at the first PE that oversteps it.
  void check_placement(std::uint32_t number, const ColourUses& uses) {
    const Placement& placement = image_.placements[number];
    PlacementValues values(image_, placement);
    std::uint32_t said = 0;  // limits, as bits
    for_each_until(placement.rect, [&](std::uint32_t x, std::uint32_t y) {
      if (!values.move_to(x, y)) return false;  // whoever needs the value says so
      const std::uint32_t* slots = values.slots().data();
      const MachineBreach place{.placement = number, .x = x, .y = y, .where = placement.where};
      const auto before = static_cast<std::ptrdiff_t>(found_.size());
      check_colours(placement.program, uses, slots, place);
      check_switched(placement.program, uses, slots, place);
      if (any_slot(uses.received_lengths)) check_received(placement.program, uses, slots, place);
      if (any_slot(uses.sent_lengths)) check_sent(placement.program, uses, slots, place);
      const auto is_said = [said](const MachineBreach& breach) {
        return (said >> static_cast<int>(breach.limit) & 1) != 0;
      };
      found_.erase(std::remove_if(found_.begin() + before, found_.end(), is_said), found_.end());
      for (std::size_t k = before; k < found_.size(); ++k) {
        said |= 1u << static_cast<int>(found_[k].limit);
      }
      return true;
    });
  }

  const Image& image_;
  const Profile& profile_;
  std::vector<MachineBreach> found_;
};

// "the route of colour red at heat.wsa:12", "program heat at heat.wsa:30".
std::string subject(const MachineBreach& breach, const Image& image) {
  const std::string place = image.place_text(breach.where);
  const std::string at = place.empty() ? "" : " at " + place;
  if (!breach.program) {
    return fmt::format("the route of colour {}{}",
                       image.colour_name(image.routes[breach.index].colour), at);
  }
  const Program& program = image.programs[*breach.program];
  switch (breach.limit) {
    case MachineLimit::SwitchPositions:
    case MachineLimit::PositionSides:
      return fmt::format("routing {} of program {}", program.routings[breach.index].name,
                         program.name);
    case MachineLimit::LocalId:
      return fmt::format("task {} of program {}{}", program.tasks[breach.index].name, program.name,
                         at);
    default: break;
  }
  const std::string pe = breach.placement ? fmt::format(" at PE({}, {})", breach.x, breach.y) : "";
  return fmt::format("program {}{}{}", program.name, pe, pe.empty() ? at : "");
}

}  // namespace

bool ColourUses::has_slots() const {
  return any_slot(received) || any_slot(sent) ||
         std::ranges::any_of(switched, [](const Switched& s) { return s.colour.is_slot; });
}

ColourUses colour_uses(const Program& program) {
  ColourUses uses;
  bool sets_lengths = false;
  for_each_instruction(program.code, [&](const Instruction& instruction, std::uint32_t pc) {
    sets_lengths |= instruction.op == Op::SetLength;
    if (instruction.op != Op::SetRoute || instruction.target >= program.routings.size()) return;
    if (program.routings[instruction.target].routing.positions.size() < 2) return;
    uses.switched.push_back({{instruction.colour_kind != 0, instruction.colour}, pc});
  });
  const SlotValue no_length{.value = kNoLength};
  for (const DescriptorLiteral& literal : program.descriptors) {
    const ColourUses::Length use{literal.colour, sets_lengths ? no_length : literal.length};
    if (receives(literal.kind)) {
      add_once(uses.received, literal.colour);
      add_once(uses.received_lengths, use);
    }
    if (literal.kind == DescriptorKind::FabricOut) {
      add_once(uses.sent, literal.colour);
      add_once(uses.sent_lengths, use);
    }
  }
  for (const Task& task : program.tasks) {
    if (task.kind != TaskKind::Data) continue;
    add_once(uses.received, task.id);
    add_once(uses.received_lengths, {task.id, no_length});
  }
  return uses;
}

std::uint32_t colours_of(std::span<const SlotValue> colours, const std::uint32_t* slots) {
  std::uint32_t set = 0;
  for (const SlotValue& colour : colours) {
    const std::uint32_t value = value_of(colour, slots);
    if (value < kMaxColours) set |= 1u << value;
  }
  return set;
}

std::uint32_t colours_of(std::span<const ColourUses::Length> lengths, const std::uint32_t* slots) {
  std::uint32_t set = 0;
  for (const ColourUses::Length& use : lengths) {
    const std::uint32_t colour = value_of(use.colour, slots);
    if (colour < kMaxColours && value_of(use.length, slots) > 0) set |= 1u << colour;
  }
  return set;
}

std::vector<MachineBreach> machine_breaches(const Image& image, const Profile& profile) {
  return BreachFinder(image, profile).of_the_image();
}

std::vector<MachineBreach> placed_breaches(const Image& image, const Profile& profile) {
  return BreachFinder(image, profile).of_placements();
}

std::string text(const MachineBreach& breach, const Image& image, const Profile& profile) {
  std::string who = subject(breach, image);
  switch (breach.limit) {
    case MachineLimit::Colour:
      return fmt::format("{} uses colour number {}; {} has colours 0 to {}", who, breach.number,
                         profile.name, profile.colours - 1);
    case MachineLimit::SwitchPositions:
      return fmt::format("{} has {} switch positions; on {} a colour has at most {}", who,
                         breach.number, profile.name, profile.switch_positions);
    case MachineLimit::PositionSides:
      return fmt::format(
          "{}: position {} changes both where wavelets come from and where they go; on {} a "
          "position can change one of them",
          who, breach.number, profile.name);
    case MachineLimit::SwitchColour:
      return fmt::format(
          "{} gives several switch positions to colour {}; on {} the colours with switches are {}",
          who, breach.number, profile.name, colour_list(profile.switch_colours));
    case MachineLimit::ColourChange:
      return fmt::format("{} gives a descriptor another colour; on {} a queue has one colour", who,
                         profile.name);
    case MachineLimit::LocalId:
      return fmt::format("{} has the id {}; on {} local tasks have ids from {} on", who,
                         breach.number, profile.name, profile.first_local_id);
    case MachineLimit::InputQueues:
      return fmt::format("{} receives {} colours; {} has {} input queues, each for one colour", who,
                         breach.number, profile.name, profile.input_queues);
    case MachineLimit::OutputQueues:
      return fmt::format("{} sends {} colours; {} has {} output queues, each for one colour", who,
                         breach.number, profile.name, profile.output_queues);
  }
  return who;
}

std::string colour_list(std::uint32_t colours) {
  std::string out;
  for (std::uint32_t first = 0; first < kMaxColours; ++first) {
    if ((colours >> first & 1) == 0) continue;
    std::uint32_t last = first;
    while (last + 1 < kMaxColours && (colours >> (last + 1) & 1) != 0) ++last;
    if (!out.empty()) out += ", ";
    out += last < first + 2 ? fmt::format("{}", first) : fmt::format("{}..{}", first, last);
    if (last >= first + 2) first = last;
  }
  return out;
}

}  // namespace wse::isa
