// The 64-bit FNV-1a hash: checksum of images and key of small tables.
//
// Stable across machines and versions, because images carry it. Not for hostile collisions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace wse::isa {

constexpr std::uint64_t kHashSeed = 0xcbf29ce484222325u;

inline std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed = kHashSeed) {
  std::uint64_t hash = seed;
  for (const std::byte byte : bytes) {
    hash ^= static_cast<std::uint64_t>(byte);
    hash *= 0x100000001b3u;
  }
  return hash;
}

}  // namespace wse::isa
