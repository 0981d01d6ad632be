// The memory of PEs, passed to another machine: all of it, or some symbols.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "vm/load/loaded.h"
#include "vm/support/state_archive.h"

namespace wse::vm {

class MemoryState {
 public:
  // It must live longer.
  explicit MemoryState(Loaded& loaded) : loaded_(loaded) {}

  // Passes all memory of a PE that has a program.
  template <class Archive>
  void pass(Archive& archive, PeId pe);
  // Passes the symbols of these names that its program has.
  template <class Archive>
  void pass(Archive& archive, PeId pe, std::span<const std::string> symbols);

 private:
  std::span<std::byte> memory_of(PeId pe) {
    return {loaded_.data(pe), loaded_.program_at(pe)->data_bytes};
  }
  template <class Archive>
  static void pass_pages(Archive& archive, std::span<std::byte> memory);

  Loaded& loaded_;
};

extern template void MemoryState::pass(StateWriter&, PeId);
extern template void MemoryState::pass(StateReader&, PeId);
extern template void MemoryState::pass(StateWriter&, PeId, std::span<const std::string>);
extern template void MemoryState::pass(StateReader&, PeId, std::span<const std::string>);

}  // namespace wse::vm
