// Keeps mentions in the order of the text, and finds them there.
#include "asm/names/index.h"

#include <algorithm>

namespace wse::assembler {

std::string_view text(SymbolKind kind) {
  constexpr std::string_view kTexts[] = {"constant",
                                         "parameter",
                                         "colour",
                                         "entry",
                                         "program",
                                         "library",
                                         "macro",
                                         "stream",
                                         "argument",
                                         "variable",
                                         "data",
                                         "register",
                                         "descriptor register",
                                         "microthread",
                                         "queue",
                                         "descriptor",
                                         "FIFO",
                                         "routing",
                                         "filter",
                                         "task",
                                         "function",
                                         "label",
                                         "mark",
                                         "name"};
  return kTexts[static_cast<std::size_t>(kind)];
}

NameIndex::NameIndex(std::vector<IndexedSymbol> symbols, std::vector<Mention> mentions,
                     bool complete)
    : symbols_(std::move(symbols)), mentions_(std::move(mentions)), complete_(complete) {
  const auto key = [](const Mention& mention) {
    return std::tuple(mention.where, mention.symbol, !mention.defines);
  };
  std::ranges::sort(mentions_, {}, key);
  const auto again = std::ranges::unique(mentions_, {}, [](const Mention& mention) {
    return std::pair(mention.where, mention.symbol);
  });
  mentions_.erase(again.begin(), again.end());
}

std::span<const Mention> NameIndex::at(std::uint32_t file, std::uint32_t offset) const {
  const auto begins_behind = std::ranges::upper_bound(
      mentions_, std::pair(file, offset), {},
      [](const Mention& mention) { return std::pair(mention.where.file, mention.where.offset); });
  if (begins_behind == mentions_.begin()) return {};
  const TextPlace where = std::prev(begins_behind)->where;
  const bool touches = where.file == file && where.offset + where.length >= offset;
  if (!touches) return {};
  const auto first = std::ranges::lower_bound(mentions_, where, {}, &Mention::where);
  return {first, begins_behind};
}

std::vector<Mention> NameIndex::of_group(std::uint32_t group) const {
  std::vector<Mention> found;
  for (const Mention& mention : mentions_) {
    if (symbols_[mention.symbol].group != group) continue;
    if (!found.empty() && found.back().where == mention.where) {
      found.back().defines |= mention.defines;
    } else {
      found.push_back(mention);
    }
  }
  return found;
}

}  // namespace wse::assembler
