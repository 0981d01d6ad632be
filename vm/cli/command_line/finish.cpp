// Turns the texts that options were given into what the commands take.
#include <CLI/CLI.hpp>

#include "vm/cli/command_line/options.h"
#include "vm/cli/command_line/value_shapes.h"

namespace wse::cli {

isa::Status finish(Values& v) {
  const auto pairs = [](const std::vector<std::string>& texts, std::string_view shape, auto& to) {
    auto parsed = parse_pairs(texts, shape);
    if (!parsed) return isa::Status(isa::fail(parsed.error()));
    to = std::move(*parsed);
    return isa::Status();
  };
  isa::Status status = pairs(v.key_values, "key=value", v.run.source.values);
  v.assemble.source.values = v.check.source.values = v.gen.source.values = v.run.source.values;
  if (status) status = pairs(v.in, "NAME=FILE.npy", v.run.in);
  if (status) status = pairs(v.out, "NAME=FILE.npy", v.run.out);
  if (status) status = pairs(v.pictures, "NAME=FILE.png", v.run.pictures);
  if (status) status = parse_warnings(v.warnings, v.run.source.warnings);
  v.assemble.source.warnings = v.check.source.warnings = v.gen.source.warnings =
      v.run.source.warnings;
  for (const std::string& text : v.dumps) {
    isa::Result<Dump> dump = parse_dump(text);
    if (!dump) return isa::fail(dump.error());
    v.run.dumps.push_back(std::move(*dump));
  }
  for (const CLI::Option* option : v.of_programs) {
    if (option->count() > 0) v.run.of_programs.push_back(option->get_name());
  }
  v.run.source.max_memory = v.assemble.source.max_memory = v.check.source.max_memory =
      v.gen.source.max_memory = v.max_memory;
  if (status && v.rect) status = parse_rect("--trace-rect", *v.rect, v.run.trace_filter);
  if (status && v.cycles) status = parse_cycles("--trace-cycles", *v.cycles, v.run.trace_filter);
  if (status && v.why_pe && v.why_rect) {
    status = isa::fail("either --pe or --rect, not both");
  }
  if (status && v.why_pe) status = parse_pe("--pe", *v.why_pe, v.why.of.emplace());
  if (status && v.why_rect) status = parse_rect("--rect", *v.why_rect, v.why.of.emplace());
  if (status && v.events_rect) {
    status = parse_rect("--rect", *v.events_rect, v.events.of.emplace());
  }
  if (status && v.events_cycles) {
    status = parse_cycles("--cycles", *v.events_cycles, v.events.cycles);
  }
  for (ReplayCommand* const replay : {&v.why, &v.events}) {
    replay->run.source = v.run.source;
    replay->run.in = v.run.in;
    replay->run.rights = v.run.rights;
    replay->run.profiled_run = v.run.profiled_run;
    replay->run.of_programs = v.run.of_programs;
  }
  if (status && v.path) status = parse_path(*v.path, v.check.path);
  if (status && v.jitter) status = parse_jitter(*v.jitter, v.run.jitter);
  return status;
}

}  // namespace wse::cli
