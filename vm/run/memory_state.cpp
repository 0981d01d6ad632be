// Pages that are all zeros are passed as nothing.
#include "vm/run/memory_state.h"

#include <algorithm>
#include <array>

namespace wse::vm {
namespace {

constexpr std::size_t kPage = 4096;

bool is_zero(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

}  // namespace

template <class Archive>
void MemoryState::pass(Archive& archive, PeId pe) {
  pass_pages(archive, memory_of(pe));
}

template <class Archive>
void MemoryState::pass(Archive& archive, PeId pe, std::span<const std::string> symbols) {
  for (const std::string& name : symbols) {
    const isa::Symbol* const symbol = loaded_.program_at(pe)->program->find_symbol(name);
    if (symbol == nullptr) continue;
    pass_pages(archive, memory_of(pe).subspan(symbol->address, symbol->bytes()));
  }
}

template <class Archive>
void MemoryState::pass_pages(Archive& archive, std::span<std::byte> memory) {
  for (std::size_t first = 0; archive.ok() && first < memory.size(); first += kPage) {
    const std::span<std::byte> page = memory.subspan(first, std::min(kPage, memory.size() - first));
    bool is_written = false;
    if constexpr (!Archive::kReads) is_written = !is_zero(page);
    archive.number(is_written);
    if constexpr (Archive::kReads) {
      std::array<std::byte, kPage> read = {};
      const std::span<std::byte> there = std::span(read).first(page.size());
      if (is_written) archive.bytes(there);
      // A page that is the same stays shared.
      if (!std::ranges::equal(page, there)) std::ranges::copy(there, page.begin());
    } else if (is_written) {
      archive.bytes(page);
    }
  }
}

template void MemoryState::pass(StateWriter&, PeId);
template void MemoryState::pass(StateReader&, PeId);
template void MemoryState::pass(StateWriter&, PeId, std::span<const std::string>);
template void MemoryState::pass(StateReader&, PeId, std::span<const std::string>);

}  // namespace wse::vm
