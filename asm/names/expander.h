// Macros and libraries, in the unit, before names are resolved: replaces each use of a macro by its
// lines, and appends to each program the functions of libraries that it names.
//
// Lines were parsed once, where they are written; an expansion copies their expressions and puts
// the arguments in, each as one value, however it is built. Work is bounded whatever macros use
// each other: every line and every node of an expression is counted before it is copied.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
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
  inline static const Parameters kNoParameters{};
  // A use of a macro while its lines are copied.
  struct Frame {
    const Parameters* parameters = &kNoParameters;
    std::vector<ExprId> arguments{};
    std::uint32_t origin = 0;  // the expansion: its place for notes, and the scope of its labels
    isa::SourceLine line{};    // of the outermost use
  };

  void define_macros();
  // What programs take of libraries (library_uses.cpp).
  struct Shared {
    std::uint32_t library = 0;  // of Unit::libraries
    std::uint32_t index = 0;    // of the list of its kind
  };
  using SharedNames = std::unordered_map<std::string_view, Shared>;
  void define_libraries();
  void define_shared(SharedNames& names, const Named& name, const Shared& shared);
  void take_from_libraries(ProgramSyntax& program, std::vector<BodySyntax>& body);
  void take_function(const Shared& shared, const Expr& use, ProgramSyntax& program,
                     std::vector<BodySyntax>& body);
  void take_name(const Expr& use, ProgramSyntax& program, std::vector<BodySyntax>& body);
  Binding copy_binding(const Binding& binding, const Frame& frame);

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
  NameTable shared_names_;              // of all libraries
  SharedNames functions_;               // of libraries, as the next three
  SharedNames registers_;
  SharedNames descriptor_registers_;
  SharedNames data_;
  std::unordered_set<std::string_view> taken_;  // by the present program, or its own functions
  std::vector<const MacroSyntax*> open_;
  std::size_t spent_ = 0;
  isa::SourceRange outermost_;  // the use in a program that is expanded now
};

}  // namespace wse::assembler
