// The checks that make an image safe to load: every index, range and code word is possible.
//
// Facts that depend on a profile (memory size) or on evaluated formulas are checked where a machine
// is built. Says what is wrong first; never repairs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "isa/image/launched_task.h"
#include "isa/instruction/codec.h"
#include "isa/machine/control_word.h"

namespace wse::isa {
namespace {

bool is_name(const std::string& text) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
  };
  return !text.empty() && (text[0] < '0' || text[0] > '9') && std::ranges::all_of(text, letter);
}

// Collects the first complaint; every check after it is a no-op.
class Verifier {
 public:
  explicit Verifier(const Image& image) : image_(image) {}

  Status run() {
    if (const std::optional<LimitBreach> breach = limit_breach(image_)) {
      return fail(fmt::format("the image is malformed: {}", breach->text));
    }
    require(image_.width >= 1 && image_.height >= 1, "the grid is empty");
    if (check_hypercube(); !status_) return status_;
    for (const std::string& name : image_.colours) require(name.empty() || is_name(name), "a name");
    for (const GlobalParameter& global : image_.parameters) {
      require(is_name(global.name) && global.type != Type::Colour &&
                  global.value.is_float == is_float(global.type),
              "a parameter");
    }
    for (const std::string& mark : image_.marks) require(is_name(mark), "the name of a mark");
    for (const Program& program : image_.programs) check_program(program);
    for (const Placement& placement : image_.placements) check_placement(placement);
    for (const Route& route : image_.routes) check_route(route);
    for (const Filter& filter : image_.filters) check_filter(filter);
    for (const Stream& stream : image_.streams) check_stream(stream);
    for (const Expectation& expectation : image_.expectations) check_expectation(expectation);
    return status_;
  }

 private:
  void require(bool holds, std::string_view what) {
    if (status_ && !holds) status_ = fail(fmt::format("the image is malformed: {}", what));
  }
  void require_formula(const Formula& formula, std::size_t parameters) {
    if (!status_) return;
    const Status checked = check(formula, parameters, image_.parameters.size());
    if (!checked) require(false, checked.error());
  }
  void require_where(const SourceLine& where) {
    require(where.line == 0 || where.file < image_.sources.size(), "the number of a source file");
  }
  void require_slot_value(const SlotValue& value, const Program& program) {
    require(!value.is_slot || value.value < program.slot_count(), "the number of a slot");
  }

  void check_hypercube() {
    const std::uint32_t dimensions = image_.hypercube_dimensions;
    if (dimensions == 0) return;
    require(dimensions <= kMaxHypercubeDimensions, "the dimensions of the hypercube");
    if (!status_) return;
    require(image_.width == image_.topology().width() && image_.height == 1,
            "the grid of a hypercube");
  }

  void check_program(const Program& program) {
    require(is_name(program.name), "the name of a program");
    require(program.has_printable_role(), "the role of a program");
    for (const Parameter& parameter : program.parameters) {
      require(is_name(parameter.name), "the name of a parameter");
    }
    for (const DerivedSlot& slot : program.derived) {
      require_formula(slot.formula, program.parameters.size());
    }
    check_symbols(program);
    check_fifos(program);
    if (program.seed) require_formula(program.seed->value, program.parameters.size());
    if (program.seed) require_where(program.seed->where);
    for (const DescriptorLiteral& d : program.descriptors) check_descriptor(d, program);
    check_named_parts(program);
    check_code(program);
    for (const PrintText& text : program.prints) {
      for (const PrintPiece& piece : text) check_print_piece(piece, program);
    }
    for (std::size_t k = 0; k < program.lines.size(); ++k) {
      require_where(program.lines[k].where);
      require(k == 0 || program.lines[k - 1].pc < program.lines[k].pc,
              "the order of the line table");
    }
  }

  void check_descriptor(const DescriptorLiteral& literal, const Program& program) {
    require(literal.kind != DescriptorKind::None, "a descriptor of no kind");
    for (const SlotValue& value : {literal.address, literal.length, literal.colour, literal.index,
                                   literal.ring, literal.start, literal.task}) {
      require_slot_value(value, program);
    }
    require(may_have(literal.kind, literal.options), "the options of a descriptor");
    require(literal.options.indexed || literal.index == SlotValue{}, "the index of a descriptor");
    const bool is_fifo = literal.kind == DescriptorKind::Fifo;
    require(!is_fifo || literal.fifo < program.fifos.size(), "the FIFO of a descriptor");
    require(!is_fifo || literal.length == SlotValue{false, kNoLength}, "the length of a FIFO");
    const auto is_stride = [](std::int32_t stride) {
      return stride >= -kMaxStride && stride <= kMaxStride;
    };
    require(is_stride(literal.stride), "the stride of a descriptor");
    require(!literal.saves || is_memory(literal.kind), "a descriptor that saves no position");
    const bool no_length = literal.length == SlotValue{false, kNoLength};
    require(no_length ? !is_memory(literal.kind) : !literal.options.endless,
            "the length of a descriptor");
    const std::uint32_t dimensions = literal.kind == DescriptorKind::Memory ? kMaxDimensions : 1;
    require(literal.further < dimensions, "the dimensions of a descriptor");
    for (const DescriptorLiteral::Inner& inner : literal.inner) {
      require_slot_value(inner.extent, program);
      require(is_stride(inner.stride), "the stride of a descriptor");
    }
  }

  void check_symbols(const Program& program) {
    std::uint64_t end = 0;
    bool views = false;
    for (const Symbol& symbol : program.symbols) {
      const std::uint32_t bytes = info(symbol.type).bytes;
      require(is_name(symbol.name) && symbol.type != Type::Colour, "a symbol");
      views |= symbol.is_view;
      require(symbol.address % bytes == 0 && (views || symbol.address >= end),
              "the address of a symbol");
      require(symbol.is_array || symbol.count == 1, "the size of a scalar symbol");
      check_shape(symbol);
      if (views) {
        require(symbol.is_view && !symbol.has_initial() && symbol.count > 0 &&
                    symbol.address + symbol.bytes() <= end,
                "a view");
      } else {
        end = symbol.address + symbol.bytes();
      }
      require(end <= ~0u, "the size of a symbol");
      if (symbol.initial) require_formula(*symbol.initial, program.parameters.size());
      check_list(program, symbol);
      require_where(symbol.where);
    }
  }

  // A list has one spelling, and text can say it.
  void check_list(const Program& program, const Symbol& symbol) {
    if (symbol.values.empty() && symbol.formulas.empty()) return;
    const std::size_t size = symbol.values.size();
    require(symbol.is_array && !symbol.initial && size >= 2 && size <= symbol.count,
            "the list of values of a symbol");
    for (const std::uint32_t bits : symbol.values) {
      require(std::isfinite(from_bits(bits, symbol.type).as_double()), "a listed value");
    }
    std::uint64_t next = 0;
    for (const ListedFormula& listed : symbol.formulas) {
      require(listed.element >= next && listed.element < size, "the element of a listed formula");
      if (!status_) return;
      require(symbol.values[listed.element] == 0, "the value of a listed formula");
      require(!listed.formula.is_constant(), "a listed formula that is constant");
      require_formula(listed.formula, program.parameters.size());
      next = std::uint64_t{listed.element} + 1;
    }
  }

  void check_fifos(const Program& program) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> taken;
    for (const Fifo& fifo : program.fifos) {
      require(is_name(fifo.name), "the name of a FIFO");
      require(fifo.symbol < program.symbols.size(), "the array of a FIFO");
      if (!status_) return;
      const Symbol& array = program.symbols[fifo.symbol];
      const std::uint64_t end = std::uint64_t{fifo.first} + fifo.count;
      const bool whole = fifo.first == 0 && end == array.count;
      require(array.is_array && !array.is_view && fifo.count > 0 && end <= array.count &&
                  (whole || array.dimensions() == 1),
              "the array of a FIFO");
      const std::uint64_t bytes = info(array.type).bytes;
      taken.emplace_back(array.address + bytes * fifo.first, array.address + bytes * end);
      for (const auto& id : {fifo.on_leaving_full, fifo.on_leaving_empty}) {
        require(!id || *id < kLocalIds, "the task of a FIFO");
      }
    }
    std::ranges::sort(taken);
    for (std::size_t k = 1; k < taken.size(); ++k) {
      require(taken[k - 1].second <= taken[k].first, "an array of two FIFOs");
    }
  }

  // Absent for one dimension, so that an array has one spelling.
  void check_shape(const Symbol& symbol) {
    if (symbol.shape.empty()) return;
    std::uint64_t count = 1;
    for (const std::uint32_t extent : symbol.shape) {
      count *= extent;
      require(count <= ~0u, "the shape of a symbol");
      if (!status_) return;
    }
    require(symbol.is_array && symbol.shape.size() > 1 && symbol.shape.size() <= kMaxDimensions &&
                count == symbol.count,
            "the shape of a symbol");
  }

  void check_named_parts(const Program& program) {
    for (const NamedRouting& named : program.routings) {
      require(is_name(named.name), "the name of a routing");
      check_routing(named.routing);
    }
    for (const NamedFilter& named : program.filters) {
      require(is_name(named.name), "the name of a filter");
      check_shape(named.shape, named.values.size());
      for (const SlotValue& value : named.values) {
        require_slot_value(value, program);
        require(value.is_slot || value.value <= kMaxFilterValue, "a value of a filter");
      }
    }
  }

  void check_print_piece(const PrintPiece& piece, const Program& program) {
    const std::uint32_t bytes = info(piece.type).bytes;
    const bool memory_fits = std::uint64_t{piece.value} + bytes <= program.data_bytes();
    switch (piece.kind) {
      case PrintPiece::Kind::None: return;
      case PrintPiece::Kind::Register: return require(piece.value < kRegisters, "a print text");
      case PrintPiece::Kind::Slot:
        return require(piece.value < program.slot_count(), "a print text");
      case PrintPiece::Kind::Memory:
        return require(memory_fits && piece.value % bytes == 0, "a print text");
    }
  }

  void check_code(const Program& program) {
    const std::span<const std::uint32_t> code = program.code;
    std::vector<bool> begins(code.size() + 1, false);
    std::vector<std::uint32_t> targets;
    for (std::size_t pc = 0; pc < code.size() && status_;) {
      const std::optional<Instruction> instruction = decode(code.subspan(pc));
      require(instruction.has_value(), fmt::format("code word {} of {}", pc, program.name));
      if (!instruction) return;
      begins[pc] = true;
      const Format format = info(instruction->op).format;
      check_operands(*instruction, format, program);
      if (info(format).operands.find('L') != std::string_view::npos) {
        targets.push_back(instruction->target);
      }
      pc += info(instruction->op).words();
    }
    for (const Task& task : program.tasks) {
      check_task(task, program);
      targets.push_back(task.entry);
    }
    for (const std::uint32_t target : targets) {
      require(target < begins.size() && begins[target], "the target of a branch or task");
    }
    check_end(program, begins);
  }

  void check_task(const Task& task, const Program& program) {
    constexpr std::uint32_t kMost[] = {1, kLocalIds, kMaxColours, kTaskIds, kMaxColours};
    constexpr std::size_t kArguments[] = {0, 0, kMaxTaskArguments, 1, 0};
    const auto kind = static_cast<std::size_t>(task.kind);
    const bool takes_slot = task.kind == TaskKind::Data || task.kind == TaskKind::Teardown;
    const bool is_main = task.kind == TaskKind::Main;
    require(is_name(task.name) && is_main == (task.name == "main"), "the name of a task");
    require_slot_value(task.id, program);
    require(task.id.is_slot ? takes_slot : task.id.value < kMost[kind], "the id of a task");
    const bool reserved = task.id.value == kTeardownId || task.id.value == kNoEntry;
    require(task.id.is_slot || !reserved, "the id of a task");
    require(may_be_launched(task), "an exported task");
    const bool fits = task.exported || task.arguments.size() <= kArguments[kind];
    const auto is_register = [](std::uint32_t number) { return number < kRegisters; };
    require(fits && std::ranges::all_of(task.arguments, is_register), "the arguments of a task");
  }

  // Control must not run past the last word.
  void check_end(const Program& program, const std::vector<bool>& begins) {
    if (program.code.empty() || !status_) return;
    std::size_t last = program.code.size() - 1;
    while (!begins[last]) --last;
    const Op op = decode(std::span(program.code).subspan(last))->op;
    const bool stops = op == Op::Halt || op == Op::EndTask || op == Op::Jump || op == Op::Return;
    require(stops, "code that runs past its end");
  }

  void check_operands(const Instruction& i, Format format, const Program& program) {
    for (const char letter : info(format).operands) {
      switch (letter) {
        case 'X': require(i.target < program.descriptors.size(), "a descriptor literal"); break;
        case 'M': require(i.target < image_.marks.size(), "a mark"); break;
        case 'P': require(i.target < program.prints.size(), "a print text"); break;
        case 'R': require(i.target < program.routings.size(), "a routing"); break;
        case 'W': require(i.target < program.filters.size(), "a filter"); break;
        case 'C':
          require(i.colour < (i.colour_kind != 0 ? program.slot_count() : kMaxColours), "a colour");
          break;
        default: break;
      }
    }
    if (i.scalar_operand() == ScalarKind::Literal) {
      require(i.scalar < program.literals.size(), "a literal");
    }
    if (i.scalar_operand() == ScalarKind::Slot) {
      require(i.scalar < program.slot_count(), "a slot");
    }
    if (i.completes_slot != 0) require(i.completes < program.slot_count(), "a slot");
  }

  void require_rect(const StridedRect& rect) {
    for (const StridedRange& range : {rect.x, rect.y}) require(range.step >= 1, "a step below 1");
    if (!status_ || rect.empty()) return;
    require(rect.x.first >= 0 && rect.x.end() < image_.width && rect.y.first >= 0 &&
                rect.y.end() < image_.height,
            "a range outside the grid");
  }

  void check_placement(const Placement& placement) {
    require(placement.program < image_.programs.size(), "the program of a placement");
    if (!status_) return;
    require_rect(placement.rect);
    require(placement.arguments.size() == image_.programs[placement.program].parameters.size(),
            "the arguments of a placement");
    for (const Formula& argument : placement.arguments) require_formula(argument, 0);
    require_where(placement.where);
  }

  void check_routing(const Routing& routing) {
    require(!routing.positions.empty(), "a route without positions");
    for (const SwitchPosition& position : routing.positions) {
      const std::uint32_t used = position.tx | bit(position.rx);
      require(position.tx != 0 && (used & ~image_.topology().ports()) == 0, "the ports of a route");
    }
  }

  void check_route(const Route& route) {
    require(route.colour < kMaxColours, "the colour of a route");
    require_rect(route.rect);
    check_routing(route.routing);
    require(route.start < route.routing.positions.size(), "the start position of a route");
    require_where(route.where);
  }

  void check_shape(const FilterShape& shape, std::size_t values) {
    const bool counts = shape.kind == FilterKind::Counter || shape.kind == FilterKind::Sparse;
    require(counts || shape == FilterShape{shape.kind}, "the options of a filter");
    require(values == info(shape.kind).values, "the values of a filter");
  }

  void check_filter(const Filter& filter) {
    require(filter.colour < kMaxColours, "the colour of a filter");
    require_rect(filter.rect);
    check_shape(filter.shape, filter.values.size());
    for (const Formula& value : filter.values) require_formula(value, 0);
    require_where(filter.where);
  }

  void check_stream(const Stream& stream) {
    require(image_.hypercube_dimensions == 0, "a stream of a hypercube");
    require(is_name(stream.name), "the name of a stream");
    require(stream.type != Type::Colour && (stream.is_array || stream.count == 1), "a stream");
    require(stream.colour < kMaxColours, "the colour of a stream");
    require_rect(stream.rect);
    require_where(stream.where);
    if (!status_ || stream.rect.empty()) return;
    const StridedRect& r = stream.rect;
    const auto whole = [](const StridedRange& range, std::int64_t at) {
      return range.first == at && range.end() == at;
    };
    switch (stream.side) {
      case Port::West: return require(whole(r.x, 0), "a stream inside the grid");
      case Port::East: return require(whole(r.x, image_.width - 1), "a stream inside the grid");
      case Port::North: return require(whole(r.y, 0), "a stream inside the grid");
      case Port::South: return require(whole(r.y, image_.height - 1), "a stream inside the grid");
      default: return require(false, "the side of a stream");
    }
  }

  void check_expectation(const Expectation& expectation) {
    require_rect(expectation.rect);
    require_formula(expectation.value, 0);
    require(expectation.within >= 0 && std::isfinite(expectation.within), "a tolerance");
    require_where(expectation.where);
  }

  const Image& image_;
  Status status_;
};

}  // namespace

Status verify(const Image& image) { return Verifier(image).run(); }

}  // namespace wse::isa
