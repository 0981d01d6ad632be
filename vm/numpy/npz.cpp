// The zip format by minizip, in memory. Must never let minizip see a file, and never give it a size
// that a member claims before the size has been checked.
#include "vm/numpy/npz.h"

#include <fmt/format.h>
#include <minizip/unzip.h>
#include <minizip/zip.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <set>
#include <type_traits>
#include <utility>

namespace wse::numpy {
namespace {

constexpr std::string_view kSuffix = ".npy";
constexpr uLong kDosDate = (1 << 5 | 1) << 16;  // the first day that a zip can name
constexpr std::uint64_t kMostRatio = 1032;      // of deflate
constexpr std::uint64_t kHeadBytes = 1 << 16;   // of an array, at most
constexpr std::size_t kMostName = 255;          // letters of a member
constexpr std::uint64_t kPiece = 1 << 30;       // bytes that minizip is given at once
constexpr std::uint64_t kLarge = 0xffff'0000;   // bytes from which on a member needs zip64

std::unexpected<isa::Error> bad(std::string reason) {
  return std::unexpected(isa::Error(std::move(reason)));
}

// A file in memory with a place at which it is read or written next. Bytes is a span of constant
// bytes, which is only read, or a vector.
template <class Bytes>
struct MemoryFile {
  Bytes bytes{};
  std::uint64_t at = 0;
  bool exhausted = false;  // the host had no memory for what was written

  std::uint64_t left() const { return at < bytes.size() ? bytes.size() - at : 0; }
};
using Input = MemoryFile<std::span<const std::byte>>;
using Output = MemoryFile<std::vector<std::byte>>;

template <class File>
File& file_of(voidpf opaque) {
  return *static_cast<File*>(opaque);
}

template <class File>
uLong read_bytes(voidpf opaque, voidpf, void* to, uLong size) {
  File& file = file_of<File>(opaque);
  const std::uint64_t count = std::min<std::uint64_t>(size, file.left());
  if (count > 0) std::memcpy(to, file.bytes.data() + file.at, count);
  file.at += count;
  return count;
}

// Returns fewer than `size` bytes if the host has no memory: minizip is C and must see no
// exception.
uLong write_bytes(voidpf opaque, voidpf, const void* from, uLong size) {
  Output& file = file_of<Output>(opaque);
  try {
    if (file.left() < size) file.bytes.resize(file.at + size);
  } catch (const std::bad_alloc&) {
    file.exhausted = true;
    return 0;
  }
  if (size > 0) std::memcpy(file.bytes.data() + file.at, from, size);
  file.at += size;
  return size;
}

template <class File>
ZPOS64_T place_of(voidpf opaque, voidpf) {
  return file_of<File>(opaque).at;
}

template <class File>
long go_to(voidpf opaque, voidpf, ZPOS64_T offset, int origin) {
  File& file = file_of<File>(opaque);
  const std::uint64_t from = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                             : origin == ZLIB_FILEFUNC_SEEK_CUR ? file.at
                                                                : file.bytes.size();
  if (offset > file.bytes.size() || from + offset > file.bytes.size()) return -1;
  file.at = from + offset;
  return 0;
}

// Returns what minizip calls for each access to `file`, which must live as long.
template <class File>
zlib_filefunc64_def access_to(File& file) {
  zlib_filefunc64_def access{};
  access.opaque = &file;
  access.zopen64_file = [](voidpf opaque, const void*, int) { return opaque; };
  access.zread_file = read_bytes<File>;
  if constexpr (std::is_same_v<File, Output>) access.zwrite_file = write_bytes;
  access.ztell64_file = place_of<File>;
  access.zseek64_file = go_to<File>;
  access.zclose_file = [](voidpf, voidpf) { return 0; };
  access.zerror_file = [](voidpf, voidpf) { return 0; };
  return access;
}

struct CloseWriter {
  void operator()(void* archive) const { zipClose(archive, nullptr); }
};
struct CloseReader {
  void operator()(void* archive) const { unzClose(archive); }
};
using Writer = std::unique_ptr<void, CloseWriter>;
using Reader = std::unique_ptr<void, CloseReader>;

bool append(void* archive, const void* bytes, std::uint64_t size) {
  const auto* next = static_cast<const std::byte*>(bytes);
  while (size > 0) {
    const std::uint64_t piece = std::min(size, kPiece);
    const int status = zipWriteInFileInZip(archive, next, static_cast<unsigned>(piece));
    if (status != ZIP_OK) return false;
    next += piece;
    size -= piece;
  }
  return true;
}

// Returns false where the host has no memory.
bool add_member(void* archive, const PackedArray& array) {
  constexpr int kIsDeflated = 1;
  constexpr int kLevel = 0;  // does not matter: it has been deflated
  const std::string name = array.name + std::string(kSuffix);
  zip_fileinfo info{};
  info.dosDate = kDosDate;
  const int zip64 = array.file_bytes >= kLarge ? 1 : 0;
  const int opened = zipOpenNewFileInZip2_64(archive, name.c_str(), &info, nullptr, 0, nullptr, 0,
                                             nullptr, Z_DEFLATED, kLevel, kIsDeflated, zip64);
  if (opened != ZIP_OK) return false;
  const bool whole = append(archive, array.deflated.data(), array.deflated.size());
  return zipCloseFileInZipRaw64(archive, array.file_bytes, array.checksum) == ZIP_OK && whole;
}

// A member as the directory of the archive describes it, checked.
struct Entry {
  std::string name;
  std::uint64_t bytes = 0;      // of the array's file
  std::uint64_t zip_bytes = 0;  // that the archive has for it
  std::uint32_t checksum = 0;
  bool is_deflated = false;
};

std::unexpected<isa::Error> no_zip(std::string_view reason) {
  return bad(fmt::format("is no NumPy zip: {}", reason));
}

// Returns whether the last record of a zip is there whole, without a comment, as NumPy writes it.
// minizip reads past bytes that are missing there.
bool ends_with_directory(std::span<const std::byte> bytes) {
  constexpr std::size_t kRecord = 22;
  constexpr std::array kMark{std::byte{'P'}, std::byte{'K'}, std::byte{5}, std::byte{6}};
  return bytes.size() >= kRecord &&
         std::ranges::equal(bytes.last(kRecord).first(kMark.size()), kMark);
}

// Returns the member at which the archive is.
isa::Attempt<Entry> entry_of(void* archive) {
  unz_file_info64 info{};
  std::array<char, kMostName + 1> letters{};
  const int status = unzGetCurrentFileInfo64(archive, &info, letters.data(), letters.size(),
                                             nullptr, 0, nullptr, 0);
  if (status != UNZ_OK) return no_zip("its directory is damaged");
  const std::string_view name(letters.data(), std::min<std::size_t>(info.size_filename, kMostName));
  if (info.size_filename > kMostName) {
    return bad(fmt::format("has a member of more than {} letters, '{}...'", kMostName,
                           name.substr(0, 20)));
  }
  if (!name.ends_with(kSuffix) || name.size() == kSuffix.size()) {
    return bad(fmt::format("has the member '{}', which is no array (NAME.npy)", name));
  }
  const bool is_encrypted = (info.flag & 1) != 0;
  if (is_encrypted || (info.compression_method != 0 && info.compression_method != Z_DEFLATED)) {
    return bad(fmt::format("has '{}' neither stored nor deflated", name));
  }
  if (info.uncompressed_size / kMostRatio > info.compressed_size) {
    return bad(fmt::format("claims {} bytes for '{}', which {} bytes cannot hold",
                           info.uncompressed_size, name, info.compressed_size));
  }
  return Entry{std::string(name.substr(0, name.size() - kSuffix.size())), info.uncompressed_size,
               info.compressed_size, static_cast<std::uint32_t>(info.crc),
               info.compression_method == Z_DEFLATED};
}

// Reads what the archive has for the member at which it is. Returns false if it is damaged.
bool read_whole(void* archive, std::vector<std::byte>& bytes) {
  constexpr int kAsItIs = 1;
  if (unzOpenCurrentFile2(archive, nullptr, nullptr, kAsItIs) != UNZ_OK) return false;
  std::uint64_t at = 0;
  while (at < bytes.size()) {
    const auto piece = static_cast<unsigned>(std::min<std::uint64_t>(bytes.size() - at, kPiece));
    const int read = unzReadCurrentFile(archive, bytes.data() + at, piece);
    if (read <= 0) break;
    at += static_cast<std::uint64_t>(read);
  }
  return unzCloseCurrentFile(archive) == UNZ_OK && at == bytes.size();
}

isa::Attempt<PackedArray> read_member(void* archive, const Entry& entry, std::uint64_t most) {
  const auto is_damaged = [&entry] { return bad(fmt::format("has '{}' damaged", entry.name)); };
  if (entry.zip_bytes > most) return is_damaged();
  std::vector<std::byte> bytes(entry.zip_bytes);
  if (!read_whole(archive, bytes)) return is_damaged();
  auto array = entry.is_deflated
                   ? adopt_npy(entry.name, std::move(bytes), entry.bytes, entry.checksum)
                   : pack_npy(entry.name, bytes);
  const bool has_wrong_sum = !entry.is_deflated && array && array->checksum != entry.checksum;
  if ((!array && array.error().empty()) || has_wrong_sum) return is_damaged();
  if (!array) return bad(fmt::format("has '{}' that {}", entry.name, array.error()));
  return std::move(*array);
}

}  // namespace

isa::Attempt<std::vector<std::byte>> format_npz(std::span<const PackedArray> arrays) {
  if (arrays.empty() || arrays.size() > kMostMembers) {
    return bad(fmt::format("cannot hold {} arrays", arrays.size()));
  }
  std::set<std::string_view> names;
  for (const PackedArray& array : arrays) {
    if (!names.insert(array.name).second) return bad(fmt::format("has two '{}'", array.name));
  }
  Output file;
  zlib_filefunc64_def access = access_to(file);
  Writer archive(zipOpen2_64("", APPEND_STATUS_CREATE, nullptr, &access));
  bool whole = archive != nullptr;
  for (std::size_t k = 0; k < arrays.size() && whole; ++k) {
    whole = add_member(archive.get(), arrays[k]);
  }
  if (archive != nullptr) whole = zipClose(archive.release(), nullptr) == ZIP_OK && whole;
  if (!whole) return isa::out_of_memory("");
  return std::move(file.bytes);
}

isa::Attempt<std::vector<PackedArray>> parse_npz(std::span<const std::byte> bytes,
                                                 std::uint64_t most_bytes) {
  if (!ends_with_directory(bytes)) return no_zip("it does not end with a directory");
  Input file{bytes};
  zlib_filefunc64_def access = access_to(file);
  const Reader archive(unzOpen2_64("", &access));
  if (archive == nullptr) return no_zip("its directory is damaged");
  unz_global_info64 global{};
  unzGetGlobalInfo64(archive.get(), &global);
  const std::uint64_t count = global.number_entry;
  if (count < 1 || count > kMostMembers) {
    return bad(fmt::format("has {} members, 1 to {} are wanted", count, kMostMembers));
  }
  std::vector<PackedArray> arrays;
  std::set<std::string> names;
  std::uint64_t left = most_bytes;
  for (std::uint64_t k = 0; k < count; ++k) {
    const int there = k == 0 ? unzGoToFirstFile(archive.get()) : unzGoToNextFile(archive.get());
    if (there != UNZ_OK) return no_zip("its directory is damaged");
    const auto entry = entry_of(archive.get());
    if (!entry) return std::unexpected(entry.error());
    if (entry->bytes > kHeadBytes && entry->bytes - kHeadBytes > left) {
      return bad(fmt::format("has arrays of more than {} bytes", most_bytes));
    }
    if (!names.insert(entry->name).second) return bad(fmt::format("has two '{}'", entry->name));
    auto array = read_member(archive.get(), *entry, bytes.size());
    if (!array) return std::unexpected(array.error());
    left -= std::min(left, array->data_bytes());
    arrays.push_back(std::move(*array));
  }
  return arrays;
}

}  // namespace wse::numpy
