// Scopes as tables with parents, groups as a forest whose paths are halved when they are walked.
#include "asm/names/index_scopes.h"

#include <numeric>

namespace wse::assembler {

ScopeId IndexScopes::add(ScopeId parent, std::string_view owner) {
  scopes_.push_back({.parent = parent, .owner = owner});
  return static_cast<ScopeId>(scopes_.size() - 1);
}

std::uint32_t IndexScopes::define(ScopeId scope, Space space, SymbolKind kind,
                                  std::string_view name) {
  auto& names = scopes_[scope].names[static_cast<std::size_t>(space)];
  const auto [found, is_new] = names.try_emplace(name, static_cast<std::uint32_t>(symbols_.size()));
  if (is_new) {
    symbols_.push_back(
        {.kind = kind, .name = std::string(name), .owner = std::string(scopes_[scope].owner)});
  }
  return found->second;
}

std::optional<std::uint32_t> IndexScopes::find_in(ScopeId scope, Space space,
                                                  std::string_view name) const {
  const auto& names = scopes_[scope].names[static_cast<std::size_t>(space)];
  const auto found = names.find(name);
  if (found == names.end()) return std::nullopt;
  return found->second;
}

std::optional<std::uint32_t> IndexScopes::find(ScopeId scope, Space space,
                                               std::string_view name) const {
  for (; scope != kNoScope; scope = scopes_[scope].parent) {
    if (const auto found = find_in(scope, space, name)) return found;
  }
  return std::nullopt;
}

SymbolGroups::SymbolGroups(std::size_t symbols) : parents_(symbols) {
  std::iota(parents_.begin(), parents_.end(), 0u);
}

std::uint32_t SymbolGroups::of(std::uint32_t symbol) {
  while (parents_[symbol] != symbol) {
    parents_[symbol] = parents_[parents_[symbol]];
    symbol = parents_[symbol];
  }
  return symbol;
}

void SymbolGroups::join(std::uint32_t one, std::uint32_t other) {
  one = of(one);
  other = of(other);
  if (one != other) parents_[std::max(one, other)] = std::min(one, other);
}

}  // namespace wse::assembler
