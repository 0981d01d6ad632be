// Objects of regions in a folder, for later processes: what was compiled once is linked again.
//
//     DIR/0a3.wso      slot 0x0a3: "wsevmobj", key, object, checksum of all that
//
// A key has one slot, and takes it from whoever had it: so the folder holds at most kSlots files.
// A file takes its place whole (isa/support/atomic_file.h): processes may share a folder. One that
// is damaged, or has another key, is as good as none, and is replaced.
// Objects are machine code, which nothing but a checksum guards: must never take a folder into
// which somebody else could write.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "isa/support/result.h"
#include "jit/compiler.h"

namespace wse::jit {

inline constexpr std::uint32_t kSlots = 4096;
inline constexpr std::size_t kMostObjectBytes = std::size_t{256} << 10;  // else it is not kept

class ObjectCache {
 public:
  // Errors: no folder; others than its owner may write there, or into one that holds it.
  static isa::Result<ObjectCache> open(const std::string& folder);

  std::optional<Object> find(std::string_view key) const;
  // What cannot be written is not kept; nobody is told.
  void store(std::string_view key, const Object& object) const;

  std::string file_of(std::string_view key) const;

 private:
  explicit ObjectCache(std::string folder) : folder_(std::move(folder)) {}

  std::string folder_;
};

}  // namespace wse::jit
