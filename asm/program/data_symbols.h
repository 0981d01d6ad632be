// The data of a program: the symbols of its image, the lines that they come from, where they end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "asm/syntax/syntax.h"
#include "isa/image/image.h"

namespace wse::assembler {

class DataSymbols {
 public:
  // Symbols are put into the program.
  explicit DataSymbols(isa::Program& program) : program_(program) {}

  // All other data are behind it. An address too large for a PE is refused at the end, with a map
  // of all data.
  void add(isa::Symbol symbol, std::uint64_t address, const DataSyntax& line) {
    symbol.address = static_cast<std::uint32_t>(std::min<std::uint64_t>(address, ~0u));
    end_ = address + symbol.bytes();
    add_view(std::move(symbol), line);
  }
  // It lies where other data are.
  void add_view(isa::Symbol symbol, const DataSyntax& line) {
    program_.symbols.push_back(std::move(symbol));
    lines_.push_back(&line);
  }

  const DataSyntax& line(std::size_t symbol) const { return *lines_[symbol]; }
  // The first byte that no data take.
  std::uint64_t end() const { return end_; }

 private:
  isa::Program& program_;
  std::vector<const DataSyntax*> lines_;  // by index of the symbol
  std::uint64_t end_ = 0;
};

}  // namespace wse::assembler
