// Reads the fields of such a table; what the numbers may be, isa::check() knows.
#include "scripts/host/own_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "isa/support/diagnostics.h"
#include "scripts/host/costs.h"
#include "scripts/host/files.h"
#include "scripts/host/session.h"
#include "scripts/host/table_reader.h"

namespace wse::script {
namespace {

constexpr std::string_view kBase = "base";
constexpr std::string_view kName = "name";  // is in what wse.machine gives, and changes nothing
constexpr std::uint64_t kMaxMachineBytes = std::uint64_t{1} << 20;  // of a file

// What a parameter's name may end in and may be called without.
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

// The profile that the table is about.
isa::Result<isa::Profile> base_of(lua_State* L, int table, isa::Profile base) {
  const isa::Status status = for_each_field(L, table, [&](const std::string& key) -> isa::Status {
    if (key != kBase) return {};
    const std::optional<std::string> name = text_at(L, -1);
    if (!name) {
      return isa::fail(fmt::format("base: a profile is wanted, not {}", shown_value(L, -1)));
    }
    isa::Result<ChosenMachine> found = named_machine(*name);
    if (!found) return isa::fail(fmt::format("base: {}", found.error()));
    base = std::move(found->profile);
    return {};
  });
  if (!status) return std::unexpected(status.error());
  return base;
}

isa::Status take_changes(lua_State* L, int table, isa::Profile& profile) {
  std::set<std::string_view> taken;
  return for_each_field(L, table, [&](const std::string& key) -> isa::Status {
    if (key == kBase || key == kName) return {};
    const auto parameter = find_parameter(key);
    if (!parameter) return isa::fail(parameter.error());
    const std::string_view name = (*parameter)->name;
    const std::optional<std::uint64_t> value = count_at(L, -1);
    if (!value || *value > UINT32_MAX) {
      return isa::fail(fmt::format("{}: a whole number in {} ({}) is wanted, not {}", name,
                                   isa::range_text(**parameter), (*parameter)->unit,
                                   shown_value(L, -1)));
    }
    if (!taken.insert(name).second) return isa::fail(fmt::format("{} is given twice", name));
    profile.*(*parameter)->member = static_cast<std::uint32_t>(*value);
    return {};
  });
}

// Name and number of each parameter that is not as in `base`.
std::string changes_text(const isa::Profile& base, const isa::Profile& profile,
                         std::string_view before, std::string_view equals) {
  std::string text;
  for (const isa::ParameterInfo& parameter : isa::kParameters) {
    const std::uint32_t value = profile.*parameter.member;
    if (value == base.*parameter.member) continue;
    text += fmt::format("{}{}{}{}", before, parameter.name, equals, value);
  }
  return text;
}

// The file that would return the profile.
std::string file_text(const isa::Profile& base, const isa::Profile& profile) {
  const isa::Profile known = isa::find_profile(base.name).value_or(named_machine("wse2")->profile);
  return fmt::format("return {{base = \"{}\"{}}}", known.name,
                     changes_text(known, profile, ", ", " = "));
}

// The table, checked. Without a name it keeps that of its base.
isa::Result<isa::Profile> read_table(lua_State* L, int index, const isa::Profile& base,
                                     const std::string& name) {
  if (!lua_istable(L, index)) {
    return isa::fail(
        fmt::format("a table such as {{base = \"wse2\", hop_latency = 2}} is wanted, "
                    "not {}",
                    shown_value(L, index)));
  }
  const int table = lua_absindex(L, index);
  isa::Result<isa::Profile> profile = base_of(L, table, base);
  if (!profile) return profile;
  if (const isa::Status status = take_changes(L, table, *profile); !status) {
    return std::unexpected(status.error());
  }
  if (!name.empty()) profile->name = name;
  if (const isa::Status status = isa::check(*profile); !status) {
    return std::unexpected(status.error());
  }
  return profile;
}

}  // namespace

isa::Result<ChosenMachine> named_machine(const std::string& name) {
  std::optional<isa::Profile> profile = isa::find_profile(name);
  if (profile) return ChosenMachine{std::move(*profile), name, ""};
  return isa::fail(fmt::format("unknown profile '{}'; there are {}", name,
                               fmt::join(isa::profile_names(), ", ")));
}

isa::Result<ChosenMachine> table_machine(lua_State* L, int index, const isa::Profile& base) {
  isa::Result<isa::Profile> profile = read_table(L, index, base, "");
  if (!profile) return std::unexpected(profile.error());
  const isa::Profile from = profile->name == base.name ? base : *isa::find_profile(profile->name);
  profile->name += changes_text(from, *profile, " ", "=");
  if (isa::find_profile(profile->name)) return named_machine(profile->name);
  std::string text = file_text(from, *profile);
  return ChosenMachine{std::move(*profile), "", std::move(text)};
}

std::expected<isa::Profile, BindingError> file_machine(lua_State* L, const std::string& text,
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
  isa::Result<isa::Profile> profile = read_table(L, -1, named_machine("wse2")->profile, name);
  lua_pop(L, 1);
  if (!profile) return problem(fmt::format("{}: {}", file, profile.error()));
  return std::move(*profile);
}

std::expected<ChosenMachine, BindingError> load_machine(lua_State* L, const std::string& file) {
  Session& session = session_of(L);
  if (!session.limits.charge(kInstructionsPerFile)) return problem(session.limits.text());
  const auto text = session.files.read_text(session.find_input(file), kMaxMachineBytes);
  if (!text) return problem(text.error().message);
  if (!session.limits.charge(compile_cost(text->size()))) return problem(session.limits.text());
  auto profile = file_machine(L, *text, file);
  if (!profile) return std::unexpected(profile.error());
  return ChosenMachine{std::move(*profile), file, ""};
}

std::expected<ChosenMachine, BindingError> machine_of_value(lua_State* L, int index) {
  const std::optional<std::string> text = text_at(L, index);
  if (text && is_machine_file(*text)) return load_machine(L, *text);
  isa::Result<ChosenMachine> machine =
      text ? named_machine(*text)
           : table_machine(L, index, session_of(L).options.defaults.machine.profile);
  if (!machine) return problem(machine.error());
  return std::move(*machine);
}

}  // namespace wse::script
