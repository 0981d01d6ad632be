// Bytes in little-endian order, and sets of words that meet or do not.
#include "tests/oracle/memory.h"

#include <algorithm>
#include <utility>

namespace wse::oracle {
namespace {

bool meet(const Words& left, const Words& right) {
  return std::ranges::any_of(left, [&right](std::uint32_t word) { return right.contains(word); });
}

}  // namespace

std::optional<isa::Trap> Memory::refuses(std::uint64_t address, std::uint32_t size) const {
  if (address + size > bytes.size()) return isa::Trap::OutsideMemory;
  if (address % size != 0) return isa::Trap::Misaligned;
  return std::nullopt;
}

std::uint32_t Memory::read(std::uint64_t address, std::uint32_t size) const {
  std::uint32_t value = 0;
  for (std::uint32_t k = 0; k < size; ++k) value |= std::uint32_t{bytes[address + k]} << 8 * k;
  return value;
}

void Memory::write(std::uint64_t address, std::uint32_t size, std::uint32_t value) {
  for (std::uint32_t k = 0; k < size; ++k) {
    if (keeps_changes_) changed_.push_back({address + k, bytes[address + k]});
    bytes[address + k] = static_cast<std::uint8_t>(value >> 8 * k);
  }
}

void Memory::keep_changes(bool keep) {
  if (keep) changed_.clear();
  keeps_changes_ = keep;
}

void Memory::take_back(std::size_t count) {
  for (; changed_.size() > count; changed_.pop_back()) {
    bytes[changed_.back().address] = changed_.back().before;
  }
}

Claim* Memory::claim(Words read, Words written) {
  return &claims_.emplace_back(Claim{std::move(read), std::move(written), std::nullopt});
}

void Memory::release(Cycle now) {
  claims_.remove_if([now](const Claim& claim) { return claim.end && *claim.end <= now; });
}

bool Memory::may_read(const Words& words) const {
  return std::ranges::none_of(claims_,
                              [&words](const Claim& claim) { return meet(words, claim.written); });
}

bool Memory::may_write(const Words& words) const {
  return std::ranges::none_of(claims_, [&words](const Claim& claim) {
    return meet(words, claim.read) || meet(words, claim.written);
  });
}

void add_words(Words& words, std::uint64_t address, std::uint32_t size) {
  for (std::uint32_t k = 0; k < size; k += 2) {
    words.insert(static_cast<std::uint32_t>((address + k) / 2));
  }
}

}  // namespace wse::oracle
