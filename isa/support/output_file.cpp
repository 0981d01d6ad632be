// Temporary files and renames with POSIX calls.
#include "isa/support/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <set>

#include "isa/support/visible.h"

namespace wse::isa {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxAttempts = 1000;  // names tried for a temporary file
constexpr int kMaxLinks = 40;       // followed one after the other, as the system does

// The temporaries that exist. They belong to the process, as their names hold its number; who ends
// it from another thread must find them all.
class Temporaries {
 public:
  // A new file, or -1 with errno. The folder stays open while its temporary exists.
  int create(int folder, const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto [entry, is_new] = all_.emplace(folder, name);  // first: a name may cost memory
    const int number =
        ::openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (number < 0 && is_new) all_.erase(entry);
    return number;
  }
  // Names a file that has none. 0 or an errno.
  int link(const std::string& path, int folder, const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto [entry, is_new] = all_.emplace(folder, name);
    if (::linkat(AT_FDCWD, path.c_str(), folder, name.c_str(), AT_SYMLINK_FOLLOW) == 0) return 0;
    const int error = errno;
    if (is_new) all_.erase(entry);
    return error;
  }
  // 0 or an errno.
  int rename(int folder, const std::string& name, const std::string& target) {
    const std::lock_guard lock(mutex_);
    if (::renameat(folder, name.c_str(), folder, target.c_str()) != 0) return errno;
    all_.erase({folder, name});
    return 0;
  }
  void remove(int folder, const std::string& name) {
    const std::lock_guard lock(mutex_);
    ::unlinkat(folder, name.c_str(), 0);
    all_.erase({folder, name});
  }
  void remove_for_good() {
    mutex_.lock();
    for (const auto& [folder, name] : all_) ::unlinkat(folder, name.c_str(), 0);
  }

 private:
  std::mutex mutex_;
  std::set<std::pair<int, std::string>> all_;  // folder and name
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

// Where a chain of links ends, whether or not a file is there. Needed where there is none:
// canonical() and weakly_canonical() stop in front of a link that leads to nothing.
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

std::expected<Destination, FileError> find_destination(const std::string& path,
                                                       const InputList& inputs) {
  if (path == "-") return Destination{.descriptor = STDOUT_FILENO, .target = {}, .status = {}};
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT || path.ends_with('/')) return file_failure(path, "write", errno);
    auto target = end_of_links(path);
    if (!target) return std::unexpected(target.error());
    return Destination{.target = std::move(*target), .status = {}};
  }
  if (S_ISDIR(status.st_mode)) return file_failure(path, "write", EISDIR);
  if (auto free = inputs.may_replace(status, path); !free) return std::unexpected(free.error());
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

// A name for a temporary; it does not depend on that of the target, which may be as long as names
// can be.
std::string temporary_name(int attempt) {
  return ".wsevm-" + std::to_string(::getpid()) + "-" + std::to_string(attempt) + ".tmp";
}

// Creates a file of a name that nobody has. Returns -1 with errno on failure, and leaves `name`
// empty.
int create_temporary(int folder, std::string& name) {
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    std::string candidate = temporary_name(attempt);
    const int number = temporaries().create(folder, candidate);
    if (number >= 0) name = std::move(candidate);
    if (number >= 0 || errno != EEXIST) return number;
  }
  return -1;
}

std::string path_of(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

// Creates a file without a name, which can get one; none where there are no such files.
OpenFile create_nameless(int folder) {
  OpenFile file(::openat(folder, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666), true);
  if (file.valid() && ::access(path_of(file.number()).c_str(), F_OK) != 0) file.close();
  return file;
}

// Gives it a name that nobody has. Returns 0, or an errno, and leaves `name` empty.
int give_name(int descriptor, int folder, std::string& name) {
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    std::string candidate = temporary_name(attempt);
    const int error = temporaries().link(path_of(descriptor), folder, candidate);
    if (error == 0) name = std::move(candidate);
    if (error != EEXIST) return error;
  }
  return EEXIST;
}

// Returns the status of the file of that name in the folder; nothing if there is none.
std::expected<std::optional<struct stat>, FileError> status_in(const OpenFile& folder,
                                                               const std::string& name,
                                                               const std::string& shown) {
  struct stat status{};
  if (::fstatat(folder.number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) return status;
  if (errno != ENOENT) return file_failure(shown, "write", errno);
  return std::nullopt;
}

}  // namespace

OutputFile::OutputFile(std::string path, OpenFile file, InputList& inputs)
    : path_(std::move(path)),
      file_(std::move(file)),
      inputs_(&inputs),
      to_terminal_(::isatty(file_.number()) == 1),
      folder_(-1, false) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::move(other.file_)),
      inputs_(other.inputs_),
      to_terminal_(other.to_terminal_),
      folder_(std::move(other.folder_)),
      temporary_(std::exchange(other.temporary_, {})),
      target_(std::move(other.target_)),
      before_(other.before_) {}

std::expected<OutputFile, FileError> OutputFile::make(OpenFile folder, const std::string& name,
                                                      const std::optional<struct stat>& before,
                                                      const std::string& path, InputList& inputs) {
  OutputFile output(path, OpenFile(-1, false), inputs);
  output.folder_.take(std::move(folder));
  output.target_ = name;
  output.before_ = before;
  if (OpenFile file = create_nameless(output.folder_.number()); file.valid()) {
    output.file_.take(std::move(file));
    return output;
  }
  // Last: from here on no memory is asked for, and the temporary has its owner.
  const int number = create_temporary(output.folder_.number(), output.temporary_);
  const int error = errno;
  output.file_.take(OpenFile(number, true));
  if (number >= 0) return output;
  return file_failure(path, "write", error);
}

std::expected<OutputFile, FileError> OutputFile::open(const std::string& path, InputList& inputs) {
  auto place = find_destination(path, inputs);
  if (!place) return std::unexpected(place.error());
  if (place->descriptor >= 0) return OutputFile(path, OpenFile(place->descriptor, false), inputs);
  if (place->through) {
    OpenFile file(::open(path.c_str(), O_WRONLY | O_CLOEXEC), true);
    if (!file.valid()) return file_failure(path, "write", errno);
    return OutputFile(path, std::move(file), inputs);
  }
  const std::string parent = place->target.parent_path().string();
  OpenFile folder = open_folder(AT_FDCWD, parent.empty() ? "." : parent, true);
  if (!folder.valid()) return file_failure(path, "write", errno);
  return make(std::move(folder), place->target.filename().string(), place->status, path, inputs);
}

std::expected<OutputFile, FileError> OutputFile::open_in(OpenFile folder, const std::string& name,
                                                         const std::string& shown,
                                                         InputList& inputs) {
  const auto before = status_in(folder, name, shown);
  if (!before) return std::unexpected(before.error());
  if (*before) {
    if (auto free = inputs.may_replace(**before, shown); !free) {
      return std::unexpected(free.error());
    }
    if (::faccessat(folder.number(), name.c_str(), W_OK, AT_EACCESS) != 0) {
      return file_failure(shown, "write", errno);
    }
  }
  return make(std::move(folder), name, *before, shown, inputs);
}

std::expected<void, FileError> OutputFile::write(std::span<const std::byte> bytes) {
  std::string shown;
  if (to_terminal_) {
    shown = visible({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    bytes = std::as_bytes(std::span(shown));
  }
  auto written = write_to(file_.number(), path_, bytes);
  if (!written) abandon();
  return written;
}

std::expected<void, FileError> OutputFile::commit() {
  int error = 0;
  struct stat now{};
  if (before_ && ::fchmod(file_.number(), before_->st_mode & 07777) != 0) error = errno;
  if (error == 0 && ::fstat(file_.number(), &now) != 0) error = errno;
  const bool is_nameless = temporary_.empty() && !target_.empty();
  if (error == 0 && is_nameless) {
    error = give_name(file_.number(), folder_.number(), temporary_);
  }
  if (const int close_error = file_.close(); error == 0) error = close_error;
  if (error == 0 && !temporary_.empty()) {
    error = temporaries().rename(folder_.number(), temporary_, target_);
    if (error == 0) {
      temporary_.clear();
      inputs_->wrote(now, before_);
    }
  }
  abandon();
  if (error != 0) return file_failure(path_, "write", error);
  return {};
}

void OutputFile::abandon() {
  file_.close();
  if (temporary_.empty()) return;
  temporaries().remove(folder_.number(), temporary_);
  temporary_.clear();
}

std::expected<void, FileError> check_output(const std::string& path, InputList& inputs) {
  const auto place = find_destination(path, inputs);
  if (!place) return std::unexpected(place.error());
  if (place->descriptor >= 0 || place->through)
    return {};  // opening a pipe would wait for a reader
  const auto probe = OutputFile::open(path, inputs);
  if (!probe) return std::unexpected(probe.error());
  return {};
}

std::expected<void, FileError> append_in(const OpenFile& folder, const std::string& name,
                                         const std::string& shown, InputList& inputs,
                                         std::span<const std::byte> bytes) {
  const auto before = status_in(folder, name, shown);
  if (!before) return std::unexpected(before.error());
  if (*before) {
    if (auto free = inputs.may_replace(**before, shown); !free) return free;
  }
  constexpr int kFlags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  OpenFile file(::openat(folder.number(), name.c_str(), kFlags, 0666), true);
  struct stat status{};
  if (!file.valid() || ::fstat(file.number(), &status) != 0) {
    return file_failure(shown, "write", errno);
  }
  if (!S_ISREG(status.st_mode)) return file_failure(shown, "write", EINVAL);
  if (!*before) inputs.wrote(status, std::nullopt);
  int error = write_all(file.number(), bytes);
  if (error != 0 && ::ftruncate(file.number(), status.st_size) != 0) {  // the first error counts
  }
  if (const int close_error = file.close(); error == 0) error = close_error;
  if (error != 0) return file_failure(shown, "write", error);
  return {};
}

std::string output_identity(const std::string& path) {
  const auto place = find_destination(path, InputList());
  if (!place || place->through) return {};
  if (place->descriptor == STDOUT_FILENO) return "-";
  if (place->descriptor >= 0) return {};
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(fs::absolute(place->target, error), error);
  return error ? std::string() : whole.string();
}

void remove_temporaries_for_good() { temporaries().remove_for_good(); }

}  // namespace wse::isa
