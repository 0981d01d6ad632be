// Macros: replaces each use by the lines of the macro, in the unit, before names are resolved.
//
// Lines were parsed once, where they are written; an expansion copies their expressions and puts
// the arguments in, each as one value, however it is built. Work is bounded whatever macros use
// each other: every line and every node of an expression is counted before it is copied.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "asm/names/names.h"
#include "asm/syntax/syntax.h"
#include "asm/text/report.h"

namespace wse::assembler {

inline constexpr std::size_t kMaxMacroDepth = 32;
inline constexpr std::size_t kMaxExpansion = 1'000'000;  // lines and nodes of all expansions

class Expander {
 public:
  Expander(Unit& unit, Reporter& reporter) : unit_(unit), reporter_(reporter) {}

  // The bodies of all programs, then without uses of macros.
  void run();

 private:
  using Parameters = std::unordered_map<std::string_view, std::uint32_t>;
  // A use of a macro while its lines are copied.
  struct Frame {
    const Parameters* parameters = nullptr;
    std::vector<ExprId> arguments{};
    std::uint32_t origin = 0;  // the expansion: its place for notes, and the scope of its labels
    isa::SourceLine line{};    // of the outermost use
  };

  void define_macros();
  void define_parameters(const MacroSyntax& macro);
  bool is_broken(const BodySyntax& line) const;
  void add(const BodySyntax& line, std::vector<BodySyntax>& out);
  void expand(const BodySyntax& use, std::uint32_t index, std::vector<BodySyntax>& out);
  bool may_expand(const BodySyntax& use, const MacroSyntax& macro);
  std::optional<BodySyntax> copy_line(const BodySyntax& line, const Frame& frame);
  ExprId copy(ExprId id, const Frame& frame);
  ExprId argument(std::uint32_t index, const Expr& parameter, const Frame& frame);
  bool copy_parts(Expr& made, const Frame& frame);
  bool copy_child(ExprId& child, Expr& parent, const Frame& frame);
  bool copy_arguments(Expr& call, const Frame& frame);
  void copy_pieces(Expr& text, const Frame& frame);
  bool rename_base(Expr& indexed, const Frame& frame);
  bool spend(std::size_t count);

  Unit& unit_;
  Reporter& reporter_;
  NameTable macros_;
  std::vector<Parameters> parameters_;  // by index of the macro
  std::vector<const MacroSyntax*> open_;
  std::size_t spent_ = 0;
  isa::SourceRange outermost_;  // the use in a program that is expanded now
};

}  // namespace wse::assembler
