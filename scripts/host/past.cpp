// Runs again what a record tells of, and pushes what that says.
#include "scripts/host/past.h"

#include <fmt/format.h>

#include <atomic>
#include <map>
#include <utility>

#include "isa/support/visible.h"
#include "scripts/host/records.h"
#include "scripts/host/session.h"
#include "scripts/host/table_reader.h"
#include "vm/path/path_tables.h"
#include "vm/path/path_target.h"
#include "vm/path/segments.h"
#include "vm/profile/line_texts.h"
#include "vm/timeline/why.h"

namespace wse::script {
namespace {

constexpr Caller kPath = "record:path";
constexpr Caller kWhy = "record:why";
constexpr std::uint64_t kInstructionsPerStep = 100;
constexpr std::uint64_t kInstructionsPerPe = 64;  // of a machine that is copied

void put(lua_State* L, const char* name, std::string_view value) {
  lua_pushlstring(L, value.data(), value.size());
  lua_setfield(L, -2, name);
}
void put(lua_State* L, const char* name, std::uint64_t value) {
  lua_pushinteger(L, static_cast<lua_Integer>(value));
  lua_setfield(L, -2, name);
}

void put_pe(lua_State* L, const char* name, const isa::Topology& mesh, vm::PeId pe) {
  lua_createtable(L, 2, 0);
  lua_pushinteger(L, mesh.x_of(pe));
  lua_rawseti(L, -2, 1);
  lua_pushinteger(L, mesh.y_of(pe));
  lua_rawseti(L, -2, 2);
  lua_setfield(L, -2, name);
}

// A number under a name.
using Row = std::pair<std::string, vm::Cycle>;

void put_rows(lua_State* L, const char* name, const std::vector<Row>& rows) {
  lua_createtable(L, 0, static_cast<int>(rows.size()));
  for (const Row& row : rows) put(L, row.first.c_str(), row.second);
  lua_setfield(L, -2, name);
}

// All texts of a path, made before Lua gets any: Lua may jump out of what pushes them.
class PathTexts {
 public:
  PathTexts(const isa::Image& image, const vm::CriticalPath& path, const isa::SourceFiles& sources)
      : image_(image), mesh_(image.topology()), path_(path), tables_(vm::path_tables(path)) {
    const vm::LineTexts texts(sources);
    for (const auto& [line, cycles] : tables_.lines) {
      const std::string file = line.file < image.sources.size() ? image.sources[line.file] : "";
      lines_[{line.file, line.line}] = {vm::place_text(image, line),
                                        isa::visible_line(texts.line_of("", file, line.line))};
    }
    for (const auto& [colour, cycles] : tables_.colours) {
      colours_[colour] = isa::visible_line(image.colour_name(colour));
      by_colour_.emplace_back(colours_[colour], cycles);
    }
    for (std::size_t k = 0; k < vm::kStepKinds; ++k) {
      by_kind_.emplace_back(vm::kStepKindTexts[k], path.by_kind[k]);
      without_.emplace_back(vm::kStepKindTexts[k], path.cycles - path.by_kind[k]);
    }
    for (std::size_t k = 0; k < tables_.terms.size(); ++k) {
      terms_.emplace_back(vm::kPathTermTexts[k], tables_.terms[k]);
    }
    segments_ = vm::segments_of(path.steps, mesh_);
  }

  // May raise; makes nothing with a destructor.
  int push(lua_State* L) const {
    lua_newtable(L);
    put(L, "cycles", path_.cycles);
    put_pe(L, "pe", mesh_, path_.steps.back().pe);
    put_rows(L, "kinds", by_kind_);
    put_rows(L, "without", without_);
    put_rows(L, "terms", terms_);
    put_rows(L, "colours", by_colour_);
    if (path_.next) put(L, "next_path", *path_.next);
    push_lines(L);
    lua_setfield(L, -2, "lines");
    push_steps(L, path_.steps);
    lua_setfield(L, -2, "steps");
    lua_createtable(L, static_cast<int>(segments_.size()), 0);
    for (std::size_t k = 0; k < segments_.size(); ++k) {
      lua_createtable(L, 0, 2);
      put(L, "times", std::uint64_t{segments_[k].times});
      push_steps(L, segments_[k].steps);
      lua_setfield(L, -2, "steps");
      lua_rawseti(L, -2, static_cast<lua_Integer>(k + 1));
    }
    lua_setfield(L, -2, "segments");
    return 1;
  }

 private:
  struct LineText {
    std::string place;
    std::string text;  // empty: unknown
  };

  void push_lines(lua_State* L) const {
    lua_createtable(L, static_cast<int>(tables_.lines.size()), 0);
    lua_Integer k = 0;
    for (const auto& [line, cycles] : tables_.lines) {
      lua_createtable(L, 0, 3);
      put_line(L, line);
      put(L, "cycles", cycles);
      lua_rawseti(L, -2, ++k);
    }
  }
  void put_line(lua_State* L, const isa::SourceLine& line) const {
    const LineText& text = lines_.at({line.file, line.line});
    put(L, "line", text.place);
    if (!text.text.empty()) put(L, "text", text.text);
  }
  void push_steps(lua_State* L, const std::vector<vm::PathStep>& steps) const {
    lua_createtable(L, static_cast<int>(steps.size()), 0);
    lua_Integer k = 0;
    for (const vm::PathStep& step : steps) {
      lua_createtable(L, 0, 8);
      put(L, "kind", vm::kStepKindTexts[static_cast<std::size_t>(step.kind)]);
      put(L, "cycle", step.from);
      put(L, "cycles", step.cycles());
      put_pe(L, "from", mesh_, step.from_pe);
      put_pe(L, "to", mesh_, step.pe);
      if (const auto colour = colours_.find(step.colour); colour != colours_.end()) {
        put(L, "colour", colour->second);
      }
      if (step.where.line > 0) put_line(L, step.where);
      lua_rawseti(L, -2, ++k);
    }
  }

  const isa::Image& image_;
  isa::Topology mesh_;
  const vm::CriticalPath& path_;
  vm::PathTables tables_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, LineText> lines_;
  std::map<std::uint8_t, std::string> colours_;
  std::vector<Row> by_kind_, without_, terms_, by_colour_;
  std::vector<vm::PathSegment> segments_;
};

std::unexpected<BindingError> no_record(Caller caller) {
  return problem(fmt::format("{}: this is no record of wse.run", caller));
}

Done charge_machine(lua_State* L, const isa::Image& image) {
  const std::uint64_t pes = std::uint64_t{image.width} * image.height;
  if (limits_of(L).charge(kInstructionsPerRun + pes * kInstructionsPerPe)) return {};
  return problem(limits_of(L).text());
}

bool is_interrupted(lua_State* L) {
  const std::atomic<bool>* const flag = limits_of(L).interrupt();
  return flag != nullptr && *flag;
}

Returned push_path(lua_State* L, const vm::Machine& machine, const Past& past, vm::Cycle cycles,
                   const std::string& to) {
  const auto path = vm::critical_path(machine, cycles);
  if (!path || path->steps.empty()) {
    return problem(to.empty() ? fmt::format("{}: nothing happened that takes time", kPath)
                              : fmt::format("{}: to '{}': nothing happened there; name a PE and a "
                                            "cycle by which it did something, as in 3,0@120",
                                            kPath, to));
  }
  if (!limits_of(L).charge(path->steps.size() * kInstructionsPerStep)) {
    return problem(limits_of(L).text());
  }
  const PathTexts texts(machine.image(), *path, past.sources());
  return protect(L, 0, [&texts](lua_State* inner) { return texts.push(inner); })
             ? Returned(1)
             : problem_on_stack();
}

// Runs again with another target.
Returned path_of_second_run(lua_State* L, const vm::Machine& run, const Past& past,
                            const std::string& to, const vm::PathTarget& target) {
  auto machine = past.begin_again(L, kPath, run, vm::Timeline::Kind::Replay);
  if (!machine) return std::unexpected(machine.error());
  vm::RunOptions options = past.run_options(session_of(L));
  options.path = target;
  const vm::Record record = (**machine).run(options);
  if (record.status == vm::RunStatus::Interrupted) {
    limits_of(L).trip(Trip::Interrupted);
    return problem(limits_of(L).text());
  }
  return push_path(L, **machine, past, record.cycles, to);
}

}  // namespace

vm::RunOptions Past::run_options(const Session& session) const {
  vm::RunOptions options;
  if (options_.max_cycles) options.max_cycles = *options_.max_cycles;
  options.tsc_skew = options_.tsc_skew;
  options.jitter = options_.jitter;
  options.interrupt = session.limits.interrupt();
  return options;
}

std::expected<HeldMachine, BindingError> Past::begin_again(lua_State* L, Caller caller,
                                                           const vm::Machine& run,
                                                           vm::Timeline::Kind kind,
                                                           const vm::Timeline::Rows& rows) const {
  const bool is_observed = kind == vm::Timeline::Kind::Replay;
  auto machine = make_machine(L, caller, run.image(), run.profile(),
                              {.one_thread = true, .on_stepper = is_observed, .rows = rows});
  if (!machine) return std::unexpected(machine.error());
  if (const isa::Status set = words_->put_into(**machine); !set) {
    return problem(fmt::format("{}: {}", caller, set.error()));
  }
  return machine;
}

isa::Attempt<std::string> Past::why(lua_State* L, const vm::Machine& run, const vm::PeRect& rect,
                                    vm::Cycle cycle) {
  asking_ = L;
  run_ = &run;
  if (!timeline_) {
    const auto make =
        [this](vm::Timeline::Kind kind,
               const vm::Timeline::Rows& rows) -> isa::Attempt<std::unique_ptr<vm::Machine>> {
      if (held_.size() > 1) held_.resize(1);  // there are two at a time: the front, and a replay
      auto made = begin_again(asking_, kWhy, *run_, kind, rows);
      if (!made) {
        const bool exhausted = made.error().ending == Ending::Exhausted;
        return std::unexpected(isa::Error(made.error().message, exhausted));
      }
      auto [machine, bytes] = made->take();
      held_.push_back(std::move(bytes));
      return std::move(machine);
    };
    timeline_ = std::make_unique<vm::Timeline>(make, run_options(session_of(L)));
  }
  isa::Attempt<std::string> text = vm::why(*timeline_, {.at = cycle, .rect = rect});
  asking_ = nullptr;
  if (held_.size() > 1) held_.resize(1);  // the replay is gone
  return text;
}

Returned record_path(lua_State* L) {
  vm::Machine* const machine = machine_of(L, 1);
  Past* const past = past_of(L, 1);
  if (machine == nullptr || past == nullptr) return no_record(kPath);
  const std::optional<WantedPath>& wanted = past->path();
  if (!wanted) {
    return problem(fmt::format(
        "{}: the run kept no causes; wse.run{{path = true}} keeps those of what ends last", kPath));
  }
  const std::optional<std::string> asked = text_at(L, 2);
  if (!asked && !lua_isnoneornil(L, 2)) {
    return problem(fmt::format("{}: to: \"X,Y\", \"X,Y@CYCLE\" or a mark is wanted, not {}", kPath,
                               shown_value(L, 2)));
  }
  const std::string to = asked.value_or(wanted->to);
  if (wanted->is_kept && to == wanted->to) {
    return push_path(L, *machine, *past, machine->record().cycles, to);
  }
  const isa::Result<vm::PathTarget> target = vm::path_target(to, machine->image());
  if (!target) return problem(fmt::format("{}: to '{}': {}", kPath, to, target.error()));
  if (const Done charged = charge_machine(L, machine->image()); !charged) {
    return std::unexpected(charged.error());
  }
  return path_of_second_run(L, *machine, *past, to, *target);
}

Returned record_why(lua_State* L) {
  vm::Machine* const machine = machine_of(L, 1);
  Past* const past = past_of(L, 1);
  if (machine == nullptr || past == nullptr) return no_record(kWhy);
  const auto x = count_at(L, 2);
  const auto y = count_at(L, 3);
  const auto cycle = count_at(L, 4);
  if (!x || !y || !cycle) {
    return problem(fmt::format(
        "{}: x and y of a PE and a cycle are wanted, as in record:why(3, 0, 120)", kWhy));
  }
  const isa::Topology mesh = machine->image().topology();
  if (*x >= mesh.width() || *y >= mesh.height()) {
    return problem(fmt::format("{}: PE({}, {}) is outside the grid, which has {} x {} PEs", kWhy,
                               *x, *y, mesh.width(), mesh.height()));
  }
  const vm::Cycle cycles = machine->record().cycles;
  if (*cycle == 0 || *cycle > cycles) {
    return problem(fmt::format("{}: {} is no cycle of the run, which took {}: ask for 1 to {}",
                               kWhy, *cycle, cycles, cycles));
  }
  if (past->words() == nullptr) {
    return problem(fmt::format(
        "{}: what the run began with is not kept; wse.run{{path = true}} keeps it", kWhy));
  }
  if (const Done charged = charge_machine(L, machine->image()); !charged) {
    return std::unexpected(charged.error());
  }
  const vm::PeRect rect{.x = static_cast<std::uint32_t>(*x),
                        .y = static_cast<std::uint32_t>(*y),
                        .width = 1,
                        .height = 1};
  const isa::Attempt<std::string> text = past->why(L, *machine, rect, *cycle);
  if (!text && is_interrupted(L)) {
    limits_of(L).trip(Trip::Interrupted);
    return problem(limits_of(L).text());
  }
  if (!text) {
    return problem(text.error().message,
                   text.error().exhausted ? Ending::Exhausted : Ending::BadInput);
  }
  return push_text(L, isa::visible(*text)) ? Returned(1) : problem_on_stack();
}

}  // namespace wse::script
