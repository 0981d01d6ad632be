// Arrays between machine and files: shapes and dtypes are checked, never converted.
#include "vm/front/array_files.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "vm/front/data_folder.h"

namespace wse::front {
namespace {

using Shape = std::vector<std::uint64_t>;

bool fits(const Shape& given, const vm::ArrayInfo& array) {
  Shape shape = file_shape(array);
  if (given == shape) return true;
  if (array.count != 1) return false;
  return given == Shape{array.height, array.width} || given == Shape{array.height, array.width, 1};
}

}  // namespace

Shape file_shape(const vm::ArrayInfo& array) {
  Shape shape{array.height, array.width};
  shape.insert(shape.end(), array.shape.begin(), array.shape.end());
  if (array.is_array && array.shape.empty()) shape.push_back(array.count);
  return shape;
}

Outcome<vm::ArrayInfo> place_of(const vm::Machine& machine, const NameAndFile& in,
                                std::string_view dtype, const Shape& shape) {
  const auto& [name, file] = in;
  const isa::Result<vm::ArrayInfo> rect = machine.array(name);
  if (!rect) return failure(rect.error());
  const std::string_view wanted = isa::info(rect->type).numpy;
  if (dtype != wanted) {
    return failure(fmt::format("{}: dtype {}, but '{}' is {}; convert it with .astype('{}')", file,
                               dtype, name, wanted, wanted));
  }
  if (fits(shape, *rect)) return *rect;
  vm::ArrayInfo grid = *rect;
  grid.x0 = grid.y0 = 0;
  grid.width = machine.image().width;
  grid.height = machine.image().height;
  if (fits(shape, grid)) return grid;
  return failure(fmt::format("{}: shape {}, but '{}' needs {}", file, numpy::shape_text(shape),
                             name, numpy::shape_text(file_shape(*rect))));
}

Outcome<void> load_array(vm::Machine& machine, const NameAndFile& in, isa::InputList& inputs) {
  const auto& [name, file] = in;
  const isa::Result<vm::ArrayInfo> rect = machine.array(name);
  if (!rect) return failure(fmt::format("--in {}={}: {}", name, file, rect.error()));
  const std::uint64_t pes = machine.image().topology().pes();
  const Outcome<std::string> path = find_input(file);
  if (!path) return std::unexpected(path.error());
  const auto array =
      numpy::read_npy(*path, inputs, pes * rect->count * isa::info(rect->type).bytes);
  if (!array) return failure(array.error());
  return set_array(machine, name, file, *array);
}

Outcome<void> set_array(vm::Machine& machine, const std::string& name, const std::string& file,
                        const numpy::NpyArray& array) {
  const Outcome<vm::ArrayInfo> place = place_of(machine, {name, file}, array.dtype, array.shape);
  if (!place) return std::unexpected(place.error());
  const std::size_t bytes = isa::info(place->type).bytes;
  std::vector<std::uint32_t> words(array.data.size() / bytes);
  for (std::size_t k = 0; k < words.size(); ++k) {
    std::memcpy(&words[k], array.data.data() + k * bytes, bytes);
  }
  const isa::Status status = machine.write_array(name, *place, words);
  if (!status) return failure(status.error());
  return {};
}

Outcome<numpy::NpyArray> read_array(const vm::Machine& machine, const std::string& name) {
  const isa::Result<vm::ArrayInfo> rect = machine.array(name);
  if (!rect) return failure(rect.error());
  const isa::Result<std::vector<std::uint32_t>> words = machine.read_array(name);
  if (!words) return failure(words.error());
  const std::size_t bytes = isa::info(rect->type).bytes;
  numpy::NpyArray array{.dtype = std::string(isa::info(rect->type).numpy),
                        .shape = file_shape(*rect),
                        .data = std::vector<std::byte>(words->size() * bytes)};
  for (std::size_t k = 0; k < words->size(); ++k) {
    std::memcpy(array.data.data() + k * bytes, &(*words)[k], bytes);
  }
  return array;
}

}  // namespace wse::front
