// One file for each slot.
#include "jit/object_cache.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "isa/support/atomic_file.h"
#include "isa/support/bytes.h"
#include "isa/support/hash.h"
#include "isa/support/mutant.h"

namespace wse::jit {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kMagic = "wsevmobj";
constexpr std::uint64_t kMostFileBytes = 2 * kMostObjectBytes;  // with its key
constexpr mode_t kOthersWrite = S_IWGRP | S_IWOTH;
constexpr const char* kSecretName = ".object-secret";

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

std::unexpected<std::string> refused(const std::string& folder, std::string_view why) {
  return isa::fail(fmt::format("cannot keep objects of compiled code in {}: {}", folder, why));
}

// Returns the folder that an environment variable names; an empty path unless it is absolute.
fs::path folder_of_variable(const char* name) {
  const char* const value = std::getenv(name);
  const fs::path folder = value == nullptr ? "" : value;
  return folder.is_absolute() ? folder : fs::path();
}

// Whether somebody else could put files there. A sticky folder lets nobody take away what belongs
// to others.
isa::Status check_owner(const std::string& shown, const fs::path& folder) {
  struct stat status{};
  const uid_t self = ::geteuid();
  if (::stat(folder.c_str(), &status) != 0) return refused(shown, "it cannot be looked at");
  if (status.st_uid != self) return refused(shown, "it belongs to somebody else");
  if ((status.st_mode & kOthersWrite) != 0) {
    return refused(shown, fmt::format("others may write there; chmod go-w {} helps", shown));
  }
  for (fs::path above = folder; above != above.parent_path();) {
    above = above.parent_path();
    if (::stat(above.c_str(), &status) != 0) return refused(shown, "it cannot be looked at");
    const bool open = (status.st_mode & kOthersWrite) != 0 && (status.st_mode & S_ISVTX) == 0;
    if (open || (status.st_uid != self && status.st_uid != 0)) {
      return refused(shown, fmt::format("others may change {}, which leads there", above.string()));
    }
  }
  return {};
}

}  // namespace

isa::Result<ObjectCache> ObjectCache::open(const std::string& folder) {
  std::error_code error;
  const fs::path real = fs::canonical(folder, error);
  if (error || !fs::is_directory(real, error)) {
    return refused(folder, "it is no folder; make it first");
  }
  if (isa::Status own = check_owner(folder, real); !own) return std::unexpected(own.error());
  const fs::path secrets = secret_folder();
  if (secrets.empty()) {
    return refused(folder, "nothing says where the secret of its seals is; set HOME");
  }
  const auto secret = isa::own_secret(secrets, kSecretName);
  if (!secret) return refused(folder, secret.error().message);
  isa::Status own = check_owner(secrets.string(), fs::canonical(secrets, error));
  if (!own) return std::unexpected(own.error());
  return ObjectCache(real.string(), *secret);
}

fs::path ObjectCache::secret_folder() {
  const fs::path state = folder_of_variable("XDG_STATE_HOME");
  if (!state.empty()) return state / "wsevm";
  const fs::path home = folder_of_variable("HOME");
  return home.empty() ? home : home / ".local/state/wsevm";
}

std::string ObjectCache::file_of(std::string_view key) const {
  return fmt::format("{}/{:03x}.wso", folder_, isa::hash_bytes(bytes_of(key)) % kSlots);
}

std::optional<Object> ObjectCache::find(std::string_view key, Compiler& compiler) const {
  isa::InputList alone;  // these files are the cache's own, whatever the command reads
  const auto file = isa::read_whole_file(file_of(key), alone, kMostFileBytes);
  if (!file || file->size() < sizeof(Seal)) return std::nullopt;
  const auto content = std::span(*file).first(file->size() - sizeof(Seal));
  const isa::Result<Seal> seal = compiler.seal(secret_, content);
  if (!seal) return std::nullopt;
  const bool sealed = std::ranges::equal(*seal, std::span(*file).subspan(content.size()));
  if (!sealed && !isa::mutant(isa::Mutant::ObjectUnchecked)) return std::nullopt;
  isa::ByteReader reader(content);
  if (reader.text() != kMagic) return std::nullopt;
  if (reader.text() != key && !isa::mutant(isa::Mutant::ObjectForeign)) return std::nullopt;
  Object object = reader.text();
  if (reader.failed()) return std::nullopt;
  return object;
}

void ObjectCache::store(std::string_view key, const Object& object, Compiler& compiler) const {
  if (object.size() > kMostObjectBytes || key.size() > kMostObjectBytes / 2) return;
  isa::ByteWriter writer;
  writer.text(kMagic);
  writer.text(key);
  writer.text(object);
  const isa::Result<Seal> seal = compiler.seal(secret_, writer.bytes());
  if (!seal) return;
  std::vector<std::byte> content(writer.bytes().begin(), writer.bytes().end());
  content.insert(content.end(), seal->begin(), seal->end());
  isa::InputList alone;
  (void)isa::write_whole_file(file_of(key), alone, content);
}

}  // namespace wse::jit
