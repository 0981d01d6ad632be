// The data of all PEs in one mapping, of which only touched pages take memory.
//
// A range in which the same bytes come again and again can be many mappings of one file in memory:
// its pages are shared until a PE writes to one, which then gets a page of its own. Reads and
// writes see plain memory in any case.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "isa/support/result.h"

namespace wse::vm {

struct Unmap {  // deletes a mapping
  std::size_t bytes = 0;
  void operator()(std::byte* memory) const;
};

class PeMemory {
 public:
  PeMemory() = default;
  // All zeros. Nothing: the host does not give so much.
  static std::optional<PeMemory> map(std::size_t bytes);
  static std::size_t page_bytes();

  std::byte* data() const { return memory_.get(); }

  // Makes up to `bytes` bytes from offset `begin` on repeat a unit that `fill` writes over zeros.
  // `begin` and `unit_bytes` are whole pages; of the last page nothing else may be in use. How many
  // bytes do: a multiple of the unit, or all of them; the others are zeros as before, as where the
  // host has no such files. Errors: out of memory.
  isa::Attempt<std::size_t> repeat(std::size_t begin, std::size_t bytes, std::size_t unit_bytes,
                                   const std::function<void(std::byte* unit)>& fill);

 private:
  std::unique_ptr<std::byte, Unmap> memory_;
};

}  // namespace wse::vm
