// The declarations of a program: parameters, data, registers, microthreads, descriptors, labels.
#include <algorithm>
#include <bit>

#include "asm/names/routings.h"
#include "asm/program/program_context.h"

namespace wse::assembler {
namespace {

using Level = FormulaScope::Level;

class Declarer {
 public:
  explicit Declarer(ProgramContext& context) : c_(context) {}

  void run() {
    find_mentions();
    for (const ChosenConstant& constant : c_.syntax.constants) {
      define(constant.name, NameKind::Other, 0);
    }
    for (const Named& colour : c_.syntax.absent) define(colour, NameKind::Absent, 0);
    for (const ParameterSyntax& parameter : c_.syntax.parameters) {
      if (!define(parameter.name, NameKind::Parameter, c_.program.parameters.size())) continue;
      c_.program.parameters.push_back({std::string(parameter.name.text), parameter.type});
    }
    for (const DataSyntax& data : c_.syntax.data) {
      if (!is_view(c_, data)) declare_data(data);
    }
    number_registers();
    for (const DataSyntax& data : c_.syntax.data) {
      if (is_view(c_, data)) declare_view(data);
    }
    number(c_.syntax.microthreads, "microthread", isa::kMicrothreads, mentioned_microthreads(),
           c_.microthreads);
    number(c_.syntax.queues, "queue", std::max(c_.profile.input_queues, c_.profile.output_queues),
           0, c_.queues);
    for (std::size_t k = 0; k < c_.syntax.descriptors.size(); ++k) {
      define(c_.syntax.descriptors[k].name, NameKind::Descriptor, k);
    }
    for (const NamedRoutingSyntax& routing : c_.syntax.routings) declare_routing(routing);
    for (const NamedFilterSyntax& filter : c_.syntax.filters) declare_filter(filter);
    declare_headers(c_);
    declare_fifos(c_);
    for (const BodySyntax& body : c_.syntax.body) {
      const bool function =
          body.kind == BodySyntax::Kind::Header && c_.syntax.headers[body.header].is_function;
      if (body.kind != BodySyntax::Kind::Label && !function) continue;
      if (function && c_.headers[body.header].duplicate) continue;
      if (function) {
        c_.headers[body.header].label = static_cast<std::uint32_t>(c_.label_targets.size());
      }
      const auto index = static_cast<std::uint32_t>(c_.label_targets.size());
      c_.labels[body.scope].define(body.name, NameKind::Other, index, c_.reporter);
      c_.label_targets.emplace_back();
    }
    define_initial_values();
  }

 private:
  bool define(const Named& name, NameKind kind, std::size_t index) {
    return may_define(name, kind, c_.reporter) &&
           c_.names.define(name, kind, static_cast<std::uint32_t>(index), c_.reporter);
  }

  void find_mentions() {
    find_mentions(c_.syntax.first_expr, c_.syntax.last_expr);
    find_mentions(c_.syntax.first_expanded, c_.syntax.last_expanded);
  }

  void find_mentions(ExprId first, ExprId last) {
    for (ExprId id = first; id < last; ++id) {
      const Expr& expr = c_.unit[id];
      if (expr.kind != ExprKind::Name) continue;
      const auto mark = [&expr](char letter, std::uint32_t limit, std::uint32_t& set) {
        const std::optional<std::uint32_t> number = register_number(expr.text, letter);
        if (number && *number < limit) set |= 1u << *number;
      };
      mark('r', isa::kRegisters, c_.mentioned_registers);
      mark('d', isa::kDescriptorRegisters, c_.mentioned_descriptors);
    }
  }

  static isa::Symbol symbol_of(const DataSyntax& data) {
    isa::Symbol symbol;
    symbol.name = std::string(data.data.name.text);
    symbol.type = data.data.type;
    symbol.exported = data.exported;
    symbol.where = data.line;
    symbol.is_array = data.counted || !data.extents.empty();
    return symbol;
  }

  // After all other data, so that the addresses of those ascend.
  void declare_view(const DataSyntax& data) {
    isa::Symbol symbol = symbol_of(data);
    symbol.is_view = true;
    if (!set_extents(data, symbol) || !lay_view(c_, data, symbol)) {
      c_.broken_data.insert(data.data.name.text);
    }
    if (!define(data.data.name, NameKind::Data, c_.program.symbols.size())) return;
    c_.program.symbols.push_back(std::move(symbol));
    c_.symbol_syntax.push_back(&data);
  }

  // Data too large for a PE are refused at the end, with a map of all of them.
  void declare_data(const DataSyntax& data) {
    isa::Symbol symbol = symbol_of(data);
    if (!set_shape(data, symbol)) c_.broken_data.insert(data.data.name.text);
    if (!define(data.data.name, NameKind::Data, c_.program.symbols.size())) return;
    c_.data_end = data_address(c_, data);
    symbol.address = static_cast<std::uint32_t>(std::min<std::uint64_t>(c_.data_end, ~0u));
    c_.data_end += symbol.bytes();
    c_.program.symbols.push_back(std::move(symbol));
    c_.symbol_syntax.push_back(&data);
  }

  bool set_shape(const DataSyntax& data, isa::Symbol& symbol) {
    if (!set_extents(data, symbol)) return false;
    return data.counted ? count_list(data, symbol) : !has_too_many(data, symbol);
  }

  bool set_extents(const DataSyntax& data, isa::Symbol& symbol) {
    if (data.extents.size() > isa::kMaxDimensions) {
      const Named& name = data.data.name;
      const auto count = static_cast<std::int64_t>(data.extents.size());
      c_.reporter.report(Problem::ManyDimensions, name.where, name.text,
                         counted(count, "dimension"), isa::kMaxDimensions);
      return false;
    }
    std::int64_t room = ~0u;  // what the dimensions so far leave to the next
    std::int64_t count = 1;
    for (const ExprId id : data.extents) {
      const std::optional<std::int64_t> extent =
          c_.formulas(Level::Fixed).whole(id, "the number of elements", 0, room);
      if (!extent) {
        symbol.count = 0;
        symbol.shape.clear();
        return false;
      }
      count *= *extent;
      room /= std::max<std::int64_t>(1, *extent);
      if (data.extents.size() > 1) symbol.shape.push_back(static_cast<std::uint32_t>(*extent));
    }
    symbol.count = static_cast<std::uint32_t>(count);
    return true;
  }

  bool count_list(const DataSyntax& data, isa::Symbol& symbol) {
    const Named& name = data.data.name;
    symbol.count = static_cast<std::uint32_t>(data.list.size());
    if (data.list.empty()) c_.reporter.report(Problem::NoList, name.where, name.text);
    return !data.list.empty();
  }

  bool has_too_many(const DataSyntax& data, const isa::Symbol& symbol) {
    if (data.list.size() <= symbol.count) return false;
    const Named& name = data.data.name;
    const std::string elements = counted(symbol.count, "element");
    c_.reporter.report(Problem::ListTooLong, c_.unit[data.list[symbol.count]].where, name.text,
                       elements, data.list.size());
    return true;
  }

  // After all names, so that they may be used above their definition.
  void define_initial_values() {
    for (std::size_t k = 0; k < c_.program.symbols.size(); ++k) {
      const DataSyntax& data = *c_.symbol_syntax[k];
      isa::Symbol& symbol = c_.program.symbols[k];
      if (data.list.size() > 1 && data.list.size() <= symbol.count) define_list(data, symbol);
      const ExprId value = data.list.size() == 1 ? data.list[0] : data.data.value;
      if (value == kNoExpr || symbol.is_view) continue;
      symbol.initial = c_.formulas(Level::Placed, true).build(value);
      if (symbol.initial) constant_bits(*symbol.initial, value, symbol.type);
    }
  }

  void define_list(const DataSyntax& data, isa::Symbol& symbol) {
    FormulaBuilder builder = c_.formulas(Level::Placed, true);
    symbol.values.assign(data.list.size(), 0);
    for (std::uint32_t k = 0; k < data.list.size(); ++k) {
      std::optional<isa::Formula> made = builder.build(data.list[k]);
      if (!made) continue;
      if (made->is_constant()) {
        symbol.values[k] = constant_bits(*made, data.list[k], symbol.type);
      } else {
        symbol.formulas.push_back({k, std::move(*made)});
      }
    }
  }

  // Of a constant; 0 for another formula, and after an error, which is reported.
  std::uint32_t constant_bits(const isa::Formula& formula, ExprId id, isa::Type type) {
    if (!formula.is_constant()) return 0;
    const auto bits = isa::to_bits(formula.nodes[0].constant, type);
    if (!bits) c_.reporter.report(Problem::BadValue, c_.unit[id].where, bits.error());
    return bits.value_or(0);
  }

  struct RegisterFile {
    char letter;  // of the names that need no declaration
    std::string_view what;
    NameKind kind;
    std::uint32_t limit;
    std::uint32_t& mentioned;
  };
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

  void number_registers() {
    const RegisterFile general{'r', "register", NameKind::Register, isa::kRegisters,
                               c_.mentioned_registers};
    c_.registers = number(c_.syntax.registers, general);
    const RegisterFile descriptors{'d', "descriptor register", NameKind::DescriptorRegister,
                                   isa::kDescriptorRegisters, c_.mentioned_descriptors};
    c_.descriptor_registers = number(c_.syntax.descriptor_registers, descriptors);
  }

  // The numbers of the names, lowest free one first around those that are pinned or mentioned.
  std::vector<std::uint32_t> number(const std::vector<Binding>& bindings,
                                    const RegisterFile& file) {
    std::vector<std::uint32_t> numbers(bindings.size(), kNoRegister);
    std::vector<std::size_t> free;
    for (std::size_t k = 0; k < bindings.size(); ++k) {
      if (!define(bindings[k].name, file.kind, k)) continue;
      if (bindings[k].value == kNoExpr) {
        free.push_back(k);
      } else {
        numbers[k] = pinned_register(bindings[k].value, file);
      }
    }
    for (const std::size_t k : free) {
      const auto next = static_cast<std::uint32_t>(std::countr_one(file.mentioned));
      const Named& name = bindings[k].name;
      if (next >= file.limit) {
        c_.reporter.report(Problem::TooMany, name.where, name.text, file.what, file.limit);
        break;
      }
      file.mentioned |= 1u << next;
      numbers[k] = next;
    }
    return numbers;
  }

  std::uint32_t pinned_register(ExprId id, const RegisterFile& file) {
    const Expr& expr = c_.unit[id];
    const std::optional<std::uint32_t> number =
        expr.kind == ExprKind::Name ? register_number(expr.text, file.letter) : std::nullopt;
    if (number && *number < file.limit) return *number;
    if (number) {
      c_.reporter.report(Problem::RegisterNumber, expr.where, expr.text, isa::kRegisters - 1,
                         isa::kDescriptorRegisters - 1);
    } else {
      const std::string wanted =
          fmt::format("a {0}, {1}0 to {1}{2}", file.what, file.letter, file.limit - 1);
      c_.reporter.report(Problem::Expected, expr.where, wanted, "a value");
    }
    return kNoRegister;
  }

  static_assert(isa::fits_mask<std::uint32_t>(&isa::Profile::input_queues) &&
                isa::fits_mask<std::uint32_t>(&isa::Profile::output_queues));
  // Names for numbers below `limit`: pinned ones keep theirs, the others take the lowest free ones.
  void number(const std::vector<Binding>& bindings, std::string_view what, std::uint32_t limit,
              std::uint32_t taken, NumberedNames& names) {
    names.numbers.assign(bindings.size(), 0);
    std::vector<std::size_t> free;
    for (std::size_t k = 0; k < bindings.size(); ++k) {
      const Binding& binding = bindings[k];
      const auto index = static_cast<std::uint32_t>(k);
      if (!names.table.define(binding.name, NameKind::Other, index, c_.reporter)) continue;
      if (binding.value == kNoExpr) {
        free.push_back(k);
        continue;
      }
      const std::optional<std::int64_t> number =
          c_.formulas(Level::Fixed)
              .whole(binding.value, fmt::format("the number of a {}", what), 0, limit - 1);
      names.numbers[k] = static_cast<std::uint32_t>(number.value_or(0));
      if (number) taken |= 1u << *number;
    }
    for (const std::size_t k : free) {
      const auto next = static_cast<std::uint32_t>(std::countr_one(taken));
      const Named& name = bindings[k].name;
      if (next >= limit)
        return c_.reporter.report(Problem::TooMany, name.where, name.text, what, limit);
      taken |= 1u << next;
      names.numbers[k] = next;
    }
  }

  // Those that instructions name by number.
  std::uint32_t mentioned_microthreads() const {
    std::uint32_t set = 0;
    for (const BodySyntax& body : c_.syntax.body) {
      if (body.microthread == kNoExpr) continue;
      const Expr& expr = c_.unit[body.microthread];
      if (expr.kind != ExprKind::Number) continue;
      const isa::Number& number = c_.unit.number(expr);
      const bool fits = number.integer >= 0 && number.integer < isa::kMicrothreads;
      if (fits && !number.is_float) set |= 1u << number.integer;
    }
    return set;
  }

  ProgramContext& c_;
};

}  // namespace

void declare(ProgramContext& context) { Declarer(context).run(); }

}  // namespace wse::assembler
