// One run of rsvg-convert: both of its ends are files in memory, so no pipe can fill up. A shell
// sets its limits and becomes it: what starts a process knows of none.
#include "scripts/host/picture_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <span>

namespace wse::script {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "rsvg-convert";
constexpr const char* kMissing =
    "pictures as PNG and PDF are made by rsvg-convert, which cannot be started; install it "
    "(Debian: "
    "apt-get install librsvg2-bin), or give the picture a name that ends with .svg";

constexpr double kZoom = 2;            // pixels of a PNG for one of the text: a page shows it sharp
constexpr double kMostPixels = 32767;  // on a side: librsvg has no larger surface
constexpr std::uint64_t kPixelBytes = 4;

// Memory that rsvg-convert takes, measured: 20 MB for an empty picture and its fonts; 40 to 55
// bytes for each byte of a text of small shapes; the surface. The rest is room.
constexpr std::uint64_t kProgramBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kBytesPerTextByte = 64;
// Each row of a PNG has a byte of its own, and incompressible ones a little more.
constexpr std::uint64_t kMarginBytes = std::uint64_t{1} << 20;

// KiB of memory, blocks of 512 bytes of output, the program and its arguments. Pango sorts fonts in
// threads of its own, and a busy host lets many of them live at once: with stacks of 8 MB, which
// count as memory, nine would be too many.
constexpr const char* kLimitAndRun =
    R"(ulimit -s 1024 && ulimit -d "$1" && ulimit -f "$2" && shift 2 && exec "$@")";
constexpr std::uint64_t kFileBlockBytes = 512;

std::unexpected<isa::FileError> no_picture(std::string message, bool exhausted = false) {
  return std::unexpected(isa::FileError{.message = std::move(message), .exhausted = exhausted});
}

isa::OpenFile file_in_memory(const char* name) {
  return isa::OpenFile(::memfd_create(name, MFD_CLOEXEC), true);
}

std::unexpected<isa::FileError> no_memory(int error) {
  return isa::file_failure("a picture", "convert", error);
}

// Reads the number of an attribute in the opening tag.
std::optional<double> attribute(std::string_view tag, std::string_view name) {
  const std::size_t at = tag.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view value = tag.substr(at + name.size());
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const bool whole = error == std::errc() && end != value.data() + value.size() && *end == '"';
  return whole && number > 0 ? std::optional(number) : std::nullopt;
}

// Waits for the end: 0 if all is well.
int status_of(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return status;
}

// Finds the first file of that name that may be executed in a folder of PATH. A relative folder is
// left out: it would lead through the current one. Empty if there is none.
std::string find_program(const char* name) {
  const char* const path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    const fs::path file = fs::path(folder) / name;
    std::error_code error;
    const bool is_file = file.is_absolute() && fs::is_regular_file(file, error);
    if (is_file && ::access(file.c_str(), X_OK) == 0) return file.string();
  }
  return {};
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

// Lets the signals that end a process beyond its limits do so, even where this process ignores
// them.
class DefaultSignals {
 public:
  DefaultSignals() {
    sigset_t signals;
    ::sigemptyset(&signals);
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawnattr_setsigmask(&attributes_, &signals);
    for (const int signal : {SIGXFSZ, SIGXCPU, SIGPIPE}) ::sigaddset(&signals, signal);
    ::posix_spawnattr_setsigdefault(&attributes_, &signals);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  DefaultSignals(const DefaultSignals&) = delete;
  DefaultSignals& operator=(const DefaultSignals&) = delete;
  ~DefaultSignals() { ::posix_spawnattr_destroy(&attributes_); }
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

// Runs the program within its limits. The settings keep the time out of a PDF.
bool run(const std::string& program, const ConversionNeed& need, int in, int out,
         PictureFormat format) {
  const bool is_png = format == PictureFormat::Png;
  std::array<std::string, 9> words{"sh",
                                   "-c",
                                   kLimitAndRun,
                                   "sh",
                                   fmt::format("{}", need.memory_bytes / 1024),
                                   fmt::format("{}", need.output_bytes / kFileBlockBytes),
                                   program,
                                   is_png ? "--format=png" : "--format=pdf",
                                   fmt::format("--zoom={}", is_png ? kZoom : 1)};
  std::array<char*, words.size() + 1> arguments{};
  for (std::size_t k = 0; k < words.size(); ++k) arguments[k] = words[k].data();
  std::array<std::string, 4> settings{"LC_ALL=C.UTF-8", "SOURCE_DATE_EPOCH=0", "HOME=/nonexistent",
                                      "MALLOC_ARENA_MAX=1"};
  std::array<char*, settings.size() + 1> environment{};
  for (std::size_t k = 0; k < settings.size(); ++k) environment[k] = settings[k].data();
  const Ends ends(in, out);
  const DefaultSignals signals;
  pid_t process = 0;
  const int failed = ::posix_spawn(&process, "/bin/sh", ends.get(), signals.get(), arguments.data(),
                                   environment.data());
  return failed == 0 && status_of(process) == 0;
}

}  // namespace

FileResult<ConversionNeed> conversion_need(std::string_view svg, PictureFormat format) {
  const std::size_t begin = svg.find("<svg ");
  const std::string_view tag =
      begin == svg.npos ? "" : svg.substr(begin, svg.find('>', begin) - begin);
  const std::optional<double> width = attribute(tag, " width=\"");
  const std::optional<double> height = attribute(tag, " height=\"");
  if (!width || !height) return no_picture("the text of a picture must begin with its size");
  ConversionNeed need{.memory_bytes = kProgramBytes + kBytesPerTextByte * svg.size(),
                      .output_bytes = kMarginBytes + kBytesPerTextByte * svg.size()};
  if (format == PictureFormat::Pdf) return need;
  const double columns = std::ceil(*width * kZoom);
  const double rows = std::ceil(*height * kZoom);
  if (std::max(columns, rows) > kMostPixels) {
    return no_picture(
        fmt::format("a PNG of {} x {} would have {} x {} pixels, and has at most {} on "
                    "a side; make the picture smaller, or give it a name that ends "
                    "with .svg",
                    *width, *height, columns, rows, kMostPixels));
  }
  const std::uint64_t surface =
      kPixelBytes * static_cast<std::uint64_t>(columns) * static_cast<std::uint64_t>(rows);
  need.memory_bytes += surface;
  need.output_bytes = kMarginBytes + surface;
  return need;
}

FileResult<std::string> converted(std::string_view svg, PictureFormat format,
                                  std::uint64_t max_bytes) {
  const FileResult<ConversionNeed> need = conversion_need(svg, format);
  if (!need) return std::unexpected(need.error());
  const std::uint64_t bytes = need->memory_bytes + need->output_bytes;
  if (bytes > max_bytes) {
    return no_picture(fmt::format("out of memory for a picture: to convert it may take {} MiB, and "
                                  "{} MiB are left of what the script may take; make it smaller, "
                                  "allow more with --script-memory and --max-memory, or give it a "
                                  "name that ends with .svg",
                                  bytes >> 20, max_bytes >> 20),
                      true);
  }
  const std::string program = find_program(kProgram);
  if (program.empty()) return no_picture(kMissing);
  isa::OpenFile in = file_in_memory("svg");
  isa::OpenFile out = file_in_memory("picture");
  if (!in.valid() || !out.valid()) return no_memory(errno);
  const int error = isa::write_all(in.number(), std::as_bytes(std::span(svg)));
  if (error != 0) return no_memory(error);
  ::lseek(in.number(), 0, SEEK_SET);
  const bool done = run(program, *need, in.number(), out.number(), format);
  const off_t size = done ? ::lseek(out.number(), 0, SEEK_END) : 0;
  if (size <= 0) {
    return no_picture(
        fmt::format("{} could not convert a picture within {} MiB; give it a name "
                    "that ends with .svg",
                    program, bytes >> 20));
  }
  std::string picture(static_cast<std::size_t>(size), '\0');
  if (::pread(out.number(), picture.data(), picture.size(), 0) != size) return no_memory(EIO);
  return picture;
}

}  // namespace wse::script
