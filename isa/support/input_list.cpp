// Opens inputs and compares identities.
#include "isa/support/input_list.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace wse::isa {
namespace {

FileId id_of(const struct stat& status) { return {status.st_dev, status.st_ino}; }

std::unexpected<FileError> refused(const std::string& shown, const std::string& read_as) {
  const std::string other = shown == read_as ? "" : ", as '" + read_as + "'";
  return std::unexpected(FileError{"cannot write '" + shown + "': this command reads it" + other +
                                   "; give the output a file of its own"});
}

}  // namespace

OpenFile InputList::open(const std::string& path) {
  const bool from_stdin = path == "-";
  OpenFile file(from_stdin ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC),
                !from_stdin);
  if (file.valid()) add(file.number(), {from_stdin ? "stdin" : path, true});
  return file;
}

OpenFile InputList::open_in(const OpenFile& folder, const std::string& name,
                            const std::string& shown) {
  OpenFile file(
      ::openat(folder.number(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC),
      true);
  if (file.valid()) add(file.number(), {shown});
  return file;
}

std::expected<OpenFile, FileError> InputList::open_to_continue(const OpenFile& folder,
                                                               const std::string& name,
                                                               const std::string& shown) {
  OpenFile file(
      ::openat(folder.number(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC),
      true);
  struct stat status{};
  if (!file.valid() || ::fstat(file.number(), &status) != 0) {
    return file_failure(shown, "read", errno);
  }
  {
    const std::lock_guard lock(mutex_);
    const auto input = inputs_.find(id_of(status));
    if (input != inputs_.end() && input->second.of_command) {
      return refused(shown, input->second.name);
    }
  }
  wrote(status, std::nullopt);
  return file;
}

void InputList::expect(const std::string& path) {
  struct stat status{};
  const bool from_stdin = path == "-";
  const bool known =
      from_stdin ? ::fstat(STDIN_FILENO, &status) == 0 : ::stat(path.c_str(), &status) == 0;
  if (known) add(status, {from_stdin ? "stdin" : path, true});
}

std::expected<void, FileError> InputList::may_replace(const struct stat& target,
                                                      const std::string& shown) const {
  const std::lock_guard lock(mutex_);
  const auto input = inputs_.find(id_of(target));
  if (input != inputs_.end()) return refused(shown, input->second.name);
  return {};
}

// The number of an inode that is gone may come again for a new file: what has just been written is
// the command's own, whatever bore its number before.
void InputList::wrote(const struct stat& now, const std::optional<struct stat>& before) {
  if (!S_ISREG(now.st_mode)) return;
  const std::lock_guard lock(mutex_);
  if (before) {
    own_.erase(id_of(*before));
    news_.erase(id_of(*before));
  }
  const FileId id = id_of(now);
  inputs_.erase(id);
  own_.insert(id);
  news_[id] = {id, "", true};
}

std::vector<KnownFile> InputList::take_news() {
  const std::lock_guard lock(mutex_);
  std::vector<KnownFile> taken;
  for (auto& [id, file] : std::exchange(news_, {})) taken.push_back(std::move(file));
  return taken;
}

void InputList::merge(const std::vector<KnownFile>& news) {
  const std::lock_guard lock(mutex_);
  for (const KnownFile& file : news) {
    if (file.own) {
      inputs_.erase(file.id);
      own_.insert(file.id);
    } else if (!own_.contains(file.id)) {
      inputs_.emplace(file.id, Input{file.name});
    }
    news_[file.id] = file;  // for whoever has started this process
  }
}

void InputList::add(int descriptor, const Input& input) {
  struct stat status{};
  if (::fstat(descriptor, &status) == 0) add(status, input);
}

void InputList::add(const struct stat& status, const Input& input) {
  if (!S_ISREG(status.st_mode)) return;
  const std::lock_guard lock(mutex_);
  const FileId id = id_of(status);
  if (own_.contains(id)) return;
  const auto [known, is_new] = inputs_.emplace(id, input);
  known->second.of_command |= input.of_command;
  if (is_new) news_[id] = {id, input.name, false};
}

}  // namespace wse::isa
