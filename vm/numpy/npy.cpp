// The .npy format: magic, version, header length, a Python dictionary as text, then the elements.
//
//   \x93NUMPY | major minor | length (1.0: u16, later: u32) | {'descr': '<f4', ...}\n | elements
//
// Must never read past the bytes that are there, nor allocate from a claimed size before checking
// it.
#include "vm/numpy/npy.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstring>
#include <utility>

namespace wse::numpy {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kPreambleBytes = 8;    // magic and version
constexpr size_t kAlignmentBytes = 64;  // of the first element in a written file
constexpr size_t kMaxDimensions = 32;   // NumPy's own limit

constexpr std::array<std::pair<std::string_view, uint64_t>, 10> kElementTypes = {{
    {"|u1", 1},
    {"<i2", 2},
    {"<u2", 2},
    {"<i4", 4},
    {"<u4", 4},
    {"<i8", 8},
    {"<u8", 8},
    {"<f2", 2},
    {"<f4", 4},
    {"<f8", 8},
}};

using Status = std::expected<void, std::string>;

struct Header {
  std::optional<std::string> dtype;
  std::optional<bool> fortran_order;
  std::optional<std::vector<uint64_t>> shape;
};

// Reads the literal dictionary that NumPy writes: string keys; strings, booleans and tuples as
// values.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : rest_(text) {}

  std::expected<Header, std::string> parse() {
    if (!take('{')) return bad("'{' expected");
    while (!take('}')) {
      if (auto entry = parse_entry(); !entry) return std::unexpected(entry.error());
      if (take(',')) continue;
      if (!take('}')) return bad("',' or '}' expected");
      break;
    }
    skip_space();
    if (!rest_.empty()) return bad("text after the dictionary");
    if (!header_.dtype) return bad("no 'descr'");
    if (!header_.fortran_order) return bad("no 'fortran_order'");
    if (!header_.shape) return bad("no 'shape'");
    return std::move(header_);
  }

 private:
  static std::unexpected<std::string> bad(std::string_view reason) {
    return std::unexpected(fmt::format("has a malformed header: {}", reason));
  }

  void skip_space() {
    const size_t start = rest_.find_first_not_of(" \t\n\r");
    rest_.remove_prefix(start == std::string_view::npos ? rest_.size() : start);
  }

  bool take(char wanted) {
    skip_space();
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::expected<std::string, std::string> parse_string() {
    skip_space();
    if (!rest_.starts_with('\'') && !rest_.starts_with('"')) return bad("a quoted string expected");
    const size_t end = rest_.find(rest_.front(), 1);
    if (end == std::string_view::npos) return bad("a string without its end");
    std::string text(rest_.substr(1, end - 1));
    if (text.find('\\') != std::string::npos) return bad("an escape in a string");
    rest_.remove_prefix(end + 1);
    return text;
  }

  Status parse_entry() {
    const auto key = parse_string();
    if (!key) return std::unexpected(key.error());
    if (!take(':')) return bad("':' expected");
    if (*key == "descr" && !header_.dtype) return parse_dtype();
    if (*key == "fortran_order" && !header_.fortran_order) return parse_order();
    if (*key == "shape" && !header_.shape) return parse_shape();
    return bad("an unknown or repeated key");
  }

  Status parse_dtype() {
    skip_space();
    if (rest_.starts_with('['))
      return std::unexpected("has a structured dtype; plain numbers wanted");
    auto text = parse_string();
    if (!text) return std::unexpected(text.error());
    header_.dtype = std::move(*text);
    return {};
  }

  Status parse_order() {
    skip_space();
    for (const auto& [word, value] : {std::pair{"False", false}, std::pair{"True", true}}) {
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(std::strlen(word));
      header_.fortran_order = value;
      return {};
    }
    return bad("True or False expected");
  }

  Status parse_shape() {
    if (!take('(')) return bad("'(' expected");
    std::vector<uint64_t> shape;
    while (!take(')')) {
      skip_space();
      uint64_t extent = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
      if (error == std::errc::result_out_of_range) return bad("an extent is too large");
      if (error != std::errc()) return bad("an extent expected");
      rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
      if (rest_.starts_with('L')) rest_.remove_prefix(1);  // Python 2 wrote 3L
      if (shape.size() == kMaxDimensions) return bad("too many dimensions");
      shape.push_back(extent);
      if (take(',')) continue;
      if (!take(')')) return bad("',' or ')' expected");
      break;
    }
    header_.shape = std::move(shape);
    return {};
  }

  std::string_view rest_;
  Header header_;
};

std::string supported_types() {
  std::string names;
  for (const auto& [name, bytes] : kElementTypes)
    names += (names.empty() ? "" : " ") + std::string(name);
  return names;
}

Status check_supported(const Header& header) {
  const std::string& dtype = *header.dtype;
  if (dtype.starts_with('>')) {
    return std::unexpected(
        fmt::format("is big-endian ('{}'); save a.astype('<{}') instead", dtype, dtype.substr(1)));
  }
  if (!element_bytes(dtype)) {
    return std::unexpected(fmt::format("has dtype '{}'; supported: {}", dtype, supported_types()));
  }
  if (*header.fortran_order) {
    return std::unexpected("is in Fortran order; save numpy.ascontiguousarray(a) instead");
  }
  return {};
}

struct Frame {
  std::string_view header;
  size_t data_offset;
};

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::expected<Frame, std::string> parse_frame(std::string_view file) {
  if (!file.starts_with(kMagic)) {
    if (!file.empty() && kMagic.starts_with(file)) return std::unexpected("is truncated");
    return std::unexpected("is no .npy file (wrong magic)");
  }
  if (file.size() < kPreambleBytes) return std::unexpected("is truncated");
  const unsigned major = static_cast<unsigned char>(file[6]);
  const unsigned minor = static_cast<unsigned char>(file[7]);
  if (major < 1 || major > 3 || minor != 0) {
    return std::unexpected(
        fmt::format("has format version {}.{}; 1.0 to 3.0 are known", major, minor));
  }
  const size_t length_bytes = major == 1 ? 2 : 4;
  if (file.size() < kPreambleBytes + length_bytes) return std::unexpected("is truncated");
  size_t length = 0;
  for (size_t i = length_bytes; i-- > 0;) {
    length = length << 8 | static_cast<unsigned char>(file[kPreambleBytes + i]);
  }
  const size_t start = kPreambleBytes + length_bytes;
  if (length > file.size() - start) return std::unexpected("is truncated inside its header");
  return Frame{file.substr(start, length), start + length};
}

isa::FileError name_file(const std::string& path, const std::string& sentence) {
  return {fmt::format("'{}' {}", path == "-" ? "stdin" : path, sentence), false};
}

}  // namespace

std::optional<uint64_t> element_bytes(std::string_view dtype) {
  for (const auto& [name, bytes] : kElementTypes) {
    if (name == dtype) return bytes;
  }
  return std::nullopt;
}

std::optional<uint64_t> data_bytes(std::string_view dtype, std::span<const uint64_t> shape) {
  std::optional<uint64_t> total = element_bytes(dtype);
  for (const uint64_t extent : shape) {
    if (!total || __builtin_mul_overflow(*total, extent, &*total)) return std::nullopt;
  }
  return total;
}

std::string shape_text(std::span<const uint64_t> shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

std::expected<NpyHead, std::string> parse_npy_head(std::span<const std::byte> begin,
                                                   uint64_t file_bytes) {
  const auto frame = parse_frame(as_text(begin));
  if (!frame) return std::unexpected(frame.error());
  auto header = HeaderParser(frame->header).parse();
  if (!header) return std::unexpected(header.error());
  if (auto supported = check_supported(*header); !supported) {
    return std::unexpected(supported.error());
  }
  const auto wanted = data_bytes(*header->dtype, *header->shape);
  if (!wanted) {
    return std::unexpected(
        fmt::format("claims the impossible shape {}", shape_text(*header->shape)));
  }
  const uint64_t present = file_bytes - frame->data_offset;
  if (present != *wanted) {
    return std::unexpected(fmt::format("{}: {} of '{}' takes {} bytes of data, {} are there",
                                       present < *wanted ? "is truncated" : "has bytes at its end",
                                       shape_text(*header->shape), *header->dtype, *wanted,
                                       present));
  }
  return NpyHead{std::move(*header->dtype), std::move(*header->shape), frame->data_offset};
}

std::expected<NpyArray, std::string> parse_npy(std::vector<std::byte> bytes) {
  auto head = parse_npy_head(bytes, bytes.size());
  if (!head) return std::unexpected(head.error());
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(head->bytes));
  return NpyArray{std::move(head->dtype), std::move(head->shape), std::move(bytes)};
}

std::expected<std::string, std::string> npy_head(std::string_view dtype,
                                                 std::span<const uint64_t> shape) {
  if (!data_bytes(dtype, shape) || shape.size() > kMaxDimensions) {
    return std::unexpected(fmt::format("cannot hold {} of '{}'", shape_text(shape), dtype));
  }
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", dtype,
                                 shape_text(shape));
  const size_t unpadded = kPreambleBytes + 2 + text.size() + 1;
  text.append((kAlignmentBytes - unpadded % kAlignmentBytes) % kAlignmentBytes, ' ');
  text += '\n';
  const size_t length = text.size();  // at most 32 extents of 20 digits: fits 16 bits
  std::string head(kMagic);
  for (const size_t value : {size_t{1}, size_t{0}, length & 0xff, length >> 8}) {
    head += static_cast<char>(static_cast<unsigned char>(value));
  }
  return head + text;
}

std::expected<std::vector<std::byte>, std::string> format_npy(const NpyArray& array) {
  const auto head = npy_head(array.dtype, array.shape);
  const bool fits = data_bytes(array.dtype, array.shape) == array.data.size();
  if (!head || !fits) {
    return std::unexpected(fmt::format("cannot hold {} bytes as {} of '{}'", array.data.size(),
                                       shape_text(array.shape), array.dtype));
  }
  std::vector<std::byte> bytes(head->size() + array.data.size());
  std::memcpy(bytes.data(), head->data(), head->size());
  if (!array.data.empty()) {
    std::memcpy(bytes.data() + head->size(), array.data.data(), array.data.size());
  }
  return bytes;
}

std::expected<NpyArray, isa::FileError> read_npy(const std::string& path, isa::InputList& inputs,
                                                 uint64_t max_data_bytes) {
  auto bytes = isa::read_whole_file(path, inputs, max_data_bytes + kMostHeadBytes);
  if (!bytes) return std::unexpected(bytes.error());
  auto array = parse_npy(std::move(*bytes));
  if (!array) return std::unexpected(name_file(path, array.error()));
  return std::move(*array);
}

std::expected<void, isa::FileError> write_npy(const std::string& path, isa::InputList& inputs,
                                              const NpyArray& array) {
  const auto bytes = format_npy(array);
  if (!bytes) return std::unexpected(name_file(path, bytes.error()));
  return isa::write_whole_file(path, inputs, *bytes);
}

}  // namespace wse::numpy
