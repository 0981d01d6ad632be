// Reads the fields of such a table; what the numbers may be, isa::check() knows.
#include "scripts/host/own_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <span>

#include "isa/support/diagnostics.h"
#include "scripts/host/costs.h"
#include "scripts/host/files.h"
#include "scripts/host/session.h"
#include "scripts/host/table_reader.h"

namespace wse::script {
namespace {

constexpr std::string_view kBase = "base";
constexpr std::string_view kName = "name";  // is in what wse.machine gives, and changes nothing
constexpr std::string_view kIntervals = "intervals";
constexpr std::string_view kOthers[] = {kBase, kName, kIntervals};  // fields that are no parameter
constexpr std::uint64_t kMaxMachineBytes = std::uint64_t{1} << 20;  // of a file

// Units: a parameter's name may end in one, and may be called without.
constexpr std::string_view kUnits[] = {"_cycles", "_bytes", "_mhz"};

std::string_view without_unit(std::string_view name) {
  for (const std::string_view unit : kUnits) {
    if (name.ends_with(unit)) return name.substr(0, name.size() - unit.size());
  }
  return name;
}

isa::Result<const isa::ParameterInfo*> find_parameter(const std::string& name) {
  const auto exact = std::ranges::find(isa::kParameters, name, &isa::ParameterInfo::name);
  if (exact != std::end(isa::kParameters)) return exact;
  const isa::ParameterInfo* found = nullptr;
  std::vector<std::string> known = {std::string(kBase)};
  for (const isa::ParameterInfo& parameter : isa::kParameters) {
    known.emplace_back(parameter.name);
    known.emplace_back(without_unit(parameter.name));
    if (without_unit(parameter.name) != name) continue;
    if (found != nullptr) {
      return isa::fail(fmt::format("'{}' may be {} or {}", name, found->name, parameter.name));
    }
    found = &parameter;
  }
  if (found != nullptr) return found;
  const std::string near = isa::nearest(name, known);
  return isa::fail(fmt::format(
      "unknown parameter '{}'; {}", name,
      near.empty() ? "`wsevm machine` lists all" : fmt::format("did you mean '{}'?", near)));
}

// The machine that the table is about.
isa::Result<isa::MeasuredProfile> base_of(lua_State* L, int table, isa::MeasuredProfile base) {
  const isa::Status status = for_each_field(L, table, [&](const std::string& key) -> isa::Status {
    if (key != kBase) return {};
    const std::optional<std::string> name = text_at(L, -1);
    if (!name) {
      return isa::fail(fmt::format("base: a profile is wanted, not {}", shown_value(L, -1)));
    }
    isa::Result<ChosenMachine> found = named_machine(*name);
    if (!found) return isa::fail(fmt::format("base: {}", found.error()));
    base = {std::move(found->profile), std::move(found->intervals)};
    return {};
  });
  if (!status) return std::unexpected(status.error());
  return base;
}

// Calls take(parameter) for each field but `others`, with its value on top of the stack. Refuses
// two names of one parameter.
template <class Take>
isa::Status for_each_parameter(lua_State* L, int table, std::span<const std::string_view> others,
                               Take take) {
  std::set<std::string_view> taken;
  return for_each_field(L, table, [&](const std::string& key) -> isa::Status {
    if (std::ranges::find(others, key) != others.end()) return {};
    const auto parameter = find_parameter(key);
    if (!parameter) return isa::fail(parameter.error());
    const std::string_view name = (*parameter)->name;
    if (!taken.insert(name).second) return isa::fail(fmt::format("{} is given twice", name));
    return take(**parameter);
  });
}

isa::Status take_values(lua_State* L, int table, isa::MeasuredProfile& machine) {
  return for_each_parameter(
      L, table, kOthers, [&](const isa::ParameterInfo& parameter) -> isa::Status {
        const std::optional<std::uint64_t> value = count_at(L, -1);
        if (!value || *value > UINT32_MAX) {
          return isa::fail(fmt::format("{}: a whole number in {} ({}) is wanted, not {}",
                                       parameter.name, isa::range_text(parameter), parameter.unit,
                                       shown_value(L, -1)));
        }
        machine.profile.*parameter.member = static_cast<std::uint32_t>(*value);
        machine.intervals.erase(parameter.name);
        return {};
      });
}

// The number at `index` of the list on top of the stack, if it is a whole one.
std::optional<std::uint64_t> number_in_list(lua_State* L, int index) {
  lua_rawgeti(L, -1, index);
  const std::optional<std::uint64_t> number = count_at(L, -1);
  lua_pop(L, 1);
  return number;
}

// The list on top of the stack: {low, high}, with the parameter's value between them.
isa::Result<isa::Interval> read_interval(lua_State* L, const isa::ParameterInfo& parameter,
                                         std::uint32_t value) {
  if (!isa::may_have_interval(parameter)) {
    return isa::fail(fmt::format("{} has no interval: only times have, in cycles", parameter.name));
  }
  const bool is_pair = lua_istable(L, -1) && lua_rawlen(L, -1) == 2;
  const std::optional<std::uint64_t> low = is_pair ? number_in_list(L, 1) : std::nullopt;
  const std::optional<std::uint64_t> high = is_pair ? number_in_list(L, 2) : std::nullopt;
  if (!low || !high || *low < parameter.least || *high > parameter.most) {
    return isa::fail(fmt::format("{}: {{low, high}} is wanted, whole numbers in {} ({}), not {}",
                                 parameter.name, isa::range_text(parameter), parameter.unit,
                                 shown_value(L, -1)));
  }
  if (*low > value || *high < value) {
    return isa::fail(fmt::format("{}: {{{}, {}}} does not hold its value, {}", parameter.name, *low,
                                 *high, value));
  }
  return isa::Interval{static_cast<std::uint32_t>(*low), static_cast<std::uint32_t>(*high)};
}

// When the values are known.
isa::Status take_intervals(lua_State* L, int table, isa::MeasuredProfile& machine) {
  return for_each_field(L, table, [&](const std::string& key) -> isa::Status {
    if (key != kIntervals) return {};
    if (!lua_istable(L, -1)) {
      return isa::fail(
          fmt::format("intervals: a table such as {{tsc_read = {{12, 16}}}} is wanted, "
                      "not {}",
                      shown_value(L, -1)));
    }
    const isa::Status status =
        for_each_parameter(L, -1, {}, [&](const isa::ParameterInfo& parameter) -> isa::Status {
          const auto interval = read_interval(L, parameter, machine.profile.*parameter.member);
          if (!interval) return std::unexpected(interval.error());
          machine.intervals[parameter.name] = *interval;
          return {};
        });
    if (!status) return isa::fail("intervals: " + status.error());
    const isa::Result<isa::EndProfiles> ends = isa::end_profiles(machine);
    return ends ? isa::Status() : isa::Status(std::unexpected(ends.error()));
  });
}

const isa::Interval* interval_of(const isa::Intervals& intervals, std::string_view parameter) {
  const auto found = intervals.find(parameter);
  return found == intervals.end() ? nullptr : &found->second;
}

bool has_interval_of(const isa::MeasuredProfile& one, const isa::MeasuredProfile& other,
                     std::string_view parameter) {
  const isa::Interval* const a = interval_of(one.intervals, parameter);
  const isa::Interval* const b = interval_of(other.intervals, parameter);
  return a == nullptr || b == nullptr ? a == b : *a == *b;
}

// Name and number of each parameter that is not as in `base`.
std::string changes_text(const isa::Profile& base, const isa::Profile& profile) {
  std::string text;
  for (const isa::ParameterInfo& parameter : isa::kParameters) {
    const std::uint32_t value = profile.*parameter.member;
    if (value != base.*parameter.member) text += fmt::format(" {}={}", parameter.name, value);
  }
  return text;
}

// The file that would return the machine, whose profile is named after one of the table's own.
std::string file_text(const std::string& base, const isa::MeasuredProfile& machine) {
  const isa::MeasuredProfile known =
      isa::find_measured_profile(base).value_or(*isa::find_measured_profile("wse2"));
  std::string values;
  std::string intervals;
  for (const isa::ParameterInfo& parameter : isa::kParameters) {
    const std::uint32_t value = machine.profile.*parameter.member;
    const isa::Interval* const interval = interval_of(machine.intervals, parameter.name);
    const bool is_known =
        value == known.profile.*parameter.member && has_interval_of(machine, known, parameter.name);
    if (is_known) continue;
    values += fmt::format(", {} = {}", parameter.name, value);
    if (interval == nullptr) continue;
    intervals += fmt::format("{}{} = {{{}, {}}}", intervals.empty() ? "" : ", ", parameter.name,
                             interval->low, interval->high);
  }
  if (!intervals.empty()) values += fmt::format(", intervals = {{{}}}", intervals);
  return fmt::format("return {{base = \"{}\"{}}}", known.profile.name, values);
}

// The table, checked. Without a name it keeps that of its base.
isa::Result<isa::MeasuredProfile> read_table(lua_State* L, int index,
                                             const isa::MeasuredProfile& base,
                                             const std::string& name) {
  if (!lua_istable(L, index)) {
    return isa::fail(
        fmt::format("a table such as {{base = \"wse2\", hop_latency = 2}} is wanted, "
                    "not {}",
                    shown_value(L, index)));
  }
  const int table = lua_absindex(L, index);
  isa::Result<isa::MeasuredProfile> machine = base_of(L, table, base);
  if (!machine) return machine;
  if (!name.empty()) machine->profile.name = name;
  isa::Status status = take_values(L, table, *machine);
  if (status) status = isa::check(machine->profile);
  if (status) status = take_intervals(L, table, *machine);
  if (!status) return std::unexpected(status.error());
  return machine;
}

}  // namespace

isa::Result<ChosenMachine> named_machine(const std::string& name) {
  std::optional<isa::MeasuredProfile> found = isa::find_measured_profile(name);
  if (found) return ChosenMachine{std::move(found->profile), name, "", std::move(found->intervals)};
  return isa::fail(fmt::format("unknown profile '{}'; there are {}", name,
                               fmt::join(isa::profile_names(), ", ")));
}

isa::Result<ChosenMachine> table_machine(lua_State* L, int index, const ChosenMachine& base) {
  isa::Result<isa::MeasuredProfile> machine =
      read_table(L, index, {base.profile, base.intervals}, "");
  if (!machine) return std::unexpected(machine.error());
  isa::Profile& profile = machine->profile;
  const isa::Profile from =
      profile.name == base.profile.name ? base.profile : *isa::find_profile(profile.name);
  profile.name += changes_text(from, profile);
  const auto named = isa::find_measured_profile(profile.name);
  if (named && named->intervals == machine->intervals) return named_machine(profile.name);
  std::string text = file_text(from.name, *machine);
  return ChosenMachine{std::move(profile), "", std::move(text), std::move(machine->intervals)};
}

std::expected<isa::MeasuredProfile, BindingError> file_machine(lua_State* L,
                                                               const std::string& text,
                                                               const std::string& file) {
  const std::string name = std::filesystem::path(file).stem().string();
  if (isa::find_profile(name)) {
    return problem(
        fmt::format("{}: there is a profile called {}; the name of the file is that of "
                    "the machine",
                    file, name));
  }
  const std::string chunk = "@" + file;
  const bool ran = protect(L, 0, [&](lua_State* inner) {
    const int status = luaL_loadbufferx(inner, text.data(), text.size(), chunk.c_str(), "t");
    if (status != LUA_OK) return lua_error(inner);
    lua_call(inner, 0, 1);
    return 1;
  });
  if (!ran) return std::unexpected(BindingError{{}, Ending::BadInput, true});
  isa::Result<isa::MeasuredProfile> machine =
      read_table(L, -1, *isa::find_measured_profile("wse2"), name);
  lua_pop(L, 1);
  if (!machine) return problem(fmt::format("{}: {}", file, machine.error()));
  return std::move(*machine);
}

std::expected<ChosenMachine, BindingError> load_machine(lua_State* L, const std::string& file) {
  Session& session = session_of(L);
  if (!session.limits.charge(kInstructionsPerFile)) return problem(session.limits.text());
  const auto text = session.files.read_text(session.find_input(file), kMaxMachineBytes);
  if (!text) return problem(text.error().message);
  if (!session.limits.charge(compile_cost(text->size()))) return problem(session.limits.text());
  auto machine = file_machine(L, *text, file);
  if (!machine) return std::unexpected(machine.error());
  return ChosenMachine{std::move(machine->profile), file, "", std::move(machine->intervals)};
}

std::expected<ChosenMachine, BindingError> machine_of_value(lua_State* L, int index) {
  const std::optional<std::string> text = text_at(L, index);
  if (text && is_machine_file(*text)) return load_machine(L, *text);
  isa::Result<ChosenMachine> machine =
      text ? named_machine(*text) : table_machine(L, index, session_of(L).options.defaults.machine);
  if (!machine) return problem(machine.error());
  return std::move(*machine);
}

}  // namespace wse::script
