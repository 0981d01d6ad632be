// Walks over a unit: defines every name in the scope where it has its meaning, then looks up every
// use. One walk for each part of the unit, in the order of syntax.h.
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "asm/names/index_scopes.h"
#include "asm/syntax/syntax.h"
#include "asm/text/sources.h"

namespace wse::assembler {

class IndexWalker {
 public:
  IndexWalker(const Unit& unit, const Sources& sources) : unit_(unit), sources_(sources) {}

  NameIndex run();

 private:
  // Says where a name that is also a coordinate, such as x, may be one of the program.
  enum class Whole : std::uint8_t { No, Register, Any };
  // The space in which a name is looked for.
  struct Role {
    Space space = Space::Values;
    Whole whole = Whole::Any;
  };
  static constexpr Role kValue{Space::Values, Whole::Any};
  static constexpr Role kNested{Space::Values, Whole::No};

  // A name of a macro, library or expectation that is looked for in other scopes at the end.
  struct Free {
    ScopeId scope = kTopScope;
    Role role{};
    std::string_view name{};
    std::uint32_t symbol = 0;
  };
  // The scopes of a body: of each line that of the innermost loop around it; what is around each
  // block.
  struct BodyScopes {
    std::vector<ScopeId> lines{};
    std::vector<ScopeId> blocks{};
  };

  void define_top();
  void define_program(const ProgramSyntax& program, ScopeId scope);
  void define_macro(const MacroSyntax& macro, ScopeId scope);
  void define_labels(const std::vector<BodySyntax>& body, const std::vector<BlockSyntax>& blocks,
                     ScopeId scope);
  BodyScopes scopes_of(const std::vector<BodySyntax>& body, const std::vector<BlockSyntax>& blocks,
                       ScopeId scope);

  void use_top();
  void use_places();
  void use_program(const ProgramSyntax& program, ScopeId scope);
  void use_data(const DataSyntax& data, ScopeId scope);
  void use_header(const HeaderSyntax& header, ScopeId scope);
  void use_body(const std::vector<BodySyntax>& body, const std::vector<BlockSyntax>& blocks);
  void use_line(const BodySyntax& line, ScopeId scope);
  void use_operands(const BodySyntax& line, ScopeId scope);
  void use_macro(const BodySyntax& line, std::uint32_t macro, ScopeId scope);
  void use_range(const RangeSyntax& range, ScopeId scope);
  void use_rect(const RectSyntax& rect, ScopeId scope);
  void use_expectation(const ExpectSyntax& expectation);

  void use_all(std::initializer_list<ExprId> ids, ScopeId scope, Role role);
  void use(ExprId id, ScopeId scope, Role role);
  void use_call(const Expr& call, ScopeId scope);
  void use_name(std::string_view name, std::uint32_t file, ScopeId scope, Role role);
  void use_mark(const Expr& expr, ScopeId scope);
  bool is_hidden(std::string_view name, Role role, ScopeId scope) const;
  std::optional<std::uint32_t> look_up(std::string_view name, ScopeId scope, Role role) const;

  bool is_in_open_scope(ScopeId scope) const;
  ScopeId open_scope_of(ScopeId scope) const;

  void find_users(ScopeId user, const std::vector<std::uint32_t>& used);
  std::vector<std::uint32_t> macros_used_by(const std::vector<BodySyntax>& body) const;
  void link_free_names();
  void link_everywhere(const Free& free);
  void link_to(const Free& free, ScopeId scope);

  void define(ScopeId scope, Space space, SymbolKind kind, const Named& name);
  void mention(std::string_view name, std::uint32_t file, std::uint32_t symbol, bool defines);
  bool spend();

  const Unit& unit_;
  const Sources& sources_;
  IndexScopes scopes_;
  std::vector<Mention> mentions_;
  std::vector<ScopeId> program_scopes_;  // by index of Unit::programs
  std::vector<ScopeId> macro_scopes_;    // by index of Unit::macros
  ScopeId shared_scope_ = kTopScope;     // what libraries define for all
  ScopeId library_scope_ = kTopScope;    // of the code of libraries
  ScopeId expect_scope_ = kTopScope;     // of what .expect looks at
  std::unordered_set<ScopeId> open_;     // whose names may have their meaning elsewhere
  std::unordered_map<std::string_view, std::uint32_t> macros_;
  std::unordered_map<const std::vector<BodySyntax>*, BodyScopes> bodies_;
  std::vector<std::vector<std::uint32_t>> callees_;          // macros that each macro uses
  std::unordered_map<ScopeId, std::vector<ScopeId>> users_;  // of macros, by their scopes
  std::vector<Free> free_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> links_;
  std::size_t spent_ = 0;
};

}  // namespace wse::assembler
