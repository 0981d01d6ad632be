// Numbers are packed as 32 bits each; the first one that needs 64 begins the array anew.
#include "vm/profile/counts.h"

#include <algorithm>
#include <span>

namespace wse::vm {
namespace {

using Values = std::vector<std::uint64_t>;

bool need_64_bits(const Values& values) {
  return std::ranges::any_of(values, [](std::uint64_t value) { return value > UINT32_MAX; });
}

void add(numpy::ArrayPacker& packer, const Values& values, bool are_wide) {
  if (are_wide) return packer.add(std::as_bytes(std::span(values)));
  constexpr std::size_t kAtOnce = 4096;
  std::vector<std::uint32_t> narrow;
  for (std::size_t at = 0; at < values.size(); at += kAtOnce) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(at);
    narrow.assign(first, first + std::ptrdiff_t(std::min(kAtOnce, values.size() - at)));
    packer.add(std::as_bytes(std::span(narrow)));
  }
}

isa::Result<numpy::ArrayPacker> packer_of(std::string name, Values shape, bool are_wide) {
  return numpy::ArrayPacker::of(std::move(name), are_wide ? "<u8" : "<u4", std::move(shape));
}

}  // namespace

isa::Result<numpy::PackedArray> pack_counts(std::string name, Values shape, const Values& numbers) {
  const bool are_wide = need_64_bits(numbers);
  auto packer = packer_of(std::move(name), std::move(shape), are_wide);
  if (!packer) return std::unexpected(packer.error());
  add(*packer, numbers, are_wide);
  return packer->finish();
}

isa::Result<numpy::PackedArray> pack_counts(
    std::string name, Values shape, std::size_t parts,
    const std::function<isa::Result<Values>(std::size_t)>& part) {
  for (const bool are_wide : {false, true}) {
    auto packer = packer_of(name, shape, are_wide);
    if (!packer) return std::unexpected(packer.error());
    bool fit = true;
    for (std::size_t k = 0; k < parts && fit; ++k) {
      const isa::Result<Values> values = part(k);
      if (!values) return std::unexpected(values.error());
      fit = are_wide || !need_64_bits(*values);
      if (fit) add(*packer, *values, are_wide);
    }
    if (fit) return packer->finish();
  }
  return std::unexpected(std::string("no numbers"));
}

}  // namespace wse::vm
