// Formats what programs print.
#include "vm/pe/print_text.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace wse::vm {

std::string value_text(std::uint32_t bits, isa::Type type) {
  switch (type) {
    case isa::Type::I32: return fmt::format("{}", static_cast<std::int32_t>(bits));
    case isa::Type::F32: return fmt::format("{}", std::bit_cast<float>(bits));
    case isa::Type::F16: return fmt::format("{}", isa::shortest_half(bits));
    case isa::Type::I16: return fmt::format("{}", static_cast<std::int16_t>(bits));
    case isa::Type::U16: return fmt::format("{}", static_cast<std::uint16_t>(bits));
    case isa::Type::U32:
    case isa::Type::Colour: return fmt::format("{}", bits);
  }
  return {};
}

std::string print_text(const isa::PrintText& pieces, const isa::PeState& state) {
  std::string text;
  for (const isa::PrintPiece& piece : pieces) {
    text += piece.text;
    std::uint32_t bits = 0;
    switch (piece.kind) {
      case isa::PrintPiece::Kind::None: continue;
      case isa::PrintPiece::Kind::Register: bits = state.r[piece.value]; break;
      case isa::PrintPiece::Kind::Slot: bits = state.view->slots[piece.value]; break;
      case isa::PrintPiece::Kind::Memory:
        std::memcpy(&bits, state.memory + piece.value, isa::info(piece.type).bytes);
        break;
    }
    text += value_text(bits, piece.type);
  }
  return text;
}

}  // namespace wse::vm
