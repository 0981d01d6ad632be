// The zip format by libzip, in memory. Must never let libzip see a file, and never give it a size
// that a member claims before the size has been checked.
#include "vm/numpy/npz.h"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

namespace wse::numpy {
namespace {

constexpr std::string_view kSuffix = ".npy";
constexpr std::uint32_t kLevel = 3;             // of deflate: twice as fast as 6, 5 % larger
constexpr std::uint16_t kDosDate = 1 << 5 | 1;  // the first day that a zip can name
constexpr std::uint64_t kMostRatio = 1032;      // of deflate
constexpr std::uint64_t kHeadBytes = 1 << 16;   // of an array, at most

struct Discard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct Release {
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};
struct CloseMember {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using Archive = std::unique_ptr<zip_t, Discard>;
using Source = std::unique_ptr<zip_source_t, Release>;
using Member = std::unique_ptr<zip_file_t, CloseMember>;

std::unexpected<isa::Error> refused(const zip_error_t* error) {
  const bool exhausted = zip_error_code_zip(error) == ZIP_ER_MEMORY;
  if (exhausted) return isa::out_of_memory("");
  // libzip keeps the text in the error.
  return std::unexpected(isa::Error(
      fmt::format("is no NumPy zip: {}", zip_error_strerror(const_cast<zip_error_t*>(error)))));
}

std::unexpected<isa::Error> bad(std::string reason) {
  return std::unexpected(isa::Error(std::move(reason)));
}

// Where libzip says what went wrong before there is an archive.
class FirstError {
 public:
  FirstError() { zip_error_init(&error_); }
  FirstError(const FirstError&) = delete;
  FirstError& operator=(const FirstError&) = delete;
  ~FirstError() { zip_error_fini(&error_); }
  zip_error_t* get() { return &error_; }

 private:
  zip_error_t error_;
};

// An archive in memory, and the memory that it is written to or read from.
struct Opened {
  Source memory;
  Archive archive;
};

isa::Attempt<Opened> open_memory(std::span<const std::byte> bytes, int flags) {
  FirstError error;
  Opened opened;
  opened.memory.reset(zip_source_buffer_create(bytes.data(), bytes.size(), 0, error.get()));
  if (!opened.memory) return refused(error.get());
  opened.archive.reset(zip_open_from_source(opened.memory.get(), flags, error.get()));
  if (!opened.archive) return refused(error.get());
  zip_source_keep(opened.memory.get());  // the archive has taken the first reference
  return opened;
}

// Adds one member; `head` and the array must live until the archive is written.
isa::Attempt<void> add_member(zip_t* archive, const NamedArray& named, const std::string& head) {
  zip_buffer_fragment_t parts[] = {
      {reinterpret_cast<zip_uint8_t*>(const_cast<char*>(head.data())), head.size()},
      {reinterpret_cast<zip_uint8_t*>(const_cast<std::byte*>(named.array.data.data())),
       named.array.data.size()}};
  const zip_uint64_t count = named.array.data.empty() ? 1 : 2;
  zip_source_t* const source = zip_source_buffer_fragment(archive, parts, count, 0);
  if (source == nullptr) return refused(zip_get_error(archive));
  const std::string name = named.name + std::string(kSuffix);
  const zip_int64_t index = zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    return refused(zip_get_error(archive));
  }
  const auto member = static_cast<zip_uint64_t>(index);
  const bool set = zip_set_file_compression(archive, member, ZIP_CM_DEFLATE, kLevel) == 0 &&
                   zip_file_set_dostime(archive, member, 0, kDosDate, 0) == 0;
  if (!set) return refused(zip_get_error(archive));
  return {};
}

// Writes the archive and returns its bytes.
isa::Attempt<std::vector<std::byte>> written(Opened& opened) {
  if (zip_close(opened.archive.get()) != 0) return refused(zip_get_error(opened.archive.get()));
  static_cast<void>(opened.archive.release());  // zip_close has freed it
  zip_source_t* const memory = opened.memory.get();
  zip_stat_t stat;
  if (zip_source_open(memory) != 0) return refused(zip_source_error(memory));
  if (zip_source_stat(memory, &stat) != 0) return refused(zip_source_error(memory));
  std::vector<std::byte> bytes(stat.size);
  const zip_int64_t read = zip_source_read(memory, bytes.data(), bytes.size());
  if (read != static_cast<zip_int64_t>(bytes.size())) return refused(zip_source_error(memory));
  zip_source_close(memory);
  return bytes;
}

// A member as the directory of the archive describes it, checked.
struct Entry {
  std::string name;
  std::uint64_t bytes = 0;
};

isa::Attempt<Entry> entry_of(zip_t* archive, std::uint64_t index) {
  zip_stat_t stat;
  if (zip_stat_index(archive, index, 0, &stat) != 0) return refused(zip_get_error(archive));
  constexpr zip_uint64_t kNeeded = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE |
                                   ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  if ((stat.valid & kNeeded) != kNeeded) return bad("is no NumPy zip: a member without its sizes");
  const std::string_view name = stat.name;
  if (!name.ends_with(kSuffix) || name.size() == kSuffix.size()) {
    return bad(fmt::format("has the member '{}', which is no array (NAME.npy)", name));
  }
  const bool plain = stat.encryption_method == ZIP_EM_NONE &&
                     (stat.comp_method == ZIP_CM_STORE || stat.comp_method == ZIP_CM_DEFLATE);
  if (!plain) return bad(fmt::format("has '{}' neither stored nor deflated", name));
  if (stat.size / kMostRatio > stat.comp_size) {
    return bad(fmt::format("claims {} bytes for '{}', which {} bytes cannot hold", stat.size, name,
                           stat.comp_size));
  }
  return Entry{std::string(name.substr(0, name.size() - kSuffix.size())), stat.size};
}

isa::Attempt<NpyArray> read_member(zip_t* archive, std::uint64_t index, const Entry& entry) {
  const Member member(zip_fopen_index(archive, index, 0));
  if (!member) return refused(zip_get_error(archive));
  std::vector<std::byte> bytes(entry.bytes);
  const zip_int64_t read = zip_fread(member.get(), bytes.data(), bytes.size());
  std::byte beyond{};
  // The checksum is compared where libzip sees the end.
  if (read != static_cast<zip_int64_t>(bytes.size()) || zip_fread(member.get(), &beyond, 1) != 0) {
    return bad(fmt::format("has '{}' damaged", entry.name));
  }
  auto array = parse_npy(std::move(bytes));
  if (!array) return bad(fmt::format("has '{}' that {}", entry.name, array.error()));
  return std::move(*array);
}

}  // namespace

isa::Attempt<std::vector<std::byte>> format_npz(std::span<const NamedArray> arrays) {
  if (arrays.empty() || arrays.size() > kMostMembers) {
    return bad(fmt::format("cannot hold {} arrays", arrays.size()));
  }
  std::vector<std::string> heads;
  std::set<std::string_view> names;
  for (const NamedArray& named : arrays) {
    auto head = npy_head(named.array);
    if (!head) return bad(head.error());
    if (!names.insert(named.name).second) return bad(fmt::format("has two '{}'", named.name));
    heads.push_back(std::move(*head));
  }
  auto opened = open_memory({}, ZIP_TRUNCATE);
  if (!opened) return std::unexpected(opened.error());
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    const auto added = add_member(opened->archive.get(), arrays[k], heads[k]);
    if (!added) return std::unexpected(added.error());
  }
  return written(*opened);
}

isa::Attempt<std::vector<NamedArray>> parse_npz(std::span<const std::byte> bytes,
                                                std::uint64_t most_bytes) {
  const auto opened = open_memory(bytes, ZIP_RDONLY | ZIP_CHECKCONS);
  if (!opened) return std::unexpected(opened.error());
  zip_t* const archive = opened->archive.get();
  const zip_int64_t count = zip_get_num_entries(archive, 0);
  if (count < 1 || static_cast<std::uint64_t>(count) > kMostMembers) {
    return bad(fmt::format("has {} members, 1 to {} are wanted", count, kMostMembers));
  }
  std::vector<NamedArray> arrays;
  std::set<std::string> names;
  std::uint64_t left = most_bytes;
  for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(count); ++k) {
    const auto entry = entry_of(archive, k);
    if (!entry) return std::unexpected(entry.error());
    if (entry->bytes > kHeadBytes && entry->bytes - kHeadBytes > left) {
      return bad(fmt::format("has arrays of more than {} bytes", most_bytes));
    }
    if (!names.insert(entry->name).second) return bad(fmt::format("has two '{}'", entry->name));
    auto array = read_member(archive, k, *entry);
    if (!array) return std::unexpected(array.error());
    left -= std::min(left, std::uint64_t{array->data.size()});
    arrays.push_back({entry->name, std::move(*array)});
  }
  return arrays;
}

}  // namespace wse::numpy
