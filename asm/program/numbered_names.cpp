// First the numbers that names say, so that the others go around all of them.
#include "asm/program/numbered_names.h"

#include <fmt/format.h>

namespace wse::assembler {

std::optional<std::uint32_t> FreeNumbers::take_lowest(const Named& name, Reporter& reporter) {
  const auto next = static_cast<std::uint32_t>(std::countr_one(taken_));
  if (next >= limit_) {
    reporter.report(Problem::TooMany, name.where, name.text, what_, limit_);
    return std::nullopt;
  }
  take(next);
  return next;
}

void NumberedNames::define(const std::vector<Binding>& bindings, FreeNumbers free,
                           FormulaBuilder builder, Reporter& reporter) {
  numbers_.assign(bindings.size(), 0);
  std::vector<std::size_t> open;
  for (std::size_t k = 0; k < bindings.size(); ++k) {
    const Binding& binding = bindings[k];
    const auto index = static_cast<std::uint32_t>(k);
    if (!names_.define(binding.name, NameKind::Other, index, reporter)) continue;
    if (binding.value == kNoExpr) {
      open.push_back(k);
      continue;
    }
    const std::optional<std::int64_t> number = builder.whole(
        binding.value, fmt::format("the number of a {}", free.what()), 0, free.limit() - 1);
    if (!number) continue;
    numbers_[k] = static_cast<std::uint32_t>(*number);
    free.take(numbers_[k]);
  }
  for (const std::size_t k : open) {
    const std::optional<std::uint32_t> number = free.take_lowest(bindings[k].name, reporter);
    if (!number) return;
    numbers_[k] = *number;
  }
}

std::optional<std::uint32_t> NumberedNames::find(std::string_view name) const {
  const Meaning* meaning = names_.find(name);
  return meaning == nullptr ? std::nullopt : std::optional(numbers_[meaning->index]);
}

}  // namespace wse::assembler
