// The traps of a strip, passed to another process: what they point to is a number there.
#pragma once

#include <cstdint>

#include "vm/contract/trap_report.h"
#include "vm/load/loaded.h"
#include "vm/strips/strips.h"
#include "vm/support/state_archive.h"

namespace wse::vm {

class TrapState {
 public:
  // Both must live longer.
  TrapState(const isa::Image& image, const Loaded& loaded) : image_(image), loaded_(loaded) {}

  // Passes those of the strips with these PEs.
  template <class Archive>
  void pass(Archive& archive, Strips& strips, const PeRange& pes) const;

 private:
  template <class Archive>
  void pass(Archive& archive, FirstTrap& traps) const;
  template <class Archive>
  void pass_routing(Archive& archive, PeId pe, const isa::Routing*& routing) const;
  template <class Archive>
  void pass_stream(Archive& archive, const isa::Stream*& stream) const;
  std::span<const isa::NamedRouting> routings_of(PeId pe) const;

  const isa::Image& image_;
  const Loaded& loaded_;
};

extern template void TrapState::pass(StateWriter&, Strips&, const PeRange&) const;
extern template void TrapState::pass(StateReader&, Strips&, const PeRange&) const;

}  // namespace wse::vm
