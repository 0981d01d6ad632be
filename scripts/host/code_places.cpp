// Compares open folders, and those above them, with the places.
#include "scripts/host/code_places.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "isa/support/input_list.h"

namespace wse::script {
namespace {

constexpr mode_t kExecutable = S_IXUSR | S_IXGRP | S_IXOTH;

std::unexpected<isa::FileError> not_allowed(const std::string& shown, const std::string& why) {
  return std::unexpected(isa::FileError{fmt::format("{}: {}; --unsafe lifts this", shown, why)});
}

std::optional<isa::FileId> id_of(const isa::OpenFile& folder) {
  struct stat status{};
  if (!folder.valid() || ::fstat(folder.number(), &status) != 0) return std::nullopt;
  return isa::FileId{status.st_dev, status.st_ino};
}

// Lists the folder itself, then all above it up to the root.
std::vector<isa::FileId> way_up(const isa::OpenFile& folder) {
  std::vector<isa::FileId> ids;
  isa::OpenFile at = isa::open_folder(folder.number(), ".", false);
  for (std::optional<isa::FileId> id = id_of(at); id; id = id_of(at)) {
    if (!ids.empty() && ids.back() == *id) break;  // the root is its own parent
    ids.push_back(*id);
    at.take(isa::open_folder(at.number(), "..", false));
  }
  return ids;
}

// Says whether a folder with this way up lies at the place.
bool lies_at(const std::vector<isa::FileId>& way, const CodePlace& place) {
  struct stat status{};
  if (::stat(place.folder.c_str(), &status) != 0) return false;
  const isa::FileId id{status.st_dev, status.st_ino};
  if (place.whole) return std::ranges::find(way, id) != way.end();
  return !way.empty() && way.front() == id;
}

}  // namespace

CodePlaces::CodePlaces(std::vector<CodePlace> places) : places_(std::move(places)) {
  for (CodePlace& place : places_) {
    std::error_code error;
    place.folder = std::filesystem::absolute(place.folder, error).string();
  }
}

std::expected<void, isa::FileError> CodePlaces::check_write(const isa::OpenFile& folder,
                                                            const std::string& name,
                                                            const std::string& shown) const {
  const std::vector<isa::FileId> way = way_up(folder);
  for (const CodePlace& place : places_) {
    if (!lies_at(way, place)) continue;
    return not_allowed(shown,
                       fmt::format("its folder holds {}, and a script writes nothing where code "
                                   "is taken from; write to another folder",
                                   place.holds));
  }
  struct stat status{};
  const bool known = ::fstatat(folder.number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
  if (!known || !S_ISREG(status.st_mode) || (status.st_mode & kExecutable) == 0) return {};
  return not_allowed(shown,
                     fmt::format("it may be executed (mode {:o}), and a script writes no such "
                                 "file; write to another one, or chmod a-x it first",
                                 status.st_mode & 07777));
}

std::expected<void, isa::FileError> CodePlaces::check_read(const isa::OpenFile& folder,
                                                           const std::string& shown) const {
  const std::vector<isa::FileId> way = way_up(folder);
  for (const CodePlace& place : places_) {
    if (!place.is_secret || !lies_at(way, place)) continue;
    return not_allowed(shown,
                       fmt::format("its folder holds {}, which no script reads", place.holds));
  }
  return {};
}

}  // namespace wse::script
