// The certain acts of a PE: its task main, followed with the values of that PE up to the first
// branch that depends on what only a run knows.
//
// Registers and descriptor registers go through the meanings of isa/semantics; memory, received
// words and time are unknown. Must never count a word for which main may not ask.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "isa/image/image.h"

namespace wse::assembler {

// The words of a colour for which main certainly asks, or which it certainly wants to send. 0
// words: it waits for one, but may be content with a control wavelet.
struct WordUse {
  std::uint32_t colour = 0;
  std::uint32_t pc = 0;  // of the first instruction that does
  std::uint64_t words = 0;
};

// Bounds of the work of one check for a whole source, in instructions.
inline constexpr std::size_t kFollowedSteps = 200'000;
inline constexpr std::size_t kFollowedStepsOfPe = 2'000;

// An instruction of main that moves words, in the order of the code; or, without operands, one of
// which it is not known how many it moves of the colours in its masks.
struct FabricStep {
  struct Operand {
    std::uint32_t colour = 0;
    bool receives = false;  // else it sends
    bool packed = false;    // two elements a word

    std::uint64_t words(std::uint64_t elements) const {
      return packed ? (elements + 1) / 2 : elements;
    }
  };

  std::uint32_t pc = 0;
  std::uint64_t elements = 0;
  bool asynchronous = false;
  std::vector<Operand> operands{};
  std::uint32_t may_receive = 0;
  std::uint32_t may_send = 0;
};

// Masks have a bit for each colour.
struct MainPath {
  std::vector<WordUse> received;  // each colour once
  std::vector<WordUse> sent;      // data only
  std::vector<FabricStep> steps;  // all that main does on the fabric, as far as it is followed
  bool has_main_only = false;     // no other task of the program can run
  std::uint32_t may_receive_more = ~0u;
  std::uint32_t may_send_more = ~0u;  // control wavelets too
  std::uint32_t controls = 0;         // colours on which it sends control wavelets

  // How many data words of the colour the PE takes or sends in all, if that is certain.
  std::optional<std::uint64_t> all_received(std::uint32_t colour) const;
  std::optional<std::uint64_t> all_sent(std::uint32_t colour) const;
};

// `slots` are those of the PE. Takes at most `steps` instructions, and counts `steps` down.
MainPath follow_main(const isa::Program& program, const std::uint32_t* slots, std::size_t& steps);

}  // namespace wse::assembler
