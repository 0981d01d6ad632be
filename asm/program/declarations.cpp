// Resolves the declarations of a program, each kind after all that it may name.
#include "asm/program/declarations.h"

#include <algorithm>

#include "asm/names/routings.h"
#include "asm/program/data_declarer.h"
#include "asm/program/fifo_declarer.h"
#include "asm/program/header_resolver.h"
#include "asm/program/views.h"
#include "isa/image/placement_values.h"

namespace wse::assembler {
namespace {

using Level = FormulaScope::Level;

class Declarer {
 public:
  explicit Declarer(ProgramContext& context) : c_(context) {}

  void run() {
    find_mentions();
    for (const ChosenConstant& constant : c_.syntax.constants) {
      c_.define(constant.name, NameKind::Other, 0);
    }
    for (const Named& colour : c_.syntax.absent) c_.define(colour, NameKind::Absent, 0);
    for (const ParameterSyntax& parameter : c_.syntax.parameters) {
      if (!c_.define(parameter.name, NameKind::Parameter, c_.program.parameters.size())) continue;
      c_.program.parameters.push_back({std::string(parameter.name.text), parameter.type});
    }
    for (const DataSyntax& data : c_.syntax.data) {
      if (!is_view(c_, data)) data_.declare(data);
    }
    c_.registers.define(c_.syntax.registers, c_.unit, c_.reporter);
    c_.descriptor_registers.define(c_.syntax.descriptor_registers, c_.unit, c_.reporter);
    for (const DataSyntax& data : c_.syntax.data) {
      if (is_view(c_, data)) data_.declare_view(data);
    }
    c_.microthreads.define(c_.syntax.microthreads, free_microthreads(), c_.formulas(Level::Fixed),
                           c_.reporter);
    c_.queues.define(c_.syntax.queues, all_queues(), c_.formulas(Level::Fixed), c_.reporter);
    for (std::size_t k = 0; k < c_.syntax.descriptors.size(); ++k) {
      c_.define(c_.syntax.descriptors[k].name, NameKind::Descriptor, k);
    }
    for (const NamedRoutingSyntax& routing : c_.syntax.routings) declare_routing(routing);
    for (const NamedFilterSyntax& filter : c_.syntax.filters) declare_filter(filter);
    HeaderResolver(c_).run();
    FifoDeclarer fifos(c_);
    for (const FifoSyntax& fifo : c_.syntax.fifos) fifos.declare(fifo);
    declare_labels();
    data_.set_initial_values();
    declare_seed();
  }

 private:
  void declare_labels() {
    for (const BodySyntax& body : c_.syntax.body) {
      const bool function =
          body.kind == BodySyntax::Kind::Header && c_.syntax.headers[body.header].is_function;
      if (body.kind != BodySyntax::Kind::Label && !function) continue;
      if (function && c_.headers[body.header].duplicate) continue;
      const std::uint32_t label = c_.labels.define(body.name, body.scope, c_.reporter);
      if (function) c_.headers[body.header].label = label;
    }
  }

  void find_mentions() {
    find_mentions(c_.syntax.first_expr, c_.syntax.last_expr);
    find_mentions(c_.syntax.first_expanded, c_.syntax.last_expanded);
  }

  void find_mentions(ExprId first, ExprId last) {
    for (ExprId id = first; id < last; ++id) {
      const Expr& expr = c_.unit[id];
      if (expr.kind != ExprKind::Name) continue;
      c_.registers.mention(expr.text);
      c_.descriptor_registers.mention(expr.text);
    }
  }

  // Checks a constant; other seeds are checked PE by PE where the program is placed.
  void declare_seed() {
    if (c_.syntax.seeds.empty()) return;
    const SeedSyntax& seed = c_.syntax.seeds.front();
    if (c_.syntax.seeds.size() > 1) {
      c_.reporter.report(Problem::SeedTwice, c_.syntax.seeds[1].where, c_.syntax.name.text);
      c_.reporter.note(Remark::FirstDefined, seed.where, ".seed");
    }
    std::optional<isa::Formula> value = c_.formulas(Level::Placed).build(seed.value);
    if (!value) return;
    if (value->is_constant()) {
      isa::Result<std::uint32_t> bits = isa::to_bits(value->nodes[0].constant, isa::Type::U32);
      if (bits) bits = isa::checked_seed(*bits);
      if (!bits) c_.reporter.report(Problem::BadValue, c_.unit[seed.value].where, bits.error());
    }
    c_.program.seed = {std::move(*value), seed.line};
  }

  // A broken one keeps its number, so that its uses are not reported too.
  void declare_routing(const NamedRoutingSyntax& syntax) {
    const auto number = static_cast<std::uint32_t>(c_.program.routings.size());
    if (!c_.routings.define(syntax.name, NameKind::Other, number, c_.reporter)) return;
    std::optional<isa::Routing> made =
        expand_routing(syntax.routing, syntax.name.text, c_.globals, c_.profile, c_.reporter);
    c_.program.routings.push_back(
        {std::string(syntax.name.text), made ? std::move(*made) : isa::Routing{}});
  }

  void declare_filter(const NamedFilterSyntax& syntax) {
    const auto number = static_cast<std::uint32_t>(c_.program.filters.size());
    if (!c_.filters.define(syntax.name, NameKind::Other, number, c_.reporter)) return;
    isa::NamedFilter made{std::string(syntax.name.text), syntax.filter.shape, {}};
    const auto values = filter_values(syntax.filter, c_.unit, c_.formulas(), c_.reporter);
    for (std::size_t k = 0; values && k < values->size(); ++k) {
      made.values.push_back(c_.pools.value((*values)[k], isa::Type::U32));
    }
    c_.program.filters.push_back(std::move(made));
  }

  static_assert(isa::fits_mask<std::uint32_t>(&isa::Profile::input_queues) &&
                isa::fits_mask<std::uint32_t>(&isa::Profile::output_queues));
  FreeNumbers all_queues() const {
    return {"queue", std::max(c_.profile.input_queues, c_.profile.output_queues)};
  }

  // Returns those that no instruction names by number.
  FreeNumbers free_microthreads() const {
    FreeNumbers free("microthread", isa::kMicrothreads);
    for (const BodySyntax& body : c_.syntax.body) {
      if (body.microthread == kNoExpr) continue;
      const Expr& expr = c_.unit[body.microthread];
      if (expr.kind != ExprKind::Number) continue;
      const isa::Number& number = c_.unit.number(expr);
      const bool fits = number.integer >= 0 && number.integer < isa::kMicrothreads;
      if (fits && !number.is_float) free.take(static_cast<std::uint32_t>(number.integer));
    }
    return free;
  }

  ProgramContext& c_;
  DataDeclarer data_{c_};
};

}  // namespace

void declare(ProgramContext& context) { Declarer(context).run(); }

}  // namespace wse::assembler
