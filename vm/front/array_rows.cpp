// Pieces of a file at their offset, and pieces of memory in the order of a file.
#include "vm/front/array_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "vm/front/array_files.h"
#include "vm/front/data_folder.h"
#include "vm/front/offset_file.h"
#include "vm/run/array_parts.h"

namespace wse::front {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{4} << 20;

std::size_t row_bytes(const vm::ArrayInfo& array) {
  return std::size_t{array.width} * array.count * isa::info(array.type).bytes;
}

// Returns the part of the array in the rows first .. end - 1 of the mesh.
vm::PartShape rows_of(const vm::ArrayInfo& array, std::uint32_t first, std::uint32_t end) {
  first = std::max(first, array.y0);
  end = std::min(end, array.y0 + array.height);
  return {.type = array.type,
          .is_array = array.is_array,
          .first = 0,
          .count = array.count,
          .rect = {array.x0, first, array.width, end > first ? end - first : 0}};
}

// Returns the part of the array at PEs of whole rows of the mesh.
vm::PartShape part_at(const vm::Machine& machine, const vm::ArrayInfo& array,
                      const vm::PeRange& pes) {
  const std::uint32_t width = machine.image().width;
  return rows_of(array, pes.first / width, pes.end / width);
}

Outcome<numpy::NpyHead> head_of(const OffsetFile& file, std::uint64_t size) {
  std::vector<std::byte> begin(std::min(size, numpy::kMostHeadBytes));
  if (const auto read = file.read_at(0, begin); !read) return std::unexpected(read.error());
  auto head = numpy::parse_npy_head(begin, size);
  if (!head) return failure("'" + file.path() + "' " + head.error());
  return std::move(*head);
}

}  // namespace

bool is_stream(const vm::Machine& machine, const std::string& name) {
  const std::vector<isa::Stream>& streams = machine.image().streams;
  return std::ranges::find(streams, name, &isa::Stream::name) != streams.end();
}

Outcome<void> load_own_rows(vm::Machine& machine, const NameAndFile& in, const vm::PeRange& own,
                            isa::InputList& inputs) {
  const auto& [name, file] = in;
  if (file == "-") {
    return failure(
        fmt::format("--in {}=-: a launcher gives stdin to its first process alone; "
                    "several processes read a file",
                    name));
  }
  if (const auto known = machine.array(name); !known) {
    return failure(fmt::format("--in {}={}: {}", name, file, known.error()));
  }
  if (is_stream(machine, name)) return load_array(machine, in, inputs);
  const Outcome<std::string> path = find_input(file);
  if (!path) return std::unexpected(path.error());
  const OffsetFile npy(*path, inputs);
  const auto size = npy.size();
  if (!size) return std::unexpected(size.error());
  if (!*size) return load_array(machine, in, inputs);
  const Outcome<numpy::NpyHead> head = head_of(npy, **size);
  if (!head) return std::unexpected(head.error());
  const Outcome<vm::ArrayInfo> place = place_of(machine, in, head->dtype, head->shape);
  if (!place) return std::unexpected(place.error());
  const std::uint32_t width = machine.image().width;
  const std::uint32_t rows = rows_in_piece(*place);
  std::vector<std::byte> bytes;
  for (std::uint32_t row = own.first / width; row < own.end / width; row += rows) {
    const vm::PartShape part = rows_of(*place, row, std::min(row + rows, own.end / width));
    if (part.rect.height == 0) continue;
    bytes.resize(part.bytes());
    const std::uint64_t at = head->bytes + (part.rect.y - place->y0) * row_bytes(*place);
    if (const auto read = npy.read_at(at, bytes); !read) return read;
    vm::ArrayParts(machine).write(name, part, bytes);
  }
  return {};
}

Outcome<std::string> array_head(const vm::Machine& machine, const std::string& name) {
  const isa::Result<vm::ArrayInfo> array = machine.array(name);
  if (!array) return failure(array.error());
  auto head = numpy::npy_head(isa::info(array->type).numpy, file_shape(*array));
  if (!head) return failure("array '" + name + "' " + head.error());
  return std::move(*head);
}

std::uint32_t rows_in_piece(const vm::ArrayInfo& array) {
  return static_cast<std::uint32_t>(std::clamp<std::size_t>(
      kPieceBytes / std::max<std::size_t>(row_bytes(array), 1), 1, 1 << 20));
}

std::size_t rows_bytes(const vm::Machine& machine, const vm::ArrayInfo& array,
                       const vm::PeRange& pes) {
  return part_at(machine, array, pes).bytes();
}

Outcome<std::vector<std::byte>> array_rows(vm::Machine& machine, const std::string& name,
                                           const vm::PeRange& pes) {
  const isa::Result<vm::ArrayInfo> array = machine.array(name);
  if (!array) return failure(array.error());
  const vm::PartShape part = part_at(machine, *array, pes);
  std::vector<std::byte> bytes(part.bytes());
  vm::ArrayParts(machine).read(name, part, bytes);
  return bytes;
}

}  // namespace wse::front
