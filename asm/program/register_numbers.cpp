// Names get the lowest numbers around those that are pinned or mentioned.
#include "asm/program/register_numbers.h"

#include <fmt/format.h>

namespace wse::assembler {

RegisterNumbers RegisterNumbers::general(NameTable& names) {
  return {'r', NameKind::Register, {"register", isa::kRegisters}, names};
}

RegisterNumbers RegisterNumbers::descriptors(NameTable& names) {
  return {
      'd', NameKind::DescriptorRegister, {"descriptor register", isa::kDescriptorRegisters}, names};
}

void RegisterNumbers::mention(std::string_view text) {
  const std::optional<std::uint32_t> number = register_number(text, letter_);
  if (number && *number < free_.limit()) free_.take(*number);
}

void RegisterNumbers::define(const std::vector<Binding>& bindings, const Unit& unit,
                             Reporter& reporter) {
  numbers_.resize(bindings.size());
  std::vector<std::size_t> open;
  for (std::size_t k = 0; k < bindings.size(); ++k) {
    const Binding& binding = bindings[k];
    const auto index = static_cast<std::uint32_t>(k);
    if (!may_define(binding.name, kind_, reporter)) continue;
    if (!names_.define(binding.name, kind_, index, reporter)) continue;
    if (binding.value == kNoExpr) {
      open.push_back(k);
    } else {
      numbers_[k] = pinned(unit[binding.value], reporter);
    }
  }
  for (const std::size_t k : open) {
    numbers_[k] = free_.take_lowest(bindings[k].name, reporter);
    if (!numbers_[k]) return;
  }
}

// A register that is pinned is mentioned, so it is taken.
std::optional<std::uint32_t> RegisterNumbers::pinned(const Expr& expr, Reporter& reporter) const {
  const std::optional<std::uint32_t> number =
      expr.kind == ExprKind::Name ? register_number(expr.text, letter_) : std::nullopt;
  if (number && *number < free_.limit()) return number;
  if (number) {
    reporter.report(Problem::RegisterNumber, expr.where, expr.text, isa::kRegisters - 1,
                    isa::kDescriptorRegisters - 1);
  } else {
    const std::string wanted =
        fmt::format("a {0}, {1}0 to {1}{2}", free_.what(), letter_, free_.limit() - 1);
    reporter.report(Problem::Expected, expr.where, wanted, "a value");
  }
  return std::nullopt;
}

std::optional<std::uint32_t> RegisterNumbers::find(std::string_view text) const {
  const std::optional<std::uint32_t> number = register_number(text, letter_);
  if (number && *number < free_.limit()) return number;
  const Meaning* meaning = names_.find(text);
  if (meaning == nullptr || meaning->kind != kind_) return std::nullopt;
  return of(meaning->index);
}

}  // namespace wse::assembler
