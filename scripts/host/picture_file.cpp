// One run of rsvg-convert: both of its ends are files in memory, so no pipe can fill up.
#include "scripts/host/picture_file.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <span>

namespace wse::script {
namespace {

constexpr const char* kProgram = "rsvg-convert";
constexpr const char* kMissing =
    "pictures as PNG and PDF are made by rsvg-convert, which cannot be started; install it "
    "(Debian: "
    "apt-get install librsvg2-bin), or give the picture a name that ends with .svg";

isa::OpenFile file_in_memory(const char* name) {
  return isa::OpenFile(::memfd_create(name, MFD_CLOEXEC), true);
}

std::unexpected<isa::FileError> no_memory(int error) {
  return isa::file_failure("a picture", "convert", error);
}

// Waits for the end: 0 if all is well.
int status_of(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return status;
}

// stdin, stdout and stderr of the child.
class Ends {
 public:
  Ends(int in, int out) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_adddup2(&actions_, in, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, out, STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  Ends(const Ends&) = delete;
  Ends& operator=(const Ends&) = delete;
  ~Ends() { ::posix_spawn_file_actions_destroy(&actions_); }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

// Two pixels for each of the text, so that a page shows it sharp. No time is in a PDF.
bool run(int in, int out, PictureFormat format) {
  std::array<std::string, 4> words{kProgram, "--format", "png", "--zoom=2"};
  if (format == PictureFormat::Pdf) words[2] = "pdf", words[3] = "--zoom=1";
  std::array<char*, 5> arguments{};
  for (std::size_t k = 0; k < words.size(); ++k) arguments[k] = words[k].data();
  std::array<std::string, 3> settings{"LC_ALL=C.UTF-8", "SOURCE_DATE_EPOCH=0", "HOME=/nonexistent"};
  std::array<char*, 4> environment{};
  for (std::size_t k = 0; k < settings.size(); ++k) environment[k] = settings[k].data();
  const Ends ends(in, out);
  pid_t process = 0;
  const int failed =
      ::posix_spawnp(&process, kProgram, ends.get(), nullptr, arguments.data(), environment.data());
  return failed == 0 && status_of(process) == 0;
}

}  // namespace

FileResult<std::string> converted(std::string_view svg, PictureFormat format) {
  isa::OpenFile in = file_in_memory("svg");
  isa::OpenFile out = file_in_memory("picture");
  if (!in.valid() || !out.valid()) return no_memory(errno);
  const int error = isa::write_all(in.number(), std::as_bytes(std::span(svg)));
  if (error != 0) return no_memory(error);
  ::lseek(in.number(), 0, SEEK_SET);
  if (!run(in.number(), out.number(), format)) {
    return std::unexpected(isa::FileError{.message = kMissing});
  }
  const off_t size = ::lseek(out.number(), 0, SEEK_END);
  std::string bytes(static_cast<std::size_t>(std::max<off_t>(size, 0)), '\0');
  if (bytes.empty()) return std::unexpected(isa::FileError{.message = kMissing});
  if (::pread(out.number(), bytes.data(), bytes.size(), 0) != size) return no_memory(EIO);
  return bytes;
}

}  // namespace wse::script
