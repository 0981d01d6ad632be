// The tables of names and the words that nobody may define.
#include "asm/names/names.h"

#include <algorithm>

namespace wse::assembler {

bool NameTable::define(const Named& name, NameKind kind, std::uint32_t index, Reporter& reporter) {
  const auto [found, is_new] = meanings_.try_emplace(name.text, Meaning{kind, index, name.where});
  if (is_new) {
    order_.push_back(name.text);
    return true;
  }
  reporter.report(Problem::Duplicate, name.where, name.text);
  reporter.note(Remark::FirstDefined, found->second.where, name.text);
  return false;
}

const Meaning* NameTable::find(std::string_view name) const {
  const auto found = meanings_.find(name);
  return found == meanings_.end() ? nullptr : &found->second;
}

void NameTable::offer_all(Suggestion& suggestion) const {
  for (const std::string_view name : order_) suggestion.offer(name);
}

std::string_view describe(NameKind kind) {
  switch (kind) {
    case NameKind::Constant: return "the constant";
    case NameKind::Colour: return "the colour";
    case NameKind::Entry: return "the entry";
    case NameKind::Global:
    case NameKind::Parameter: return "the parameter";
    case NameKind::Absent: return "the absent colour";
    case NameKind::Data: return "the data";
    case NameKind::Register: return "the register";
    case NameKind::DescriptorRegister: return "the descriptor register";
    case NameKind::Descriptor: return "the descriptor";
    case NameKind::Fifo: return "the FIFO";
    case NameKind::Other: return "the name";
  }
  return "the name";
}

std::optional<std::uint32_t> register_number(std::string_view text, char letter) {
  if (text.size() < 2 || text[0] != letter) return std::nullopt;
  const std::string_view digits = text.substr(1);
  if (digits.size() > 1 && digits[0] == '0') return std::nullopt;  // r01 is an ordinary name
  constexpr std::uint64_t kMost = ~0u;
  std::uint64_t number = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return std::nullopt;
    number = std::min(10 * number + static_cast<std::uint64_t>(digit - '0'), kMost);
  }
  return static_cast<std::uint32_t>(number);
}

bool is_reserved(std::string_view name, NameKind kind) {
  constexpr std::string_view kWords[] = {"fabin",   "fabout", "mem", "circular", "save",
                                         "indexed", "inf",    "nan", "ignore",   "control"};
  if (std::ranges::find(kWords, name) != std::end(kWords)) return true;
  if (register_number(name, 'r') || register_number(name, 'd')) return true;
  const bool is_operand = kind == NameKind::Data || kind == NameKind::Register ||
                          kind == NameKind::DescriptorRegister || kind == NameKind::Descriptor;
  if (name == isa::kEndlessText) return !is_operand;  // `length=endless` is no expression
  for (int k = 0; k <= static_cast<int>(isa::FormulaOp::SquareRoot); ++k) {
    const auto op = static_cast<isa::FormulaOp>(k);
    const isa::OperatorInfo* info = isa::operator_info(op);
    if (info != nullptr && info->precedence == 0 && info->text == name) return true;
    if (info == nullptr && isa::variable_text(op) == name) return !is_operand;
  }
  return false;
}

bool may_define(const Named& name, NameKind kind, Reporter& reporter) {
  if (!is_reserved(name.text, kind)) return true;
  reporter.report(Problem::Reserved, name.where, name.text);
  return false;
}

}  // namespace wse::assembler
