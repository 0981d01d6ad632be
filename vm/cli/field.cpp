// Elements of any type become floats.
#include "vm/cli/field.h"

namespace wse::cli {

Outcome<Field> read_field(const vm::Machine& machine, const std::string& name) {
  const isa::Result<vm::ArrayInfo> rect = machine.array(name);
  if (!rect) return failure(rect.error());
  const isa::Result<std::vector<std::uint32_t>> words = machine.read_array(name);
  if (!words) return failure(words.error());
  Field field{.values = std::vector<float>(words->size()),
              .width = rect->width,
              .height = std::uint64_t{rect->height} * rect->count};
  const std::uint32_t* word = words->data();
  for (std::uint64_t y = 0; y < rect->height; ++y) {
    for (std::uint64_t x = 0; x < rect->width; ++x) {
      for (std::uint64_t i = 0; i < rect->count; ++i, ++word) {
        const isa::Number number = isa::from_bits(*word, rect->type);
        field.values[(y * rect->count + i) * rect->width + x] =
            static_cast<float>(number.as_double());
      }
    }
  }
  return field;
}

}  // namespace wse::cli
