// Each is a multiple of the bytes of an element.
#include "asm/program/data_address.h"

#include "asm/syntax/rewrites.h"

namespace wse::assembler {
namespace {

using Level = FormulaScope::Level;

std::uint64_t rounded_up(std::uint64_t address, std::uint64_t bytes) {
  return (address + bytes - 1) / bytes * bytes;
}

std::uint64_t in_bank(const ProgramContext& c, const DataSyntax& data, std::uint64_t next) {
  const auto bank = c.formulas(Level::Fixed).whole(data.bank, "the bank", 0, c.profile.banks - 1);
  if (!bank) return next;
  const isa::TypeInfo& type = isa::info(data.data.type);
  const std::uint64_t row_bytes = std::uint64_t{c.profile.banks} * isa::kBankBytes;
  const std::uint64_t offset = static_cast<std::uint64_t>(*bank) * isa::kBankBytes;
  if (offset % type.bytes != 0) {
    c.reporter.report(Problem::HalfBank, c.unit[data.bank].where, data.data.name.text, type.text,
                      *bank);
    return next;
  }
  const std::uint64_t row = next / row_bytes * row_bytes;
  return row + offset >= next ? row + offset : row + row_bytes + offset;
}

std::uint64_t at_address(const ProgramContext& c, const DataSyntax& data, std::uint64_t next) {
  const auto address =
      c.formulas(Level::Fixed).whole(data.address, "the address", 0, c.profile.memory_bytes);
  if (!address) return next;
  const auto place = static_cast<std::uint64_t>(*address);
  const isa::TypeInfo& type = isa::info(data.data.type);
  if (place >= next && place % type.bytes == 0) return place;
  c.reporter.report(Problem::DataAddress, c.unit[data.address].where, data.data.name.text, place,
                    next, type.bytes);
  c.reporter.spells(replaced(c.unit[data.address], fmt::format("{}", next)));
  return next;
}

}  // namespace

std::uint64_t data_address(const ProgramContext& context, const DataSyntax& data) {
  const std::uint64_t next = rounded_up(context.data.end(), isa::info(data.data.type).bytes);
  if (data.bank != kNoExpr) return in_bank(context, data, next);
  return data.address != kNoExpr ? at_address(context, data, next) : next;
}

}  // namespace wse::assembler
