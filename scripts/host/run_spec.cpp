// One row per field of the table.
#include "scripts/host/run_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "asm/assembler.h"
#include "isa/support/diagnostics.h"
#include "isa/support/plain_text.h"
#include "scripts/host/own_machine.h"
#include "scripts/host/table_reader.h"
#include "scripts/host/user_line.h"

namespace wse::script {
namespace {

struct Reading {
  RunSpec spec;
  std::optional<std::string> text;
  std::optional<std::string> marked_text;  // the same program, with .line directives
  std::optional<std::string> file;
};

using Take = isa::Status (*)(lua_State* L, Reading& reading);  // the value is on top

std::unexpected<std::string> wants(lua_State* L, std::string_view what) {
  return isa::fail(fmt::format("{} is wanted, not {}", what, shown_value(L, -1)));
}

isa::Status take_text(lua_State* L, std::optional<std::string>& to) {
  to = text_at(L, -1);
  if (!to) return wants(L, "a text");
  return {};
}

isa::Status take_flag(lua_State* L, bool& to) {
  if (!lua_isboolean(L, -1)) return wants(L, "true or false");
  to = lua_toboolean(L, -1) != 0;
  return {};
}

isa::Status take_count(lua_State* L, std::optional<std::uint64_t>& to) {
  to = count_at(L, -1);
  if (!to) return wants(L, "a number that is not negative");
  return {};
}

// A seed, or a table of `seed` and `cycles`.
isa::Status take_jitter(lua_State* L, std::optional<vm::Jitter>& to) {
  constexpr std::string_view kShape = "a seed, or a table such as {seed = 1, cycles = 16}";
  vm::Jitter jitter;
  if (!lua_istable(L, -1)) {
    const std::optional<std::uint64_t> seed = count_at(L, -1);
    if (!seed) return wants(L, kShape);
    jitter.seed = *seed;
    to = jitter;
    return {};
  }
  const isa::Status status = for_each_field(L, -1, [&](const std::string& name) -> isa::Status {
    const std::optional<std::uint64_t> value = count_at(L, -1);
    const bool is_seed = name == "seed";
    if (!is_seed && name != "cycles") return isa::fail(fmt::format("unknown field '{}'", name));
    if (!value || (!is_seed && *value > vm::Jitter::kMost)) {
      return isa::fail(fmt::format("{}: a whole number from 0 to {} is wanted", name,
                                   is_seed ? INT64_MAX : std::int64_t{vm::Jitter::kMost}));
    }
    (is_seed ? jitter.seed : jitter.cycles) = *value;
    return {};
  });
  if (status) to = jitter;
  return status;
}

// A file is run when the table has been read: its text could change the table.
isa::Status take_machine(lua_State* L, Reading& reading) {
  const std::optional<std::string> text = text_at(L, -1);
  if (text && is_machine_file(*text)) {
    reading.spec.machine_file = *text;
    return {};
  }
  if (!text && !lua_istable(L, -1)) return wants(L, "a profile, a file of Lua or a table");
  isa::Result<ChosenMachine> machine =
      text ? named_machine(*text) : table_machine(L, -1, reading.spec.options.machine);
  if (!machine) return std::unexpected(machine.error());
  reading.spec.options.machine = std::move(*machine);
  return {};
}

isa::Result<std::string> value_text(lua_State* L) {
  if (std::optional<std::string> text = text_at(L, -1)) {
    const bool plain = std::ranges::none_of(*text, [](unsigned char c) { return c < ' '; });
    return plain ? isa::Result<std::string>(*text) : wants(L, "a text of one line");
  }
  if (lua_isinteger(L, -1) != 0) return fmt::format("{}", lua_tointeger(L, -1));
  if (lua_type(L, -1) != LUA_TNUMBER || !std::isfinite(lua_tonumber(L, -1))) {
    return wants(L, "a number or a text");
  }
  return fmt::format("{}", lua_tonumber(L, -1));
}

isa::Status take_values(lua_State* L, Reading& reading) {
  if (!lua_istable(L, -1)) return wants(L, "a table such as {P = 4}");
  auto& values = reading.spec.program.values;
  const isa::Status status = for_each_field(L, -1, [&](const std::string& name) -> isa::Status {
    isa::Result<std::string> text = value_text(L);
    if (!text) return isa::fail(fmt::format("{}: {}", name, text.error()));
    values.emplace_back(name, std::move(*text));
    return {};
  });
  std::ranges::sort(values);  // the order of a table says nothing
  return status;
}

// Only looked at here: inputs are set when there is a machine.
isa::Status take_inputs(lua_State* L, Reading&) {
  if (!lua_istable(L, -1)) return wants(L, "a table such as {x = {1, 2, 3}}");
  return for_each_field(L, -1, [](const std::string&) { return isa::Status(); });
}

// True is the event that ends last.
isa::Status take_path(lua_State* L, Reading& reading) {
  if (lua_isboolean(L, -1)) {
    if (lua_toboolean(L, -1) != 0) reading.spec.path.emplace();
    return {};
  }
  reading.spec.path = text_at(L, -1);
  if (!reading.spec.path) return wants(L, "true, \"X,Y\", \"X,Y@CYCLE\" or a mark");
  return {};
}

// After those of the command line: what the script says holds.
isa::Status take_warnings(lua_State* L, Reading& reading) {
  if (!lua_istable(L, -1)) return wants(L, "a table such as {E229 = \"off\"}");
  return for_each_field(L, -1, [&](const std::string& code) -> isa::Status {
    const std::optional<std::string> text = text_at(L, -1);
    if (!text) return wants(L, "\"off\" or \"error\"");
    isa::Result<assembler::WarningChoice> choice = assembler::warning_choice(code, *text);
    if (!choice) return isa::fail(choice.error());
    reading.spec.options.warnings.push_back(std::move(*choice));
    return {};
  });
}

struct Field {
  std::string_view name;
  Take take;
};

constexpr Field kFields[] = {
    {"text", [](lua_State* L, Reading& r) { return take_text(L, r.text); }},
    {"marked_text", [](lua_State* L, Reading& r) { return take_text(L, r.marked_text); }},
    {"file", [](lua_State* L, Reading& r) { return take_text(L, r.file); }},
    {"values", take_values},
    {"inputs", take_inputs},
    {"restore", [](lua_State* L, Reading& r) { return take_text(L, r.spec.restore); }},
    {"machine", take_machine},
    {"max_cycles",
     [](lua_State* L, Reading& r) { return take_count(L, r.spec.options.max_cycles); }},
    {"tsc_skew", [](lua_State* L, Reading& r) { return take_count(L, r.spec.options.tsc_skew); }},
    {"jitter", [](lua_State* L, Reading& r) { return take_jitter(L, r.spec.options.jitter); }},
    {"strict", [](lua_State* L, Reading& r) { return take_flag(L, r.spec.options.strict); }},
    {"expect", [](lua_State* L, Reading& r) { return take_flag(L, r.spec.options.expect); }},
    {"interval", [](lua_State* L, Reading& r) { return take_flag(L, r.spec.options.interval); }},
    {"profile", [](lua_State* L, Reading& r) { return take_flag(L, r.spec.profile); }},
    {"path", take_path},
    {"mark_times", [](lua_State* L, Reading& r) { return take_flag(L, r.spec.mark_times); }},
    {"warnings", take_warnings},
    {"allow_failure", [](lua_State* L, Reading& r) { return take_flag(L, r.spec.allow_failure); }},
};

isa::Status take_field(lua_State* L, const std::string& name, Reading& reading) {
  std::vector<std::string> known;
  for (const Field& field : kFields) {
    if (field.name != name) {
      known.emplace_back(field.name);
      continue;
    }
    const isa::Status status = field.take(L, reading);
    return status ? status : isa::Status(isa::fail(fmt::format("{}: {}", name, status.error())));
  }
  const std::string near = isa::nearest(name, known);
  return isa::fail(fmt::format("unknown field '{}'{}", name,
                               near.empty() ? fmt::format("; there are {}", fmt::join(known, ", "))
                                            : fmt::format("; did you mean '{}'?", near)));
}

std::string shown_name(const std::string& file) {
  return std::filesystem::path(file).filename().string();
}

// The text's name is the user's line, m/row.lua(12): its errors are looked for there.
isa::Status take_program(lua_State* L, const Session& session, Reading& reading) {
  if (reading.text.has_value() == reading.file.has_value()) {
    return isa::fail("either text = \"...\" or file = \"NAME.wsa\" is wanted");
  }
  Program& program = reading.spec.program;
  if (reading.text) {
    const UserLine line = find_user_line(L);
    program.name = line.line == 0 ? "text" : fmt::format("{}({})", line.source, line.line);
    program.text = std::move(reading.marked_text ? *reading.marked_text : *reading.text);
    if (reading.marked_text) reading.spec.clean_text = std::move(reading.text);
    return {};
  }
  if (reading.marked_text) {
    return isa::fail("marked_text goes with text, which `wsevm gen` prints");
  }
  program.name = shown_name(*reading.file);
  program.path = session.find_input(*reading.file);
  FileResult<std::string> text = session.files.read(program.path, assembler::kMaxSourceBytes);
  if (!text) return isa::fail(text.error().message);
  if (isa::is_image(std::as_bytes(std::span(*text)))) {
    program.text = std::move(*text);
    return {};
  }
  isa::Result<std::string> plain = isa::plain_text(std::move(*text));
  if (!plain) return isa::fail(fmt::format("{}: {}", *reading.file, plain.error()));
  program.text = std::move(*plain);
  return {};
}

// A checkpoint holds all arrays, and what a run at other constants begins with is not in it.
isa::Status check_restore(lua_State* L, int index, const RunSpec& spec) {
  if (push_field(L, index, "inputs")) {
    lua_pop(L, 1);
    return isa::fail("inputs and restore do not go together: a checkpoint holds all arrays");
  }
  if (spec.options.interval || spec.mark_times) {
    return isa::fail("interval and mark_times are of whole runs; leave them out beside restore");
  }
  if (spec.path) {
    return isa::fail("path is of a whole run; leave it out beside restore");
  }
  return {};
}

}  // namespace

isa::Result<RunSpec> read_run_spec(lua_State* L, int index, const Session& session) {
  if (!lua_istable(L, index)) {
    return isa::fail(
        fmt::format("a table such as {{text = \"...\"}} is wanted, not {}", shown_value(L, index)));
  }
  Reading reading;
  reading.spec.options = session.options.defaults;
  isa::Status status = for_each_field(
      L, index, [&](const std::string& name) { return take_field(L, name, reading); });
  if (status) status = take_program(L, session, reading);
  if (status && reading.spec.restore) status = check_restore(L, index, reading.spec);
  if (!status) return std::unexpected(status.error());
  return std::move(reading.spec);
}

bool push_field(lua_State* L, int table, std::string_view name) {
  table = lua_absindex(L, table);
  lua_pushnil(L);
  while (lua_next(L, table) != 0) {
    if (text_at(L, -2) == name) {
      lua_remove(L, -2);
      return true;
    }
    lua_pop(L, 1);
  }
  return false;
}

}  // namespace wse::script
