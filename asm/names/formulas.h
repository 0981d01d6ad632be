// Expressions to formulas: names resolved, constants folded, nodes in the order of the text.
//
// The result is canonical: the text that isa::to_text() prints of it gives the same nodes again.
#pragma once

#include <optional>
#include <span>

#include "asm/names/globals.h"
#include "asm/names/names.h"
#include "asm/syntax/syntax.h"
#include "asm/text/report.h"
#include "isa/machine/control_word.h"

namespace wse::assembler {

// A function of expressions that is no operator of formulas.
inline constexpr std::string_view kControlFunction = "control";
// The book of where data and code of a program lie.
class AddressBook {
 public:
  virtual ~AddressBook() = default;
  // The byte address of data, or the code word of a label; nothing after an error, which is
  // reported.
  virtual std::optional<isa::Formula> address_of(ExprId id) const = 0;
};

// The parts of which an expression may be made.
struct FormulaScope {
  enum class Level : std::uint8_t {
    Constants,  // numbers and .const names
    Fixed,      // also colours and entries
    Placed,     // also x, y, width, height and parameters
  };
  Level level = Level::Placed;
  bool index = false;                      // `i` has a meaning
  const NameTable* locals = nullptr;       // of the program
  bool place = false;                      // x, y, width and height have one, whatever the level
  const AddressBook* addresses = nullptr;  // the same; without one there is no address(...)
};

class FormulaBuilder {
 public:
  FormulaBuilder(const Unit& unit, const Globals& globals, Reporter& reporter, FormulaScope scope)
      : unit_(unit), globals_(globals), reporter_(reporter), scope_(scope) {}

  // Returns nothing after an error, which is reported.
  std::optional<isa::Formula> build(ExprId id);

  // The value of an expression whose scope allows constants only.
  std::optional<isa::Number> constant(ExprId id);

  // Builds an integer within the bounds; `what` names it in the message.
  std::optional<std::int64_t> whole(ExprId id, std::string_view what, std::int64_t least,
                                    std::int64_t most);

 private:
  using Nodes = std::vector<isa::FormulaNode>;

  bool emit(ExprId id, Nodes& out);
  bool emit_name(const Expr& expr, Nodes& out);
  bool emit_meaning(const Expr& expr, const Meaning& meaning, bool local, Nodes& out);
  bool emit_call(const Expr& expr, Nodes& out);
  bool emit_operation(const Expr& expr, isa::FormulaOp op, std::span<const ExprId> operands,
                      Nodes& out);
  bool emit_address(const Expr& expr, Nodes& out);
  bool emit_control(const Expr& expr, Nodes& out);
  bool emit_control_data(std::uint32_t word, ExprId data, Nodes& out);
  std::optional<isa::RouterCommand> command(ExprId id);
  bool emit_select(const Expr& expr, Nodes& out);
  bool check_unchosen(ExprId side);
  bool unknown_name(const Expr& expr);
  bool unknown_function(const Expr& expr);
  bool refuse(const Expr& expr, std::string_view what);

  const Unit& unit_;
  const Globals& globals_;
  Reporter& reporter_;
  FormulaScope scope_;
  int unchosen_ = 0;  // sides of constant conditions around here that are not chosen
};

// `a op b` as one formula, folded if both are constants.
isa::Result<isa::Formula> join(isa::FormulaOp op, const isa::Formula& a, const isa::Formula& b);

// Whether the value can be a float at some place.
bool may_be_float(const isa::Formula& formula, std::span<const isa::Parameter> parameters,
                  std::span<const isa::GlobalParameter> globals);

}  // namespace wse::assembler
