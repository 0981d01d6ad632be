// Needs of an image that a machine does not have, by the parameters of the machine's profile.
//
// The assembler says it with places in the source; the machine refuses with it what was assembled
// for another one. Limits of the format are in limits.def; what only a run can show traps.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isa/image/image.h"
#include "isa/machine/profile.h"

namespace wse::isa {

enum class MachineLimit : std::uint8_t {
  Colour,           // of a route or a program: not below the number of colours
  SwitchPositions,  // of a route or routing: more than a colour has
  PositionSides,    // of a route or routing: a position changes both
  SwitchColour,  // a route, or a `setroute`, gives several positions to a colour without a switch
  ColourChange,  // `setdcolour`, where a queue belongs to one colour
  LocalId,       // of a local task: below those that the machine has
  InputQueues,   // more colours received by a program than queues, where each has one
  OutputQueues,  // the same of those that are sent
};

struct MachineBreach {
  MachineLimit limit{};
  std::optional<std::uint32_t> program{};  // none: of a route of the image
  // Of the route; with a program of its routing, code word (SwitchColour, ColourChange) or task.
  std::uint32_t index = 0;
  std::uint32_t number = 0;  // positions, the position, the colour, the id or colours
  std::optional<std::uint32_t> placement{};  // if it comes from parameters of a PE
  std::uint32_t x = 0;                       // of that PE
  std::uint32_t y = 0;
  SourceLine where{};
};

// The colours that a program names, as constants or parameter slots, each once.
struct ColourUses {
  struct Switched {
    SlotValue colour;
    std::uint32_t pc = 0;
  };
  // How many words an instruction moves at most, as far as its fabric operand says it.
  struct Length {
    SlotValue colour;
    SlotValue length;

    bool operator==(const Length&) const = default;
  };
  std::vector<SlotValue> received;  // by instructions and data tasks
  std::vector<SlotValue> sent;
  std::vector<Length> received_lengths;  // of all of `received`; data tasks have no length
  std::vector<Length> sent_lengths;
  std::vector<Switched> switched;  // `setroute` gives them several positions

  bool has_slots() const;
};
ColourUses colour_uses(const Program& program);

// As masks; slots may be null if everything is constant. They hold nothing but colours.
std::uint32_t colours_of(std::span<const SlotValue> colours, const std::uint32_t* slots);
// Returns those of which any words move: the others need no queue.
std::uint32_t colours_of(std::span<const ColourUses::Length> lengths, const std::uint32_t* slots);

// Returns those that the image shows without placements: of routes, then of each program.
std::vector<MachineBreach> machine_breaches(const Image& image, const Profile& profile);

// Returns those that parameters bring, each at the first such PE. The image must be verified.
std::vector<MachineBreach> placed_breaches(const Image& image, const Profile& profile);

// What, where, and what the machine has.
std::string text(const MachineBreach& breach, const Image& image, const Profile& profile);

// "0..9, 12, 13"
std::string colour_list(std::uint32_t colours);

}  // namespace wse::isa
