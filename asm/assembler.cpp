// The stages in order.
#include "asm/assembler.h"

#include <algorithm>

#include "asm/code/program_builder.h"
#include "asm/mesh/launch_checks.h"
#include "asm/mesh/machine_limits.h"
#include "asm/mesh/mesh_checks.h"
#include "asm/mesh/placing.h"
#include "asm/mesh/task_ids.h"
#include "asm/names/expander.h"
#include "asm/names/globals.h"
#include "asm/remedies.h"
#include "asm/syntax/parser.h"
#include "asm/text/sources.h"
#include "asm/warnings/send_checks.h"
#include "asm/warnings/switch_checks.h"
#include "asm/warnings/task_checks.h"
#include "asm/warnings/wait_checks.h"
#include "asm/warnings/word_checks.h"

namespace wse::assembler {
namespace {

// Of dense code; a guess that spares most of the copying, no limit.
constexpr std::size_t kBytesOfAnExpression = 4;

class Assembly {
 public:
  Assembly(Sources& sources, const Options& options) : sources_(sources), options_(options) {
    reporter_.set_rules({.choices = options.warnings, .is_library = [this](std::uint32_t file) {
                           return sources_.is_library(file);
                         }});
  }

  void run() {
    parse();
    if (unit_.incomplete) return;
    const auto expand = [this](const Globals& known) { Expander(unit_, known, reporter_).run(); };
    const Globals globals = resolve_globals(unit_, options_, expand, reporter_);
    if (unit_.incomplete) return;
    image_.width = globals.width;
    image_.height = globals.height;
    image_.hypercube_dimensions = globals.hypercube_dimensions;
    image_.colours = globals.colours;
    image_.parameters = globals.parameters;
    keep_constants(globals);
    for (std::size_t k = 0; k < globals.entries.size(); ++k) {
      if (globals.entries[k].empty()) continue;
      numbers_.push_back({"", globals.entries[k], fmt::format("entry {}", k)});
    }
    find_data_colours(unit_, globals, options_.profile);
    build_programs(globals);
    check_launches(image_, unit_, reporter_);
    place(globals);
    check_limits();
    number_sources();
  }

  // Returns them with the lines that a generator made theirs of.
  isa::Diagnostics diagnostics() {
    isa::Diagnostics all = reporter_.take();
    for (isa::Diagnostic& diagnostic : all) {
      const std::optional<isa::SourceLine> from = unit_.lines.find(diagnostic.where);
      if (!from) continue;
      diagnostic.from = fmt::format("{}:{}", shortened(unit_.file_names[from->file]), from->line);
    }
    return all;
  }
  // After diagnostics().
  std::vector<Remedy> remedies() { return reporter_.take_remedies(); }
  isa::Image image() { return std::move(image_); }
  std::vector<ChosenNumber> numbers() { return std::move(numbers_); }
  std::vector<ChosenNumber> constants() { return std::move(constants_); }

 private:
  void parse() {
    const std::size_t bytes = sources_[0].text.size();
    if (bytes > kMaxSourceBytes) {
      reporter_.report(Problem::SourceTooLarge, {.file = 0, .line = 1}, bytes, kMaxSourceBytes);
      unit_.incomplete = true;
      return;
    }
    unit_.exprs.reserve(bytes / kBytesOfAnExpression);
    Parser(sources_, {.file = 0, .line = 1}, unit_, reporter_).parse_source();
    for (std::uint32_t k = 1; k <= sources_.overrides(); ++k) {
      Parser(sources_, {.file = k, .line = 1}, unit_, reporter_).parse_override();
    }
  }

  void keep_constants(const Globals& globals) {
    for (std::size_t k = 0; k < globals.constants.size(); ++k) {
      const std::optional<isa::Number>& value = globals.constants[k];
      if (!value) continue;
      constants_.push_back({"", std::string(unit_.constants[k].name.text), isa::to_text(*value)});
    }
  }

  void build_programs(const Globals& globals) {
    MarkTable marks;
    for (const ProgramSyntax& syntax : unit_.programs) {
      const auto index = static_cast<std::uint32_t>(image_.programs.size());
      program_names_.define(syntax.name, NameKind::Other, index, reporter_);
      program_syntax_.push_back(&syntax);
      image_.programs.push_back(build_program(unit_, syntax, globals, options_.profile, marks,
                                              numbers_, inputs_, reporter_));
    }
    image_.marks = std::move(marks.marks);
  }

  void place(const Globals& globals) {
    Placer placer(unit_, globals, options_.profile, program_syntax_, program_names_, reporter_);
    const std::vector<PlacedProgram> placements = placer.placements();
    const std::vector<PlacedRoute> routes = placer.routes();
    const std::vector<PlacedFilter> filters = placer.filters();
    const std::vector<PlacedStream> streams = placer.streams();
    std::vector<PlacedExpectation> expectations = placer.expectations();
    if (!globals.has_grid) return;  // no range could be checked against it
    const bool whole = !reporter_.has_errors();
    MeshChecker mesh(image_, unit_, globals,
                     {.routes = is_whole(".route", routes, unit_.routes),
                      .written_routes = whole || !writes_routes(),
                      .streams = is_whole(".stream", streams, unit_.streams)},
                     reporter_);
    mesh.check_placements(placements);
    mesh.check_streams(streams);
    mesh.check_filters(filters);
    check_fabric(mesh, {placements, routes, filters, streams});
    if (!reporter_.has_errors()) check_switches(image_.programs, routes, unit_, reporter_);
    if (!reporter_.has_errors()) check_programs(placements);
    // A line that was refused may be what these miss.
    if (whole) mesh.resolve_expectations(expectations);
    if (whole) mesh.check_values(placements);
    for (const PlacedProgram& placed : placements) image_.placements.push_back(placed.item);
    for (const PlacedRoute& placed : routes) image_.routes.push_back(placed.item);
    for (const PlacedFilter& placed : filters) image_.filters.push_back(placed.item);
    for (const PlacedStream& placed : streams) image_.streams.push_back(placed.item);
    for (const PlacedExpectation& placed : expectations) {
      image_.expectations.push_back(placed.item);
    }
    check_machine(routes, placements);
  }

  struct Layout {
    const std::vector<PlacedProgram>& placements;
    const std::vector<PlacedRoute>& routes;
    const std::vector<PlacedFilter>& filters;
    const std::vector<PlacedStream>& streams;
  };

  // Routes, and what they bring to nobody or take from nobody.
  void check_fabric(MeshChecker& mesh, const Layout& layout) {
    const auto& [placements, routes, filters, streams] = layout;
    std::optional<WordChecks> words;
    std::optional<SendChecks> sends;
    if (!reporter_.has_errors()) {
      words.emplace(image_, options_.profile, program_syntax_, placements, streams, filters, mesh,
                    reporter_);
      sends.emplace(image_, program_syntax_, placements, filters, mesh, reporter_);
    }
    mesh.check_routes(routes, [&](std::uint32_t colour) {
      if (words) words->check(routes, colour);
      if (sends && !reporter_.has_errors()) sends->add_colour(routes, colour);
    });
    if (!sends || reporter_.has_errors()) return;
    sends->report(words->endless_sends());
    if (words->has_told() || sends->has_told()) return;  // those are the first to mend
    WaitChecks(image_, options_.profile, program_syntax_, placements, routes, filters, reporter_)
        .check(words->ends());
  }

  template <class Placed, class Syntax>
  bool is_whole(std::string_view directive, const std::vector<Placed>& placed,
                const std::vector<Syntax>& said) const {
    return placed.size() == said.size() && !unit_.lacks(directive);
  }

  // A program may write routes, by what is left of the text.
  bool writes_routes() const {
    const auto has_routings = [](const ProgramSyntax& program) {
      return !program.routings.empty();
    };
    return unit_.lacks(".routing") || std::ranges::any_of(unit_.programs, has_routings);
  }

  void check_programs(const std::vector<PlacedProgram>& placements) {
    check_placed(program_syntax_, placements, reporter_);
    for (std::size_t k = 0; k < image_.programs.size(); ++k) {
      check_tasks(image_.programs[k], *program_syntax_[k], reporter_);
    }
  }

  void check_machine(const std::vector<PlacedRoute>& routes,
                     const std::vector<PlacedProgram>& placements) {
    const bool whole = !reporter_.has_errors();
    MachineLimits limits(image_, options_.profile, unit_, program_syntax_, reporter_);
    limits.check(routes, inputs_);
    if (whole) limits.check_placements(placements);
  }

  // Checks limits of the format; those with a diagnostic of their own were checked before.
  void check_limits() {
    if (reporter_.has_errors()) return;
    const std::optional<isa::LimitBreach> breach = isa::limit_breach(image_);
    if (!breach) return;
    if (breach->where.line == 0) {
      return reporter_.report(Problem::BadValue, {.file = 0, .line = 1}, breach->text);
    }
    const std::string& name = unit_.file_names[breach->where.file];
    if (const auto file = sources_.named(name)) {
      const isa::SourceRange where{.file = *file, .line = breach->where.line};
      return reporter_.report(Problem::BadValue, where, breach->text);
    }
    const std::string from = fmt::format("{}:{}", shortened(name), breach->where.line);
    reporter_.report(Problem::BadValue, {}, fmt::format("{}: {}", from, breach->text));
  }

  // Files get their numbers in the order of the image, not of the text, so that disassembled text
  // gives the same.
  void number_sources() {
    std::vector<std::optional<std::uint32_t>> numbers(unit_.file_names.size());
    const auto renumber = [&](isa::SourceLine& where) {
      std::optional<std::uint32_t>& number = numbers[where.file];
      if (!number) {
        number = static_cast<std::uint32_t>(image_.sources.size());
        image_.sources.push_back(unit_.file_names[where.file]);
      }
      where.file = *number;
    };
    for (isa::Program& program : image_.programs) {
      for (isa::Symbol& symbol : program.symbols) renumber(symbol.where);
      for (isa::LineEntry& line : program.lines) renumber(line.where);
    }
    for (isa::Placement& placement : image_.placements) renumber(placement.where);
    for (isa::Route& route : image_.routes) renumber(route.where);
    for (isa::Filter& filter : image_.filters) renumber(filter.where);
    for (isa::Stream& stream : image_.streams) renumber(stream.where);
    for (isa::Expectation& expectation : image_.expectations) renumber(expectation.where);
  }

  Sources& sources_;
  const Options& options_;
  Reporter reporter_;
  Unit unit_;
  isa::Image image_;
  std::vector<ChosenNumber> numbers_;
  std::vector<ChosenNumber> constants_;
  std::vector<FabricInputs> inputs_;
  NameTable program_names_;
  std::vector<const ProgramSyntax*> program_syntax_;
};

}  // namespace

Output assemble_as_written(isa::SourceFile source, const Options& options) {
  Output output;
  Sources sources(std::move(source), options);
  Assembly assembly(sources, options);
  assembly.run();
  output.diagnostics = assembly.diagnostics();
  output.remedies = assembly.remedies();
  if (!isa::has_errors(output.diagnostics)) output.image = assembly.image();
  output.numbers = assembly.numbers();
  output.constants = assembly.constants();
  output.paths = sources.paths();
  output.files = sources.take();
  return output;
}

Output assemble(isa::SourceFile source, const Options& options) {
  Output output = assemble_as_written(std::move(source), options);
  choose_remedies(output, options);
  return output;
}

}  // namespace wse::assembler
