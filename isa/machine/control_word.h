// The 32 bits of a control wavelet: an entry point and up to eight commands to routers.
//
//     bits   21:16      23:22|24   26:25|27   29:28|0   2:1|3   5:4|6   8:7|9   11:10|12  14:13|15
//            entry      command 0  command 1  ... up to command 7, each with its ignore bit
//
// The ignore bit of command 0 keeps the wavelet away from the PE of the router that acts on it.
// With one command only, bits 15:0 are data of the control task.
#pragma once

#include <cstdint>
#include <string_view>

namespace wse::isa {

enum class Command : std::uint8_t { Nop, Advance, Reset, Teardown };

inline constexpr std::string_view kCommandTexts[] = {"nop", "adv", "rst", "teardown"};
inline constexpr std::uint32_t kControlCommands = 8;
inline constexpr std::uint32_t kEntries = 64;
inline constexpr std::uint32_t kNoEntry = 31;  // dropped where it arrives
inline constexpr std::uint32_t kEntryShift = 16;
inline constexpr std::uint32_t kControlDataMask = 0xffff;

struct RouterCommand {
  Command command = Command::Nop;
  bool ignore = true;  // the PE of the router does not get the wavelet

  bool operator==(const RouterCommand&) const = default;
};

struct CommandPlace {
  std::uint32_t command;  // the lower of its two bits
  std::uint32_t ignore;
};
inline constexpr CommandPlace kCommandPlaces[kControlCommands] = {
    {22, 24}, {25, 27}, {28, 0}, {1, 3}, {4, 6}, {7, 9}, {10, 12}, {13, 15}};

constexpr std::uint32_t entry_of(std::uint32_t word) {
  return word >> kEntryShift & (kEntries - 1);
}

constexpr RouterCommand command_of(std::uint32_t word, std::uint32_t k) {
  const CommandPlace place = kCommandPlaces[k];
  return {static_cast<Command>(word >> place.command & 3), (word >> place.ignore & 1) != 0};
}

constexpr std::uint32_t with_command(std::uint32_t word, std::uint32_t k, RouterCommand command) {
  const CommandPlace place = kCommandPlaces[k];
  word &= ~(3u << place.command | 1u << place.ignore);
  return word | static_cast<std::uint32_t>(command.command) << place.command |
         (command.ignore ? 1u : 0u) << place.ignore;
}

// The commands shifted down by one; the last becomes a NOP that the PE does not get.
constexpr std::uint32_t popped(std::uint32_t word) {
  // Commands are three bits each, side by side: the first eight bits from 22 on, the rest from 0
  // on.
  constexpr std::uint32_t kBits = 3 * kControlCommands;
  constexpr std::uint32_t kFirst = kCommandPlaces[0].command;
  constexpr std::uint32_t kFirstBits = 8;
  constexpr std::uint32_t kFirstMask = (1u << kFirstBits) - 1;
  constexpr std::uint32_t kRestMask = (1u << (kBits - kFirstBits)) - 1;
  constexpr std::uint32_t kDefault = 4u << (kBits - 3);  // nop, ignored
  const std::uint32_t commands = (word >> kFirst & kFirstMask) | (word & kRestMask) << kFirstBits;
  const std::uint32_t left = commands >> 3 | kDefault;
  return (word & ~(kFirstMask << kFirst | kRestMask)) | (left & kFirstMask) << kFirst |
         left >> kFirstBits;
}

}  // namespace wse::isa
