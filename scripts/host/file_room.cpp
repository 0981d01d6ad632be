// Walks from a folder down to a file, a name at a time, with O_NOFOLLOW.
#include "scripts/host/file_room.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "isa/support/output_file.h"
#include "isa/support/plain_text.h"

namespace wse::script {
namespace fs = std::filesystem;
namespace {

constexpr const char* kOutside =
    "a script has only files below the current folder and those named on the command line; "
    "--unsafe lifts this";
constexpr const char* kOnlyRead =
    "a script writes only below the current folder and what out= names; --unsafe lifts this";
constexpr const char* kHidden =
    "a script has no files below a name that begins with a dot; --unsafe lifts this";

std::unexpected<isa::FileError> refused(const fs::path& path, std::string_view why) {
  return std::unexpected(isa::FileError{fmt::format("{}: {}", path.string(), why)});
}

std::unexpected<isa::FileError> failed(const char* action, const fs::path& path) {
  const int code = errno;
  if (code == ELOOP) return refused(path, "it is a symbolic link, which no script follows");
  return isa::file_failure(path.string(), action, code);
}

bool is_link(int folder, const char* name) {
  struct stat status;
  return ::fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
}

// The folder that holds the last name of `below`; makes folders on the way if `make` says so, and
// `folder`, which the command line names.
FileResult<isa::OpenFile> open_parent(const fs::path& folder, const fs::path& below, bool make) {
  std::error_code told_below;
  if (make) fs::create_directories(folder, told_below);
  std::optional<isa::OpenFile> at(isa::open_folder(AT_FDCWD, folder.string(), true));
  if (!at->valid()) return failed("open", folder);
  for (const fs::path& name : below.parent_path()) {
    if (make && ::mkdirat(at->number(), name.c_str(), 0777) != 0 && errno != EEXIST) {
      return failed("make", folder / below);
    }
    isa::OpenFile next = isa::open_folder(at->number(), name.string(), false);
    if (!next.valid()) {
      if (errno == ENOTDIR && is_link(at->number(), name.c_str())) errno = ELOOP;
      return failed("open", below);
    }
    at.emplace(std::move(next));
  }
  return std::move(*at);
}

FileResult<std::string> read_all(int file, const fs::path& shown, std::uint64_t max_bytes) {
  struct stat status;
  if (::fstat(file, &status) != 0) return failed("read", shown);
  if (!S_ISREG(status.st_mode)) return refused(shown, "it is no regular file");
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > max_bytes) {
    return refused(shown, fmt::format("it has {} bytes; at most {} are read", size, max_bytes));
  }
  std::string text(size, '\0');
  std::size_t have = 0;
  while (have < text.size()) {
    const ssize_t count = ::read(file, text.data() + have, text.size() - have);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed("read", shown);
    if (count == 0) break;  // it has become shorter
    have += static_cast<std::size_t>(count);
  }
  text.resize(have);
  return text;
}

// Scripts write regular files only, and no link.
FileResult<void> check_kind(const isa::OpenFile& folder, const std::string& name,
                            const fs::path& shown) {
  struct stat status;
  if (::fstatat(folder.number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return {};
  if (S_ISREG(status.st_mode)) return {};
  if (!S_ISLNK(status.st_mode)) return refused(shown, "it is no regular file");
  errno = ELOOP;
  return failed("write", shown);
}

FileResult<void> replace(isa::OpenFile folder, const std::string& name, const fs::path& shown,
                         isa::InputList& inputs, std::span<const std::byte> bytes) {
  if (auto regular = check_kind(folder, name, shown); !regular) return regular;
  auto file = isa::OutputFile::open_in(std::move(folder), name, shown.string(), inputs);
  if (!file) return std::unexpected(file.error());
  if (auto written = file->write(bytes); !written) return written;
  return file->commit();
}

FileResult<void> add(const isa::OpenFile& folder, const std::string& name, const fs::path& shown,
                     isa::InputList& inputs, std::span<const std::byte> bytes) {
  if (auto regular = check_kind(folder, name, shown); !regular) return regular;
  return isa::append_in(folder, name, shown.string(), inputs, bytes);
}

// Reads a file that has been opened as `below`.
FileResult<std::string> read_opened(const isa::OpenFile& file, const fs::path& below,
                                    std::uint64_t max_bytes) {
  if (!file.valid()) return failed("read", below);
  return read_all(file.number(), below, max_bytes);
}

FileResult<std::string> text_of(FileResult<std::string> bytes, const fs::path& shown) {
  if (!bytes) return bytes;
  auto text = isa::plain_text(std::move(*bytes));
  if (!text) return refused(shown, text.error());
  return std::move(*text);
}

// `name`: how the list of inputs calls the file.
FileResult<std::string> read_in(const isa::OpenFile& parent, const fs::path& below,
                                const std::string& name, std::uint64_t max_bytes,
                                isa::InputList& inputs) {
  const std::string file = below.filename().string();
  return read_opened(inputs.open_in(parent, file, name), below, max_bytes);
}

// Absolute, without "." and "..", as the text says; links are left as they are.
fs::path plain(const fs::path& path) {
  const fs::path whole = fs::absolute(path).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

// The way from `folder` down to `path`; empty if it is not below (or is the folder itself).
fs::path way_down(const fs::path& folder, const fs::path& path) {
  fs::path way = path.lexically_relative(folder);
  if (way.empty() || way == "." || *way.begin() == "..") return {};
  return way;
}

bool has_hidden_name(const fs::path& below) {
  return std::ranges::any_of(below, [](const fs::path& n) { return n.native().starts_with('.'); });
}

// From one of `roots` down to `whole`: the folder where the walk begins, and plain names.
struct Way {
  std::optional<std::pair<fs::path, fs::path>> granted;
  bool hidden = false;  // a root has it, but below a name that begins with a dot
};

Way way_to(const fs::path& whole, const std::vector<fs::path>& roots) {
  Way way;
  for (const fs::path& root : roots) {
    if (whole == root) return {std::pair(whole.parent_path(), whole.filename())};  // named itself
    fs::path below = way_down(root, whole);
    if (below.empty()) continue;
    if (!has_hidden_name(below)) return {std::pair(root, std::move(below))};
    way.hidden = true;
  }
  return way;
}

}  // namespace

FileRoom::FileRoom(const Grants& grants, bool unrestricted, isa::InputList& inputs)
    : inputs_(inputs), code_(grants.code), unrestricted_(unrestricted) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  if (!error) written_.push_back(here);
  const auto add = [](const std::vector<std::string>& given, std::vector<fs::path>& to) {
    for (const std::string& path : given) {
      if (!path.empty()) to.push_back(plain(path));
    }
  };
  add(grants.written, written_);
  add(grants.read, read_);
}

FileResult<FileRoom::Place> FileRoom::place_of(const std::string& path, bool to_write) const {
  if (path.empty()) return refused("''", "it names no file");
  if (path.find('\0') != std::string::npos) return refused("a path", "it holds a zero byte");
  const fs::path whole = plain(path);
  if (unrestricted_) return Place{whole.parent_path(), whole.filename()};
  Way way = way_to(whole, written_);
  const Way reading = way_to(whole, read_);
  if (!to_write && !way.granted) way = {reading.granted, way.hidden || reading.hidden};
  if (way.granted) return Place{way.granted->first, way.granted->second};
  if (way.hidden) return refused(path, kHidden);
  return refused(path, reading.granted ? kOnlyRead : kOutside);
}

FileResult<bool> FileRoom::exists(const std::string& path) const {
  const FileResult<Place> place = place_of(path, false);
  if (!place) return std::unexpected(place.error());
  std::error_code error;
  const fs::file_status status = fs::symlink_status(place->folder / place->below, error);
  return status.type() != fs::file_type::not_found;
}

FileResult<std::string> FileRoom::read(const std::string& path, std::uint64_t max_bytes) const {
  const FileResult<Place> place = place_of(path, false);
  if (!place) return std::unexpected(place.error());
  const FileResult<isa::OpenFile> parent = open_parent(place->folder, place->below, false);
  if (!parent) return std::unexpected(parent.error());
  if (!unrestricted_) {
    if (auto allowed = code_.check_read(*parent, path); !allowed) {
      return std::unexpected(allowed.error());
    }
  }
  return read_in(*parent, place->below, path, max_bytes, inputs_);
}

FileResult<std::string> FileRoom::read_text(const std::string& path,
                                            std::uint64_t max_bytes) const {
  return text_of(read(path, max_bytes), path);
}

FileResult<std::string> FileRoom::read_to_continue(const std::string& path,
                                                   std::uint64_t max_bytes) const {
  const FileResult<Place> place = place_of(path, true);
  if (!place) return std::unexpected(place.error());
  const FileResult<bool> there = exists(path);
  if (!there) return std::unexpected(there.error());
  if (!*there) {
    if (const auto made = append(path, {}); !made) return std::unexpected(made.error());
  }
  const FileResult<isa::OpenFile> parent = open_parent(place->folder, place->below, false);
  if (!parent) return std::unexpected(parent.error());
  const std::string name = place->below.filename().string();
  const FileResult<isa::OpenFile> file = inputs_.open_to_continue(*parent, name, path);
  if (!file) return std::unexpected(file.error());
  if (const auto possible = append(path, {}); !possible) return std::unexpected(possible.error());
  return text_of(read_opened(*file, place->below, max_bytes), path);
}

FileResult<isa::OpenFile> FileRoom::folder_to_write(const Place& place,
                                                    const std::string& path) const {
  FileResult<isa::OpenFile> parent = open_parent(place.folder, place.below, true);
  if (!parent || unrestricted_) return parent;
  auto allowed = code_.check_write(*parent, place.below.filename().string(), path);
  if (!allowed) return std::unexpected(allowed.error());
  return parent;
}

FileResult<void> FileRoom::write(const std::string& path, std::span<const std::byte> bytes) const {
  if (!gate_) return write_here(path, bytes);
  return gate_(path, [&] { return write_here(path, bytes); });
}

FileResult<void> FileRoom::append(const std::string& path, std::span<const std::byte> bytes) const {
  if (!gate_) return append_here(path, bytes);
  return gate_(path, [&] { return append_here(path, bytes); });
}

FileResult<void> FileRoom::write_here(const std::string& path,
                                      std::span<const std::byte> bytes) const {
  const FileResult<Place> place = place_of(path, true);
  if (!place) return std::unexpected(place.error());
  FileResult<isa::OpenFile> parent = folder_to_write(*place, path);
  if (!parent) return std::unexpected(parent.error());
  return replace(std::move(*parent), place->below.filename().string(), path, inputs_, bytes);
}

FileResult<void> FileRoom::append_here(const std::string& path,
                                       std::span<const std::byte> bytes) const {
  const FileResult<Place> place = place_of(path, true);
  if (!place) return std::unexpected(place.error());
  const FileResult<isa::OpenFile> parent = folder_to_write(*place, path);
  if (!parent) return std::unexpected(parent.error());
  return add(*parent, place->below.filename().string(), path, inputs_, bytes);
}

FileResult<std::string> read_text_below(const fs::path& folder, const fs::path& below,
                                        std::uint64_t max_bytes, isa::InputList& inputs) {
  const FileResult<isa::OpenFile> parent = open_parent(folder, below, false);
  if (!parent) return std::unexpected(parent.error());
  return text_of(read_in(*parent, below, (folder / below).string(), max_bytes, inputs), below);
}

}  // namespace wse::script
