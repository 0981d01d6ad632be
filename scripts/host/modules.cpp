// Finds, reads and runs modules, each once.
#include "scripts/host/modules.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "scripts/host/binding.h"
#include "scripts/host/costs.h"
#include "scripts/host/files.h"
#include "scripts/host/session.h"
#include "scripts/host/user_line.h"

namespace wse::script {
namespace fs = std::filesystem;
namespace {

constexpr const char* kModules = "wse.modules";  // in the registry: name -> value
constexpr std::uint64_t kMaxModuleBytes = std::uint64_t{16} << 20;

struct Module {
  std::string text;
  std::string chunk;
};

// Names joined by dots; the way to the file without its ending.
std::optional<fs::path> way_of(std::string_view name) {
  std::string way;
  bool begun = false;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        (c >= '0' && c <= '9') || c == '_' || c == '-';
    if (!letter && (c != '.' || !begun)) return std::nullopt;
    begun = letter;
    way += letter ? c : '/';
  }
  if (!begun) return std::nullopt;
  return fs::path(way);
}

fs::path library_folder(const Options& options) {
  return fs::path(options.data_folder) / "scripts";
}

std::vector<fs::path> folders_for(const Options& options, bool library) {
  std::vector<fs::path> folders;
  if (!library && options.path != "-") {
    const fs::path folder = fs::path(options.path).parent_path();
    folders.push_back(folder.empty() ? fs::path(".") : folder);
  }
  if (!options.data_folder.empty()) folders.push_back(library_folder(options));
  return folders;
}

// Modules of wsevm are no code of the user: their lines are told only where nothing else is.
std::string chunk_name(const Options& options, const fs::path& folder, const fs::path& file) {
  if (options.data_folder.empty() || folder != library_folder(options)) {
    return fmt::format("@{}", (folder / file).string());
  }
  if (*file.begin() == "wse") return fmt::format("=({})", file.string());
  return fmt::format("{}: {})", kLibraryChunk, file.string());
}

// Returns nothing if no folder has it.
std::expected<std::optional<Module>, BindingError> find_module(Session& session,
                                                               const std::string& name) {
  const Options& options = session.options;
  const std::optional<fs::path> way = way_of(name);
  if (!way) {
    return problem(fmt::format(
        "require '{}': a module is named by letters, digits, _ and -, joined by dots", name));
  }
  const bool library = *way->begin() == "wse";
  for (const fs::path& folder : folders_for(options, library)) {
    for (const fs::path& file : {fs::path(way->string() + ".lua"), *way / "init.lua"}) {
      std::error_code error;
      if (fs::symlink_status(folder / file, error).type() == fs::file_type::not_found) continue;
      FileResult<std::string> text = read_text_below(folder, file, kMaxModuleBytes, session.inputs);
      if (!text) return problem(fmt::format("require '{}': {}", name, text.error().message));
      return Module{std::move(*text), chunk_name(options, folder, file)};
    }
  }
  return std::nullopt;
}

BindingError not_found(const Options& options, const std::string& name) {
  std::string where;
  for (const fs::path& folder : folders_for(options, name.starts_with("wse"))) {
    where += fmt::format("{}{}", where.empty() ? "" : " and ", folder.string());
  }
  return {fmt::format("there is no module '{}' of Lua text; looked in {}", name,
                      where.empty() ? "no folder" : where),
          Ending::BadInput, false};
}

// The module's value, or the mark that it is being loaded; nil if neither.
bool push_loaded(lua_State* L, const std::string& name) {
  return protect(L, 0, [&name](lua_State* inner) {
    luaL_getsubtable(inner, LUA_REGISTRYINDEX, kModules);
    lua_getfield(inner, -1, name.c_str());
    return 1;
  });
}

// Sets the module's value to the one on top, which stays there.
bool keep_loaded(lua_State* L, const std::string& name) {
  return protect(L, 1, [&name](lua_State* inner) {
    luaL_getsubtable(inner, LUA_REGISTRYINDEX, kModules);
    lua_pushvalue(inner, 1);
    lua_setfield(inner, -2, name.c_str());
    lua_settop(inner, 1);
    return 1;
  });
}

bool run_module(lua_State* L, const std::string& name, const Module& module) {
  return protect(L, 0, [&](lua_State* inner) {
    if (luaL_loadbufferx(inner, module.text.data(), module.text.size(), module.chunk.c_str(),
                         "t") != LUA_OK) {
      return lua_error(inner);
    }
    lua_pushlstring(inner, name.data(), name.size());
    lua_call(inner, 1, 1);
    if (lua_isnil(inner, -1)) lua_pushboolean(inner, 1);
    return 1;
  });
}

// Modules of wsevm are loaded once and are not at the script's choice.
std::uint64_t cost_of(const std::optional<Module>& module) {
  if (!module) return kInstructionsPerFile;
  if (module->chunk.starts_with('=')) return 0;
  return kInstructionsPerFile + compile_cost(module->text.size());
}

Returned load_module(lua_State* L, const std::string& name, const Module& module) {
  lua_pushlightuserdata(L, &session_of(L));  // the mark
  if (!keep_loaded(L, name)) return problem_on_stack();
  lua_pop(L, 1);
  if (run_module(L, name, module) && keep_loaded(L, name)) return 1;
  lua_pushnil(L);
  if (keep_loaded(L, name)) lua_pop(L, 1);
  return problem_on_stack();
}

// No results: there is no such module.
Returned require_own(lua_State* L) {
  std::size_t size = 0;
  if (lua_type(L, 1) != LUA_TSTRING) return problem("require: the name of a module is wanted");
  const char* const text = lua_tolstring(L, 1, &size);
  const std::string name(text, size);
  if (!limits_of(L).charge(name.size())) return problem(limits_of(L).text());
  if (!push_loaded(L, name)) return problem_on_stack();
  if (lua_touserdata(L, -1) == &session_of(L)) {
    return problem(fmt::format("require '{}': the module requires itself", name));
  }
  if (!lua_isnil(L, -1)) return 1;
  lua_pop(L, 1);
  const auto module = find_module(session_of(L), name);
  if (!module) return std::unexpected(module.error());
  const std::uint64_t cost = cost_of(*module);
  if (!limits_of(L).charge(cost)) return problem(limits_of(L).text());
  if (!*module) return 0;
  session_of(L).note_code((*module)->text);
  return load_module(L, name, **module);
}

Returned require_or_fail(lua_State* L) {
  const Returned returned = require_own(L);
  if (!returned || *returned > 0) return returned;
  const std::string name = lua_tostring(L, 1);
  return std::unexpected(not_found(session_of(L).options, name));
}

}  // namespace

int require_module(lua_State* L) { return bind<require_or_fail>(L); }

int require_any(lua_State* L) {
  const int results = bind<require_own>(L);
  if (results > 0) return results;
  lua_settop(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

void provide_module(lua_State* L, const char* name) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, kModules);
  lua_insert(L, -2);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

}  // namespace wse::script
