// Temporary files and renames with POSIX calls.
#include "isa/support/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <set>

namespace wse::isa {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxAttempts = 1000;  // names tried for a temporary file
constexpr int kMaxLinks = 40;       // followed one after the other, as the system does

// The temporaries that exist. They belong to the process, as their names hold its number; who ends
// it from another thread must find them all.
class Temporaries {
 public:
  // A new file, or -1 with errno.
  int create(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto [entry, is_new] = names_.insert(name);  // first: a name may cost memory
    const int number = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (number < 0 && is_new) names_.erase(entry);
    return number;
  }
  // 0 or an errno.
  int rename(const std::string& name, const fs::path& target) {
    const std::lock_guard lock(mutex_);
    if (::rename(name.c_str(), target.c_str()) != 0) return errno;
    names_.erase(name);
    return 0;
  }
  void remove(const std::string& name) {
    const std::lock_guard lock(mutex_);
    ::unlink(name.c_str());
    names_.erase(name);
  }
  void remove_for_good() {
    mutex_.lock();
    for (const std::string& name : names_) ::unlink(name.c_str());
  }

 private:
  std::mutex mutex_;
  std::set<std::string> names_;
};

Temporaries& temporaries() {
  static Temporaries all;
  return all;
}

// Where the bytes for a path go.
struct Destination {
  int descriptor = -1;                // one that is open: stdout or stderr
  bool through = false;               // a pipe or a device
  fs::path target;                    // else: a regular file, links followed
  std::optional<struct stat> status;  // of the target, if it exists
};

bool is_writable_descriptor(int descriptor, const struct stat& status) {
  struct stat own{};
  const int flags = ::fcntl(descriptor, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && ::fstat(descriptor, &own) == 0 &&
         own.st_dev == status.st_dev && own.st_ino == status.st_ino;
}

// Where a chain of links ends, be there a file or not. Needed where there is none: canonical() and
// weakly_canonical() stop in front of a link that leads to nothing.
std::expected<fs::path, FileError> end_of_links(const std::string& path) {
  fs::path target = path;
  for (int k = 0; k < kMaxLinks; ++k) {
    std::error_code error;
    const fs::path next = fs::read_symlink(target, error);
    if (error) return target;  // no link
    target = target.parent_path() / next;
  }
  return file_failure(path, "write", ELOOP);
}

std::expected<Destination, FileError> find_destination(const std::string& path) {
  if (path == "-") return Destination{.descriptor = STDOUT_FILENO, .target = {}, .status = {}};
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT || path.ends_with('/')) return file_failure(path, "write", errno);
    auto target = end_of_links(path);
    if (!target) return std::unexpected(target.error());
    return Destination{.target = std::move(*target), .status = {}};
  }
  if (S_ISDIR(status.st_mode)) return file_failure(path, "write", EISDIR);
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    if (!is_writable_descriptor(descriptor, status)) continue;
    return Destination{.descriptor = descriptor, .target = {}, .status = {}};
  }
  if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) {
    return file_failure(path, "write", errno);
  }
  if (!S_ISREG(status.st_mode)) return Destination{.through = true, .target = {}, .status = {}};
  std::error_code error;
  fs::path target = fs::canonical(path, error);
  if (error) return file_failure(path, "write", error.value());
  return Destination{.target = std::move(target), .status = status};
}

// Creates a file of its own beside the target; its name does not depend on that of the target,
// which may be as long as names can be. Returns -1 with errno on failure.
int create_beside(const fs::path& target, std::string& name) {
  const std::string stem = ".wsevm-" + std::to_string(::getpid()) + "-";
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    name = (target.parent_path() / (stem + std::to_string(attempt) + ".tmp")).string();
    const int number = temporaries().create(name);
    if (number >= 0 || errno != EEXIST) return number;
  }
  return -1;
}

}  // namespace

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::move(other.file_)),
      temporary_(std::exchange(other.temporary_, {})),
      target_(std::move(other.target_)),
      mode_(other.mode_) {}

std::expected<OutputFile, FileError> OutputFile::open(const std::string& path) {
  auto place = find_destination(path);
  if (!place) return std::unexpected(place.error());
  if (place->descriptor >= 0) return OutputFile(path, OpenFile(place->descriptor, false));
  if (place->through) {
    OpenFile file(::open(path.c_str(), O_WRONLY | O_CLOEXEC), true);
    if (!file.valid()) return file_failure(path, "write", errno);
    return OutputFile(path, std::move(file));
  }
  std::string temporary;
  const int number = create_beside(place->target, temporary);
  if (number < 0) return file_failure(path, "write", errno);
  OutputFile output(path, OpenFile(number, true));
  output.temporary_ = std::move(temporary);
  output.target_ = std::move(place->target);
  if (place->status) output.mode_ = place->status->st_mode & 07777;
  return output;
}

std::expected<void, FileError> OutputFile::write(std::span<const std::byte> bytes) {
  const int error = write_all(file_.number(), bytes);
  if (error == 0) return {};
  const bool to_stdout = file_.number() == STDOUT_FILENO;
  abandon();
  auto why = file_failure(to_stdout ? "stdout" : path_, "write", error);
  why.error().reader_gone = to_stdout && error == EPIPE;
  return why;
}

std::expected<void, FileError> OutputFile::commit() {
  int error = mode_ && ::fchmod(file_.number(), *mode_) != 0 ? errno : 0;
  if (const int close_error = file_.close(); error == 0) error = close_error;
  if (error == 0 && !temporary_.empty()) error = temporaries().rename(temporary_, target_);
  if (error == 0) temporary_.clear();
  abandon();
  if (error != 0) return file_failure(path_, "write", error);
  return {};
}

void OutputFile::abandon() {
  file_.close();
  if (temporary_.empty()) return;
  temporaries().remove(temporary_);
  temporary_.clear();
}

std::expected<void, FileError> check_output(const std::string& path) {
  const auto place = find_destination(path);
  if (!place) return std::unexpected(place.error());
  if (place->descriptor >= 0 || place->through)
    return {};  // opening a pipe would wait for a reader
  const auto probe = OutputFile::open(path);
  if (!probe) return std::unexpected(probe.error());
  return {};
}

std::string output_identity(const std::string& path) {
  const auto place = find_destination(path);
  if (!place || place->through) return {};
  if (place->descriptor == STDOUT_FILENO) return "-";
  if (place->descriptor >= 0) return {};
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(fs::absolute(place->target, error), error);
  return error ? std::string() : whole.string();
}

void remove_temporaries_for_good() { temporaries().remove_for_good(); }

}  // namespace wse::isa
