// Objects of regions in a folder, for later processes: what was compiled once is linked again.
//
//     DIR/0a3.wso      slot 0x0a3: "wsevmobj", key, object, seal of all that
//
// A key has one slot, and takes it from whoever had it: so the folder holds at most kSlots files.
// A file takes its place whole (isa/support/atomic_file.h): processes may share a folder. A file
// that is damaged, or has another key, is as good as none, and is replaced.
//
// Objects are machine code. A seal proves that one was written by this user's wsevm: it is computed
// with a secret of the user, which lies outside the cache, below a name that no script reaches.
// Must never give an object whose seal is wrong, nor take a folder into which somebody else could
// write.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "isa/support/result.h"
#include "isa/support/secret_file.h"
#include "jit/compiler.h"

namespace wse::jit {

inline constexpr std::uint32_t kSlots = 4096;
inline constexpr std::size_t kMostObjectBytes = std::size_t{256} << 10;  // else it is not kept

class ObjectCache {
 public:
  // Errors: no folder; others than its owner may write there, or into one that holds it; the secret
  // can neither be read nor made.
  static isa::Result<ObjectCache> open(const std::string& folder);

  // Returns the folder of the secret: wsevm/ in XDG_STATE_HOME, else in .local/state of HOME; an
  // empty path if neither is set to an absolute one.
  static std::filesystem::path secret_folder();

  // `compiler` computes the seals.
  std::optional<Object> find(std::string_view key, Compiler& compiler) const;
  // Keeps nothing if it cannot be written, and reports nothing.
  void store(std::string_view key, const Object& object, Compiler& compiler) const;

  std::string file_of(std::string_view key) const;

 private:
  ObjectCache(std::string folder, const isa::Secret& secret)
      : folder_(std::move(folder)), secret_(secret) {}

  std::string folder_;
  isa::Secret secret_;
};

}  // namespace wse::jit
