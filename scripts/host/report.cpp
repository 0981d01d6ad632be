// Reads what the Lua half has checked, a second time where a mistake would do harm.
#include "scripts/host/report.h"

#include <fmt/format.h>

#include "scripts/host/files.h"
#include "scripts/host/records.h"
#include "scripts/host/session.h"
#include "scripts/host/table_reader.h"
#include "scripts/host/team_machine.h"

namespace wse::script {
namespace {

// Instructions of Lua in the time that a PE of a run takes on its way into a page.
constexpr std::uint64_t kInstructionsPerPe = 50;
constexpr lua_Integer kMostRuns = 16;

using Runs = std::vector<ReportedRun>;

// Reads names and records, arguments 3 and 4.
std::expected<Runs, BindingError> runs_of(lua_State* L) {
  const auto count = lua_type(L, 3) == LUA_TTABLE ? static_cast<lua_Integer>(lua_rawlen(L, 3)) : 0;
  if (count < 1 || count > kMostRuns || lua_type(L, 4) != LUA_TTABLE) {
    return problem(fmt::format("wse.report: 1 to {} runs are wanted", kMostRuns));
  }
  Runs runs;
  std::uint64_t pes = 0;
  for (lua_Integer k = 1; k <= count; ++k) {
    lua_rawgeti(L, 3, k);
    lua_rawgeti(L, 4, k);
    const std::optional<std::string> name = text_at(L, -2);
    vm::Machine* const machine = machine_of(L, -1);
    lua_pop(L, 2);
    if (!name || machine == nullptr) return problem("wse.report: a run is no record of wse.run");
    pes += machine->image().topology().pes();
    runs.push_back({*name, *machine});
  }
  if (!limits_of(L).charge(pes * kInstructionsPerPe)) return problem(limits_of(L).text());
  return runs;
}

// Returns one of the runs, argument 4, that ranks had together; null: there is none.
TeamMachine* first_shared(lua_State* L) {
  TeamMachine* shared = nullptr;
  const auto count = static_cast<lua_Integer>(lua_rawlen(L, 4));
  for (lua_Integer k = 1; k <= count && shared == nullptr; ++k) {
    lua_rawgeti(L, 4, k);
    shared = shared_of(L, -1);
    lua_pop(L, 1);
  }
  return shared;
}

isa::Status read_terms(lua_State* L, std::map<std::string, double>& terms) {
  if (lua_type(L, -1) != LUA_TTABLE) return isa::fail("a table of numbers is wanted");
  return for_each_field(L, -1, [&](const std::string& term) -> isa::Status {
    if (lua_type(L, -1) != LUA_TNUMBER) {
      return isa::fail(fmt::format("{} is {}; a number is wanted", term, shown_value(L, -1)));
    }
    terms[term] = lua_tonumber(L, -1);
    return {};
  });
}

// Reads the model, argument 5, which may be missing.
isa::Result<ReportModel> model_of(lua_State* L) {
  ReportModel model;
  if (lua_type(L, 5) != LUA_TTABLE) return model;
  const isa::Status read =
      for_each_field(L, 5, [&](const std::string& run) { return read_terms(L, model[run]); });
  if (!read) return isa::fail(read.error());
  return model;
}

}  // namespace

Returned write_report(lua_State* L) {
  const std::optional<std::string> file = text_at(L, 1);
  const std::optional<std::string> title = text_at(L, 2);
  if (!file || !title) return problem("wse.report: a file and a title are wanted");
  const auto runs = runs_of(L);
  if (!runs) return std::unexpected(runs.error());
  const auto model = model_of(L);
  if (!model) return problem("wse.report: model: " + model.error());
  std::string page;
  const auto make = [&]() -> std::expected<bool, BindingError> {
    auto made = session_of(L).options.format_report(*runs, *title, *model);
    if (!made) return problem("wse.report: " + made.error());
    page = std::move(*made);
    return true;
  };
  TeamMachine* const shared = first_shared(L);
  const auto made = shared == nullptr ? make() : shared->tell<bool>("wse.report", make);
  if (!made) return std::unexpected(made.error());
  return write_file(L, *file, std::as_bytes(std::span(page)));
}

}  // namespace wse::script
