// The data memory of a PE, and who may touch which of its 16-bit words.
//
// A claim lasts from the start of an instruction to the first stop point of the running task after
// its end. Must never allow what nothing defines.
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <set>
#include <vector>

#include "tests/oracle/outcome.h"

namespace wse::oracle {

using Words = std::set<std::uint32_t>;  // numbers of 16-bit words

struct Claim {
  Words read;
  Words written;
  std::optional<Cycle> end;  // the first cycle in which it holds no more; unknown at first
};

class Memory {
 public:
  std::vector<std::uint8_t> bytes;

  std::optional<isa::Trap> refuses(std::uint64_t address, std::uint32_t size) const;
  std::uint32_t read(std::uint64_t address, std::uint32_t size) const;
  void write(std::uint64_t address, std::uint32_t size, std::uint32_t value);

  // From here on, what writes change is kept, or no longer.
  void keep_changes(bool keep);
  std::size_t changes() const { return changed_.size(); }
  // Takes back all kept changes but the first `count`.
  void take_back(std::size_t count);

  // The claim stays valid until it is released.
  Claim* claim(Words read, Words written);
  void release(Cycle now);
  bool may_read(const Words& words) const;
  bool may_write(const Words& words) const;

 private:
  struct Change {
    std::uint64_t address = 0;
    std::uint8_t before = 0;
  };
  std::list<Claim> claims_;
  bool keeps_changes_ = false;
  std::vector<Change> changed_;
};

void add_words(Words& words, std::uint64_t address, std::uint32_t size);

}  // namespace wse::oracle
