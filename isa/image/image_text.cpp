// Writes an image as text that assembles to the same image, line tables included.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

#include "isa/image/disassembler.h"
#include "isa/instruction/each_instruction.h"

namespace wse::isa {
namespace {

std::string range_text(const StridedRange& range) {
  if (range.first == range.last && range.step == 1) return fmt::format("{}", range.first);
  const std::string step = range.step == 1 ? "" : fmt::format(" step {}", range.step);
  return fmt::format("{}..{}{}", range.first, range.last, step);
}

std::string rect_text(const StridedRect& rect) {
  return fmt::format("({}, {})", range_text(rect.x), range_text(rect.y));
}

}  // namespace

std::string position_text(const SwitchPosition& position) {
  std::string targets;
  for (std::uint32_t port = 0; port < kPorts; ++port) {
    if ((position.tx & (1u << port)) == 0) continue;
    targets += targets.empty() ? " " : ", ";
    targets += kPortTexts[port];
  }
  return fmt::format("{} ->{}", text(position.rx), targets);
}

namespace {

// The positions of a route, in brackets unless there is only one and nothing else to say.
std::string routing_text(const Routing& routing, bool plain) {
  std::string out;
  for (const SwitchPosition& position : routing.positions) {
    const std::string text = position_text(position);
    out += plain ? " " + text : " [" + text + "]";
  }
  if (routing.ring) out += " ring";
  if (routing.pop != PopMode::Never) {
    out += fmt::format(" pop={}", kPopModeTexts[static_cast<int>(routing.pop)]);
  }
  return out;
}

class ImagePrinter {
 public:
  explicit ImagePrinter(const Image& image) : image_(image) {
    for (const GlobalParameter& parameter : image.parameters) globals_.push_back(parameter.name);
  }

  std::string text() {
    if (image_.hypercube_dimensions > 0) {
      line(".hypercube {}", image_.hypercube_dimensions);
    } else {
      line(".grid {}, {}", image_.width, image_.height);
    }
    for (std::size_t k = 0; k < image_.colours.size(); ++k) {
      if (!image_.colours[k].empty()) line(".colour {} = {}", image_.colours[k], k);
    }
    for (const GlobalParameter& p : image_.parameters) {
      line(".param {}: {} = {}", p.name, info(p.type).text, to_text(p.value));
    }
    for (const Program& program : image_.programs) print_program(program);
    for (const Placement& placement : image_.placements) print_placement(placement);
    for (const Route& route : image_.routes) print_route(route);
    for (const Filter& filter : image_.filters) print_filter(filter);
    for (const Stream& stream : image_.streams) print_stream(stream);
    for (const Expectation& expectation : image_.expectations) print_expectation(expectation);
    return std::move(out_);
  }

 private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
    out_ += '\n';
  }

  // A .line directive if what follows comes from another line than what went before.
  void place(const SourceLine& where) {
    if (where == last_ || where.line == 0) return;
    const bool same_file = named_ && where.file == last_.file;
    if (same_file) {
      line(".line {}", where.line);
    } else {
      line(".line {} \"{}\"", where.line, escaped_text(image_.sources[where.file]));
    }
    named_ = true;
    last_ = where;
  }

  void print_program(const Program& program) {
    std::string parameters;
    std::vector<std::string> names;
    for (const Parameter& p : program.parameters) {
      parameters += fmt::format("{}{}: {}", names.empty() ? "" : ", ", p.name, info(p.type).text);
      names.push_back(p.name);
    }
    line("\n.program {}{}{}", program.name, names.empty() ? "" : fmt::format("({})", parameters),
         program.role.empty() ? "" : fmt::format(" \"{}\"", escaped_text(program.role)));
    std::uint64_t end = 0;
    for (const Symbol& symbol : program.symbols) {
      place(symbol.where);
      if (symbol.is_view) {
        line("  .{} {}{}{} = {}", info(symbol.type).text, symbol.name, shape_text(symbol),
             symbol.exported ? " exported" : "", view_text(program, symbol));
        continue;
      }
      const bool gap = symbol.address >= end + info(symbol.type).bytes;
      end = symbol.address + symbol.bytes();
      line("  .{} {}{}{}{}{}", info(symbol.type).text, symbol.name, shape_text(symbol),
           symbol.exported ? " exported" : "",
           gap ? fmt::format(" address={}", symbol.address) : "", initial_text(symbol, names));
    }
    for (const Fifo& fifo : program.fifos) line("  .fifo {}", fifo_text(program, fifo));
    for (const NamedRouting& named : program.routings) {
      line("  .routing {} ={}", named.name, routing_text(named.routing, false));
    }
    for (const NamedFilter& named : program.filters) {
      line("  .filtering {} = {}", named.name, named_filter_text(image_, program, named));
    }
    if (program.passive) line("  .passive");
    if (program.seed) {
      place(program.seed->where);
      line("  .seed {}", to_text(program.seed->value, names, globals_));
    }
    print_code(program);
  }

  static std::string value_text(std::uint32_t bits, Type type) {
    if (type == Type::F32) return float_text(std::bit_cast<float>(bits));
    if (type == Type::F16) return to_text(Number::of(shortest_half(bits)));
    return to_text(from_bits(bits, type));
  }

  std::string initial_text(const Symbol& symbol, std::span<const std::string> names) const {
    if (symbol.initial) return " = " + to_text(*symbol.initial, names, globals_);
    if (symbol.values.empty()) return "";
    constexpr std::size_t kWidth = 100;  // a comma at the end of a line continues the list
    std::string out = " =";
    std::size_t line_begin = 0;
    auto listed = symbol.formulas.begin();
    for (std::size_t k = 0; k < symbol.values.size(); ++k) {
      const bool is_formula = listed != symbol.formulas.end() && listed->element == k;
      const std::string value = is_formula ? to_text((listed++)->formula, names, globals_)
                                           : value_text(symbol.values[k], symbol.type);
      if (out.size() + value.size() - line_begin > kWidth) {
        out += "\n   ";
        line_begin = out.size();
      }
      out += fmt::format(" {}{}", value, k + 1 < symbol.values.size() ? "," : "");
    }
    return out;
  }

  void print_code(const Program& program) {
    const std::set<std::uint32_t> labels = branch_targets(program);
    for_each_instruction(program.code, [&](const Instruction& instruction, std::uint32_t pc) {
      for (const Task& task : program.tasks) {
        if (task.entry == pc) line("  {}", task_header_text(image_, program, task));
      }
      if (labels.contains(pc)) line("  {}:", label_text(pc));
      place(program.line_of(pc));
      line("    {}", instruction_text(image_, program, instruction));
    });
  }

  // And the first word if no task begins there, so that what is above the tasks has a name.
  static std::set<std::uint32_t> branch_targets(const Program& program) {
    std::set<std::uint32_t> targets;
    if (std::ranges::find(program.tasks, 0u, &Task::entry) == program.tasks.end()) {
      targets.insert(0);
    }
    for_each_instruction(program.code, [&targets](const Instruction& i, std::uint32_t) {
      const FormatInfo& format = info(info(i.op).format);
      if (format.operands.find('L') != std::string_view::npos) targets.insert(i.target);
    });
    return targets;
  }

  void print_placement(const Placement& placement) {
    const Program& program = image_.programs[placement.program];
    std::string arguments;
    for (std::size_t k = 0; k < placement.arguments.size(); ++k) {
      arguments += fmt::format("{} {} = {}", k == 0 ? " with" : ",", program.parameters[k].name,
                               to_text(placement.arguments[k], {}, globals_));
    }
    place(placement.where);
    line(".place {} at {}{}", program.name, rect_text(placement.rect), arguments);
  }

  void print_route(const Route& route) {
    const Routing& routing = route.routing;
    const bool plain = routing.positions.size() == 1 && !routing.ring &&
                       routing.pop == PopMode::Never && !route.torn_down;
    std::string at_start = route.torn_down ? " torn_down" : "";
    if (route.start > 0) at_start += fmt::format(" start={}", route.start);
    place(route.where);
    line(".route {} at {}:{}{}", image_.colour_name(route.colour), rect_text(route.rect),
         routing_text(routing, plain), at_start);
  }

  void print_filter(const Filter& filter) {
    std::vector<std::string> values;
    for (const Formula& value : filter.values) values.push_back(to_text(value, {}, globals_));
    place(filter.where);
    line(".filter {} at {}: {}", image_.colour_name(filter.colour), rect_text(filter.rect),
         filter_text(filter.shape, values));
  }

  void print_stream(const Stream& stream) {
    const std::string colour = image_.colour_name(stream.colour);
    place(stream.where);
    line(".stream {}: {}{} at {}: {} -> {}", stream.name, info(stream.type).text,
         stream.is_array ? fmt::format("[{}]", stream.count) : "", rect_text(stream.rect),
         stream.enters ? text_of(stream.side) : colour,
         stream.enters ? colour : text_of(stream.side));
  }
  static std::string text_of(Port port) { return std::string(isa::text(port)); }

  bool is_array(const std::string& name) const {
    return std::ranges::any_of(image_.programs, [&name](const Program& program) {
      const Symbol* symbol = program.find_symbol(name);
      return symbol != nullptr && symbol->is_array;
    });
  }

  void print_expectation(const Expectation& e) {
    std::string subject = "cycles";
    if (e.subject == Expectation::Subject::Symbol) {
      subject = e.symbol;
      if (is_array(e.symbol)) {
        subject += e.count == 1 ? fmt::format("[{}]", e.first)
                                : fmt::format("[{}:{}]", e.first, e.first + e.count);
      }
      subject += " at " + rect_text(e.rect);
    }
    place(e.where);
    line(".expect {} == {}{}{}", subject, to_text(e.value, {}, globals_),
         e.within > 0 ? " within " + to_text(Number::of(e.within)) : "",
         e.profile.empty() ? "" : " on " + e.profile);
  }

  const Image& image_;
  std::vector<std::string> globals_;
  std::string out_;
  SourceLine last_;
  bool named_ = false;
};

}  // namespace

std::string disassemble(const Image& image) { return ImagePrinter(image).text(); }

}  // namespace wse::isa
