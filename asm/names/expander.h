// Macros, libraries and code by role, in the unit, before names are resolved: replaces each use of
// a macro by its lines, appends to each program the functions of libraries that it names, and makes
// of a program with constants or blocks one for each set of constants that is placed.
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

#include "asm/names/globals.h"
#include "asm/names/names.h"
#include "asm/names/roles.h"
#include "asm/syntax/syntax.h"
#include "asm/text/report.h"

namespace wse::assembler {

inline constexpr std::size_t kMaxMacroDepth = 32;
inline constexpr std::size_t kMaxExpansion = 1'000'000;  // lines and nodes of all expansions

class Expander {
 public:
  // Of `globals` the constants are known, and the grid if programs have constants.
  Expander(Unit& unit, const Globals& globals, Reporter& reporter)
      : unit_(unit), globals_(globals), reporter_(reporter) {}

  // All programs, then without uses of macros, blocks, constant and optional parameters.
  void run();

 private:
  using Parameters = std::unordered_map<std::string_view, std::uint32_t>;
  inline static const Parameters kNoParameters{};
  // A use of a macro, a turn of a loop or a set of constants while lines are copied for it.
  struct Frame {
    const Parameters* parameters = &kNoParameters;
    std::vector<ExprId> arguments{};
    std::uint32_t origin = 0;               // its place for notes
    std::uint32_t scope = 0;                // of its labels
    std::optional<isa::SourceLine> line{};  // of the outermost use; nothing: each line its own
  };
  // Lines first .. last of a body with their blocks.
  struct Lines {
    const std::vector<BodySyntax>& body;
    const std::vector<BlockSyntax>& blocks;
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint32_t first_block = 0;
    std::uint32_t last_block = 0;
  };

  void define_macros();
  // The parts of libraries that programs take (library_uses.cpp).
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

  // One program for each set of constants (instances.cpp).
  void make_instances(std::size_t index, std::vector<ProgramSyntax>& made);
  void make_instance(const ProgramSyntax& program, const Role& role, std::string_view name,
                     std::vector<ProgramSyntax>& made);
  std::string_view instance_name(const ProgramSyntax& program, std::size_t roles);
  Frame frame_of(const ProgramSyntax& program, const Role& role, ProgramSyntax& made);
  ExprId number(const isa::Number& value);
  void copy_declarations(const ProgramSyntax& program, ProgramSyntax& made, const Frame& frame);
  std::vector<bool> left_out(const ProgramSyntax& program, const Frame& frame);
  void replace_placements();
  HeaderSyntax copy_header(const HeaderSyntax& header, const Frame& frame);
  void copy_if_any(ExprId& id, const Frame& frame);
  // The lines that remain of blocks, and their turns.
  void copy_lines(const Lines& lines, const Frame& frame, std::vector<BodySyntax>& out);
  void copy_block(const Lines& lines, std::uint32_t index, const Frame& frame,
                  std::vector<BodySyntax>& out);
  void copy_turns(const Lines& inside, const BlockSyntax& loop, const Frame& frame,
                  std::vector<BodySyntax>& out);
  bool holds(const BlockSyntax& block, const Frame& frame);
  std::optional<std::int64_t> whole(ExprId id, std::string_view what, const Frame& frame);

  bool is_broken(const BodySyntax& line) const;
  void add(const BodySyntax& line, std::vector<BodySyntax>& out);
  void expand(const BodySyntax& use, std::uint32_t index, std::vector<BodySyntax>& out);
  bool may_expand(const BodySyntax& use, const MacroSyntax& macro);
  std::optional<BodySyntax> copy_line(const BodySyntax& line, const Frame& frame);
  std::optional<ExprId> value_of(std::string_view name, const Frame& frame) const;
  void answer(Expr& made);
  ExprId copy(ExprId id, const Frame& frame);
  ExprId argument(ExprId value, const Expr& parameter);
  bool copy_parts(Expr& made, const Frame& frame);
  bool copy_child(ExprId& child, Expr& parent, const Frame& frame);
  bool copy_arguments(Expr& call, const Frame& frame);
  void copy_pieces(Expr& text, const Frame& frame);
  bool rename_base(Expr& indexed, const Frame& frame);
  bool spend(std::size_t count);

  Unit& unit_;
  const Globals& globals_;
  Reporter& reporter_;
  // The program that is made of another one has these: its constants, whether its optional colours
  // are given, and where its headers go.
  std::unordered_map<std::string_view, ExprId> constants_;
  std::unordered_map<std::string_view, bool> optional_;
  ProgramSyntax* instance_ = nullptr;
  const ProgramSyntax* source_ = nullptr;     // of which it is made
  std::vector<RolePlacement> placements_;     // of instances
  std::unordered_set<std::size_t> replaced_;  // placements of the unit in whose place they are
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
