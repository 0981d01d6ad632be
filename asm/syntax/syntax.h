// The output of the parser: statements and expressions with their places, nothing resolved yet.
//
// Names are views into the source. Expressions live in one array and refer to each other by index,
// children before parents, so that a unit is freed at once and no tree can be deep in memory.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "asm/text/line_map.h"
#include "asm/text/token.h"
#include "isa/image/image.h"
#include "isa/support/diagnostics.h"

namespace wse::assembler {

using ExprId = std::uint32_t;
inline constexpr ExprId kNoExpr = ~0u;

// The word of the one statement that the assembler makes a loop of.
inline constexpr std::string_view kMapWord = "map";
inline constexpr std::string_view kIndexWord = "index";  // of map

// Words that begin a header; a label may have their names.
inline constexpr std::string_view kTaskWord = "task";
inline constexpr std::string_view kFunctionWord = "function";
inline constexpr std::string_view kHeaderWords[] = {kTaskWord, kFunctionWord};

inline constexpr std::string_view kViewFunction = "view";        // a second name for data
inline constexpr std::string_view kAddressFunction = "address";  // where data and code lie

// Whether an optional colour of the program is given: known when its code is made.
inline constexpr std::string_view kHasFunction = "has";

inline constexpr std::size_t kCharactersOfNode = 8;  // of a text, when nodes are counted

enum class ExprKind : std::uint8_t {
  Number,  // Unit::numbers[first]
  Name,
  Text,        // a string; pieces first .. first + count - 1 of Unit::pieces
  Operator,    // `op` over `count` children
  Call,        // text(arguments); first .. first + count - 1 of Unit::arguments
  Index,       // text[child 0]
  Slice,       // text[child 0 : child 1 : child 2]; child 1 is the end, or the length if it counts
  Subscripts,  // text[arguments], several of them, each an Index or a Slice of `text`
  List,        // [arguments]
};

struct Expr {
  ExprKind kind = ExprKind::Number;
  isa::FormulaOp op = isa::FormulaOp::Constant;
  bool grouped = false;  // is in parentheses
  bool counts = false;   // Slice: first :+ length : step
  bool whole = true;     // `where` reaches to its end, which is in the same line
  std::uint16_t depth = 1;
  std::uint32_t size = 1;   // nodes of the tree; texts count by their length
  std::uint32_t scope = 0;  // the expansion whose labels a name may mean; 0: none
  std::uint32_t count = 0;  // arguments of a Call, operands, pieces of a Text
  std::uint32_t first = 0;  // of them; of a Number: its value in Unit::numbers
  ExprId child[3] = {kNoExpr, kNoExpr, kNoExpr};
  std::string_view text{};
  isa::SourceRange where{};
};

// An argument of a Call: `value`, or `name=value`.
struct Argument {
  Named name{};  // empty if there is none
  ExprId value = kNoExpr;
};

// Returns whether expressions of the kind have arguments in Unit::arguments.
constexpr bool has_arguments(ExprKind kind) {
  return kind == ExprKind::Call || kind == ExprKind::Subscripts || kind == ExprKind::List;
}

// A piece of a print text: characters, then a value if there is one.
struct TextPiece {
  std::string text{};
  ExprId value = kNoExpr;
  Named type{};  // empty if not given
};

struct RangeSyntax {
  ExprId first = kNoExpr;
  ExprId last = kNoExpr;  // none: only `first`
  ExprId step = kNoExpr;
  isa::SourceRange where{};
};

struct RectSyntax {
  RangeSyntax x{};
  RangeSyntax y{};
};

// A name with an expression: .const, .colour, .entry, .reg, .dsr, .microthread, .dsd, `with`,
// overrides.
struct Binding {
  Named name{};
  ExprId value = kNoExpr;
};

struct TypedBinding {
  Named name{};
  isa::Type type = isa::Type::I32;
  ExprId value = kNoExpr;
};

struct TypedName {
  Named name{};
  isa::Type type = isa::Type::I32;
};

// A program's parameter. A constant has its value when the code is made; a colour may be optional.
struct ParameterSyntax : TypedBinding {
  bool is_constant = false;
  bool is_optional = false;
};

struct DataSyntax {
  TypedBinding data{};
  std::vector<ExprId> extents{};  // none: a scalar, or as many as the list has values
  bool counted = false;           // `[]`: the list says how many elements there are
  std::vector<ExprId> list{};     // in place of data.value: values of the first elements
  bool is_table = false;          // `.table`: the list holds addresses of labels
  bool exported = false;
  ExprId bank = kNoExpr;
  ExprId address = kNoExpr;
  isa::SourceRange behind{};  // the place behind name, extents and `exported`; its length is 0
  isa::SourceLine line{};
};

// The line that begins a task or a function.
struct HeaderSyntax {
  bool is_function = false;
  isa::TaskKind kind = isa::TaskKind::Main;
  bool high = false;
  bool exported = false;  // of a task: a launch starts it
  Named name{};
  ExprId id = kNoExpr;              // Local: a pinned id; a colour or entry
  std::vector<ExprId> arguments{};  // registers
  ExprId result = kNoExpr;          // of a function: registers
  ExprId link = kNoExpr;
  isa::SourceRange rest{};  // of a task: from its name to the colon; line 0 if a line ends between
  std::vector<std::optional<isa::Type>> argument_types{};  // an exported task has all
  std::optional<isa::Type> result_type{};                  // of a function
};

// In Unit::types; most lines have none.
inline constexpr std::uint32_t kNoType = ~0u;

struct BodySyntax {
  enum class Kind : std::uint8_t { Label, Header, Instruction };
  Kind kind = Kind::Instruction;
  isa::Completion completion = isa::Completion::None;  // after async
  Named name{};
  std::uint32_t first_operand = 0;  // in Unit::operands
  std::uint32_t operands = 0;
  ExprId microthread = kNoExpr;
  ExprId completes = kNoExpr;    // the task or colour of the completion
  ExprId index = kNoExpr;        // of map: the register with the number of the element
  std::uint32_t header = 0;      // Header: in ProgramSyntax::headers
  std::uint32_t type = kNoType;  // `: f32` after an assert: in Unit::types
  isa::SourceLine line{};
  std::uint32_t scope = 0;  // the expansion that it comes from; 0: none
};

// A position may name one side only; the other one stays what it was.
struct PositionSyntax {
  std::optional<isa::Port> rx{};
  std::uint32_t tx = 0;  // 0: not named
  isa::SourceRange where{};
};

struct RoutingSyntax {
  std::vector<PositionSyntax> positions{};
  bool ring = false;
  isa::PopMode pop = isa::PopMode::Never;
  bool torn_down = false;
  ExprId start = kNoExpr;  // the number of a position
};

struct RouteSyntax {
  ExprId colour = kNoExpr;
  RectSyntax rect{};
  RoutingSyntax routing{};
  isa::SourceRange where{};
  isa::SourceLine line{};
};

struct FilterSyntax {
  isa::FilterShape shape{};
  ExprId values[isa::kMaxFilterValues] = {kNoExpr, kNoExpr, kNoExpr, kNoExpr};
  isa::SourceRange where{};
};

struct FilterPlaceSyntax {
  ExprId colour = kNoExpr;
  RectSyntax rect{};
  FilterSyntax filter{};
  isa::SourceLine line{};
};

struct StreamSyntax {
  TypedName name{};
  ExprId count = kNoExpr;  // none: one element
  RectSyntax rect{};
  isa::Port side = isa::Port::West;
  ExprId colour = kNoExpr;
  bool enters = false;
  isa::SourceLine line{};
};

// `.routing` and `.filtering` of a program.
struct NamedRoutingSyntax {
  Named name{};
  RoutingSyntax routing{};
};
struct NamedFilterSyntax {
  Named name{};
  FilterSyntax filter{};
};

// `.fifo`: an array or a part of one, and the tasks that hear of it.
struct FifoSyntax {
  Named name{};
  ExprId storage = kNoExpr;
  ExprId on_leaving_full = kNoExpr;
  ExprId on_leaving_empty = kNoExpr;
};

struct SeedSyntax {  // .seed: the state with which the generator of random bits begins
  ExprId value = kNoExpr;
  isa::SourceRange where{};  // of the directive
  isa::SourceLine line{};
};

// How many declarations of each kind a program has: data, registers ... in the order of its lists.
inline constexpr std::size_t kDeclarationLists = 12;
using DeclarationCounts = std::array<std::uint32_t, kDeclarationLists>;

// Lines of a program or macro that are there if a condition holds, if it does not, or once for each
// value of a variable. Blocks are listed in the order in which they begin: those inside follow.
struct BlockSyntax {
  enum class Kind : std::uint8_t { If, Else, For };
  Kind kind = Kind::If;
  bool is_chained = false;     // `.else if`: the end of it ends the block around it too
  ExprId condition = kNoExpr;  // of If, and of the If before Else
  Named variable{};            // of For
  RangeSyntax range{};
  std::uint32_t first_line = 0;  // of the body
  std::uint32_t last_line = 0;   // exclusive
  std::uint32_t behind = 0;      // the first block that is not inside
  DeclarationCounts first_declarations{};
  DeclarationCounts last_declarations{};  // exclusive
  isa::SourceRange where{};
};

// A constant parameter in one of the codes that are made of a program.
struct ChosenConstant {
  Named name{};
  std::string value{};
};

// `.program`, or `.library`, whose functions programs take (names/library_uses.cpp).
struct ProgramSyntax {
  Named name{};
  std::string role{};  // see isa::Program
  bool is_library = false;
  bool broken = false;  // its header has an error: nothing is known of its parameters
  std::vector<ParameterSyntax> parameters{};
  std::vector<ChosenConstant> constants{};  // what parameters became (names/roles.h)
  std::vector<Named> absent{};              // colours that are not given
  std::vector<DataSyntax> data{};
  std::vector<Binding> registers{};
  std::vector<Binding> descriptor_registers{};
  std::vector<Binding> microthreads{};
  std::vector<Binding> queues{};
  std::vector<Binding> descriptors{};
  std::vector<FifoSyntax> fifos{};
  std::vector<NamedRoutingSyntax> routings{};
  std::vector<NamedFilterSyntax> filters{};
  std::vector<HeaderSyntax> headers{};
  std::uint32_t data_colours = 0;  // bit c: a parameter may give it a data task on colour c
  bool incomplete = false;         // an error took a statement of it
  std::vector<isa::SourceRange> passive{};  // where it says so
  std::vector<SeedSyntax> seeds{};          // one at most, of those that no `.if` leaves out
  std::vector<BodySyntax> body{};
  std::vector<BlockSyntax> blocks{};
  ExprId first_expr = 0;  // its expressions, up to last_expr exclusive
  ExprId last_expr = 0;
  ExprId first_expanded = 0;  // those that macros brought
  ExprId last_expanded = 0;

  DeclarationCounts declarations() const {
    const auto size = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
    return {size(data),         size(registers), size(descriptor_registers),
            size(microthreads), size(queues),    size(fifos),
            size(descriptors),  size(routings),  size(filters),
            size(passive),      size(seeds),     size(headers)};
  }
};

struct MacroSyntax {
  Named name{};
  bool broken = false;  // its header has an error
  std::vector<Named> parameters{};
  std::vector<BodySyntax> body{};  // labels and instructions, the parameters as names
  std::vector<BlockSyntax> blocks{};
};

struct PlaceSyntax {
  Named program{};
  RectSyntax rect{};
  std::vector<Binding> arguments{};
  isa::SourceRange where{};
  isa::SourceLine line{};
};

struct ExpectSyntax {
  bool cycles = false;
  ExprId subject = kNoExpr;  // Name, Index or Slice; none for cycles
  RectSyntax rect{};
  ExprId value = kNoExpr;
  ExprId within = kNoExpr;
  Named profile{};  // empty: all
  isa::SourceRange where{};
  isa::SourceLine line{};
};

// `.grid`, or `.hypercube`, of which only the dimensions are given.
struct GridSyntax {
  isa::SourceRange where{};
  ExprId width = kNoExpr;
  ExprId height = kNoExpr;
  ExprId dimensions = kNoExpr;

  bool is_hypercube() const { return dimensions != kNoExpr; }
  std::string_view text() const { return is_hypercube() ? ".hypercube" : ".grid"; }
};

// A whole source. `broken_names`: names in directives that have an error, so that their uses are
// not reported once more. `broken_directives`: their words, so that nobody misses what they said.
struct Unit {
  std::vector<Expr> exprs;
  std::vector<isa::Number> numbers;
  std::vector<TextPiece> pieces;
  std::vector<Argument> arguments;
  std::vector<ExprId> operands;
  std::vector<Named> types;
  std::vector<Binding> constants;
  std::vector<TypedBinding> parameters;
  std::vector<Binding> colours;
  std::vector<Binding> entries;
  std::vector<GridSyntax> grids;
  std::vector<ProgramSyntax> programs;
  std::vector<ProgramSyntax> libraries;
  std::vector<MacroSyntax> macros;
  std::vector<PlaceSyntax> placements;
  std::vector<RouteSyntax> routes;
  std::vector<FilterPlaceSyntax> filters;
  std::vector<StreamSyntax> streams;
  std::vector<ExpectSyntax> expectations;
  std::vector<Binding> overrides;
  std::vector<std::string> file_names;  // of SourceLine::file; the first is the source itself
  std::unordered_map<std::string, std::uint32_t> file_numbers;  // of file_names
  LineMap lines;                                                // to file_names
  std::unordered_set<std::string_view> broken_names;
  std::unordered_set<std::string_view> broken_directives;
  std::deque<std::string> made_names;  // of programs that are made of others
  // Of a turn of a loop: the expansion or turn around it, whose labels it sees.
  std::unordered_map<std::uint32_t, std::uint32_t> scope_parents;
  bool takes_addresses = false;   // address(...) or a table is used somewhere
  bool broken_statement = false;  // a line was to be any directive
  bool incomplete = false;  // a file or an expansion is missing: no more can be said of the rest

  // An error took a statement of that directive.
  bool lacks(std::string_view directive) const {
    return broken_statement || broken_directives.contains(directive);
  }

  // The number of a file's name, new or not.
  std::uint32_t file_number(const std::string& name) {
    const auto next = static_cast<std::uint32_t>(file_names.size());
    const auto [found, is_new] = file_numbers.try_emplace(name, next);
    if (is_new) file_names.push_back(name);
    return found->second;
  }

  const Expr& operator[](ExprId id) const { return exprs[id]; }
  const isa::Number& number(const Expr& expr) const { return numbers[expr.first]; }
};

}  // namespace wse::assembler
