// The colours that the code of each PE may receive and send, as its descriptors and data tasks name
// them. Must name every colour that a PE may receive: a program that computes colours or loads
// descriptors from memory may receive all.
//
// Cost: a few operations for each PE, and its parameters where a colour depends on them.
#pragma once

#include <cstdint>
#include <vector>

#include "asm/mesh/placing.h"
#include "isa/image/image.h"

namespace wse::assembler {

// Whether the literal sends data words; one of a known length of 0, or of control wavelets, does
// not.
bool sends_words(const isa::DescriptorLiteral& literal);

class ColourUses {
 public:
  // `image` has programs and parameters; the placements lie on its grid.
  ColourUses(const isa::Image& image, const std::vector<PlacedProgram>& placements);

  // Masks with a bit for each colour; 0 of a PE without a program. Only where some program sends.
  std::uint32_t received(std::uint32_t pe) const { return at_[pe].received; }
  std::uint32_t sent(std::uint32_t pe) const { return at_[pe].sent; }
  // Union over all PEs.
  std::uint32_t sent_anywhere() const { return sent_anywhere_; }

 private:
  struct Masks {
    std::uint32_t received = 0;
    std::uint32_t sent = 0;
  };
  // Colours that a program names: constants, and slots that hold one.
  struct Named {
    Masks constant{};
    std::vector<std::uint32_t> received_slots;
    std::vector<std::uint32_t> sent_slots;
  };

  static Named named_by(const isa::Program& program);
  void add(const isa::Image& image, const isa::Placement& placement, const Named& named);

  std::vector<Masks> at_;  // by PE
  std::uint32_t sent_anywhere_ = 0;
};

}  // namespace wse::assembler
