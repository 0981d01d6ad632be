// Random bytes of the system, in a file of mode 600.
#include "isa/support/secret_file.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <optional>

namespace wse::isa {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kOfOthers = S_IRWXG | S_IRWXO;

bool is_private(const struct stat& status) {
  return S_ISREG(status.st_mode) && status.st_uid == ::geteuid() &&
         (status.st_mode & kOfOthers) == 0 && status.st_nlink == 1 &&
         status.st_size == static_cast<off_t>(sizeof(Secret));
}

// Reads the secret; nothing if the folder has no file of that name.
std::expected<std::optional<Secret>, FileError> read_secret(const OpenFile& folder,
                                                            const std::string& name,
                                                            const std::string& shown) {
  constexpr int kFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  const OpenFile file(::openat(folder.number(), name.c_str(), kFlags), true);
  if (!file.valid() && errno == ENOENT) return std::nullopt;
  struct stat status{};
  const bool is_link = !file.valid() && errno == ELOOP;
  if (!is_link && (!file.valid() || ::fstat(file.number(), &status) != 0)) {
    return file_failure(shown, "read", errno);
  }
  if (is_link || !is_private(status)) {
    return std::unexpected(FileError{"cannot use '" + shown +
                                     "': it is not a file of 32 bytes that you alone may read; "
                                     "remove it, and a new one is made"});
  }
  Secret secret{};
  if (::read(file.number(), secret.data(), secret.size()) != static_cast<ssize_t>(secret.size())) {
    return file_failure(shown, "read", EIO);
  }
  return secret;
}

// Fills it with random bytes of the system. False: errno says why.
template <class Bytes>
bool fill_random(Bytes& bytes) {
  return ::getrandom(&bytes, sizeof bytes, 0) == static_cast<ssize_t>(sizeof bytes);
}

// Gives the file its name unless another process has been faster: whoever has read that one goes
// on with it. Returns the errno of a failure, or 0.
int name_once(int folder, const std::string& temporary, const std::string& name) {
  if (::renameat2(folder, temporary.c_str(), folder, name.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno == EINVAL) {  // a file system that cannot
    return ::renameat(folder, temporary.c_str(), folder, name.c_str()) == 0 ? 0 : errno;
  }
  const int error = errno;
  ::unlinkat(folder, temporary.c_str(), 0);
  return error == EEXIST ? 0 : error;
}

// Makes the file with a new secret, unless there is one by then.
std::expected<void, FileError> make_secret(const OpenFile& folder, const std::string& name,
                                           const std::string& shown) {
  Secret secret{};
  std::uint64_t number = 0;  // of a name that nobody else takes
  if (!fill_random(secret) || !fill_random(number)) return file_failure(shown, "make", errno);
  const std::string temporary = name + "-" + std::to_string(number) + ".tmp";
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  const int at = folder.number();
  OpenFile file(::openat(at, temporary.c_str(), kFlags, 0600), true);
  if (!file.valid()) return file_failure(shown, "make", errno);
  int error = write_all(file.number(), secret);
  if (const int close_error = file.close(); error == 0) error = close_error;
  if (error != 0) {
    ::unlinkat(at, temporary.c_str(), 0);
  } else {
    error = name_once(at, temporary, name);
  }
  if (error == 0) return {};
  return file_failure(shown, "make", error);
}

}  // namespace

std::expected<Secret, FileError> own_secret(const fs::path& folder, const std::string& name) {
  const std::string shown = (folder / name).string();
  std::error_code told_below;
  fs::create_directories(folder, told_below);
  const OpenFile at = open_folder(AT_FDCWD, folder.string(), true);
  if (!at.valid()) return file_failure(folder.string(), "make", errno);
  auto secret = read_secret(at, name, shown);
  if (secret && !*secret) {
    if (auto made = make_secret(at, name, shown); !made) return std::unexpected(made.error());
    secret = read_secret(at, name, shown);
  }
  if (!secret) return std::unexpected(secret.error());
  if (!*secret) return file_failure(shown, "read", ENOENT);
  return **secret;
}

}  // namespace wse::isa
