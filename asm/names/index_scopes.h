// The scopes of an index: which names a program, library, macro, loop or the top level defines, and
// how a name is looked for from the inside to the outside.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "asm/names/index.h"

namespace wse::assembler {

// Names of two spaces may be equal and mean different things.
enum class Space : std::uint8_t {
  Values,  // what may be an operand or in an expression
  Labels,  // also functions
  Tasks,
  Microthreads,
  Queues,
  Routings,
  Filters,
  Programs,
  Macros,
  Marks,
};
inline constexpr std::size_t kSpaces = 10;

using ScopeId = std::uint32_t;
inline constexpr ScopeId kTopScope = 0;
inline constexpr ScopeId kNoScope = ~0u;

class IndexScopes {
 public:
  IndexScopes() { add(kNoScope, ""); }

  // A scope inside `parent`. `owner` is the name of the program, library or macro.
  ScopeId add(ScopeId parent, std::string_view owner);

  ScopeId parent(ScopeId scope) const { return scopes_[scope].parent; }
  std::string_view owner(ScopeId scope) const { return scopes_[scope].owner; }

  // The symbol of the name, which the scope has from now on; one that it had already stays.
  std::uint32_t define(ScopeId scope, Space space, SymbolKind kind, std::string_view name);

  // The symbol of the name in the scope itself; or in one around it.
  std::optional<std::uint32_t> find_in(ScopeId scope, Space space, std::string_view name) const;
  std::optional<std::uint32_t> find(ScopeId scope, Space space, std::string_view name) const;

  std::vector<IndexedSymbol>& symbols() { return symbols_; }
  const std::vector<IndexedSymbol>& symbols() const { return symbols_; }

 private:
  struct Scope {
    ScopeId parent = kNoScope;
    std::string_view owner{};
    std::array<std::unordered_map<std::string_view, std::uint32_t>, kSpaces> names{};
  };

  std::vector<Scope> scopes_;
  std::vector<IndexedSymbol> symbols_;
};

// Groups of symbols that are joined two at a time.
class SymbolGroups {
 public:
  explicit SymbolGroups(std::size_t symbols);
  std::uint32_t of(std::uint32_t symbol);
  void join(std::uint32_t one, std::uint32_t other);

 private:
  std::vector<std::uint32_t> parents_;
};

}  // namespace wse::assembler
