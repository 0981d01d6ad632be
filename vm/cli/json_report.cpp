// JSON: the only file that knows the JSON library.
#include <nlohmann/json.hpp>

#include "isa/instruction/instruction.h"
#include "scripts/host/isa_table.h"
#include "vm/cli/reports.h"

namespace wse::cli {
namespace {

using Json = nlohmann::ordered_json;

// The most switch positions in the record of a script, over all its runs: a sweep has thousands.
constexpr std::size_t kMostPositionsOfRuns = 65'536;

std::string pretty(const Json& json) {
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

// A member that the object has not got; [] would compare the name with all that it has.
void add_member(Json& object, const std::string& name, Json value) {
  object.get_ref<Json::object_t&>().emplace_back(name, std::move(value));
}

std::uint64_t cycles_of(const vm::Counters& counters, vm::Activity activity) {
  return counters.pe_cycles[static_cast<std::size_t>(activity)];
}

Json marks_json(const vm::Record& record) {
  Json marks = Json::object();
  for (const auto& [name, mark] : record.marks) {
    add_member(marks, name, {{"first", mark.first}, {"last", mark.last}, {"count", mark.count}});
  }
  return marks;
}

Json trap_json(const vm::Record& record) {
  if (!record.trap) return nullptr;
  const vm::TrapRecord& trap = *record.trap;
  return {{"kind", isa::info(trap.kind).text},
          {"cycle", trap.cycle},
          {"pe", {trap.x, trap.y}},
          {"line", trap.line.empty() ? Json(nullptr) : Json(trap.line)},
          {"detail", trap.detail}};
}

Json positions_json(const vm::Record& record) {
  Json positions = Json::array();
  for (const vm::PositionRecord& moved : record.positions) {
    positions.push_back(
        {{"pe", {moved.x, moved.y}}, {"colour", moved.colour}, {"position", moved.position}});
  }
  return positions;
}

Json jitter_json(const vm::Record& record) {
  if (!record.jitter) return nullptr;
  return {{"seed", record.jitter->seed}, {"cycles", record.jitter->cycles}};
}

Json cycles_json(const std::optional<vm::Cycle>& cycles) {
  return cycles ? Json(*cycles) : Json(nullptr);
}

Json native_json(const vm::NativeWork& native) {
  return {{"instructions", native.instructions},
          {"regions", native.regions},
          {"cached", native.cached},
          {"compile_seconds", native.compile_seconds}};
}

void add_counters(Json& object, const vm::Record& r, vm::CounterGroup group) {
  vm::for_each_counter(r, group, [&object](const char* name, std::uint64_t value) {
    add_member(object, name, value);
  });
}

Json pe_cycles_json(const vm::Counters& c) {
  return {{"busy", cycles_of(c, vm::Activity::Busy)},
          {"memory_stall", cycles_of(c, vm::Activity::MemoryStall)},
          {"wait_input", cycles_of(c, vm::Activity::WaitInput)},
          {"wait_output", cycles_of(c, vm::Activity::WaitOutput)},
          {"idle", cycles_of(c, vm::Activity::Idle)}};
}

Json record_object(const vm::Record& r) {
  Json record = {
      {"status", vm::text(r.status)},
      {"message", r.message.empty() ? Json(nullptr) : Json(r.message)},
      {"cycles", r.cycles},
      {"cycles_low", cycles_json(r.cycles_low)},
      {"cycles_high", cycles_json(r.cycles_high)},
      {"wall_seconds", r.wall_seconds},
      {"engine", r.engine},
      {"transport", r.transport},
      {"native", native_json(r.native)},
      {"machine", r.machine},
      {"grid", {r.width, r.height}},
      {"threads", r.threads},
      {"jitter", jitter_json(r)},
  };
  add_counters(record, r, vm::CounterGroup::run);
  Json fabric = Json::object();
  add_counters(fabric, r, vm::CounterGroup::fabric);
  add_member(record, "fabric", std::move(fabric));
  add_member(record, "pe_cycles", pe_cycles_json(r.counters));
  add_member(record, "trap", trap_json(r));
  add_member(record, "positions", positions_json(r));
  add_member(record, "positions_total", r.positions_total);
  add_member(record, "marks", marks_json(r));
  add_member(record, "user", Json::object());
  add_member(record, "runs", Json::array());
  return record;
}

Json scalar_json(const script::UserScalar& scalar) {
  return std::visit([](const auto& value) { return Json(value); }, scalar);
}

Json user_json(const script::UserValue& value) {
  if (const auto* scalar = std::get_if<script::UserScalar>(&value)) return scalar_json(*scalar);
  Json json = Json::object();
  if (const auto* list = std::get_if<script::UserList>(&value)) {
    json = Json::array();
    for (const script::UserScalar& scalar : *list) json.push_back(scalar_json(scalar));
    return json;
  }
  for (const auto& [name, scalar] : std::get<script::UserTable>(value)) {
    add_member(json, name, scalar_json(scalar));
  }
  return json;
}

// Why a script has no record of its own end; empty if the last run tells it.
std::string_view status_of(script::Ending ending) {
  switch (ending) {
    case script::Ending::BadInput:
    case script::Ending::Exhausted: return "error";
    case script::Ending::Interrupted: return "interrupted";
    case script::Ending::Fine:
    case script::Ending::EndedBadly: return "";
  }
  return "";
}

}  // namespace

std::string record_json(const vm::Record& record) { return pretty(record_object(record)); }

std::string unfinished_json(std::string_view status, const std::string& message,
                            const std::string& machine) {
  vm::Record record;
  record.machine = machine;
  Json json = record_object(record);
  json["status"] = status;
  json["message"] = message;
  return pretty(json);
}

std::string script_json(const script::ScriptResult& result, const std::string& machine) {
  vm::Record none;
  none.machine = machine;
  Json json = record_object(result.runs.empty() ? none : result.runs.back());
  const std::string_view status = status_of(result.ending);
  if (!status.empty()) json["status"] = status;
  if (!result.message.empty()) json["message"] = result.message;
  Json& user = json["user"];
  for (const auto& [name, value] : result.user) add_member(user, name, user_json(value));
  std::size_t positions = 0;
  for (const vm::Record& run : result.runs) {
    json["runs"].push_back(record_object(run));
    positions += run.positions.size();
    if (positions > kMostPositionsOfRuns) json["runs"].back()["positions"] = Json::array();
  }
  return pretty(json);
}

std::string isa_json() {
  Json rows = Json::array();
  for (const isa::InstructionInfo& row : isa::kInstructions) {
    Json sources = Json::array();
    for (const isa::OperandType type : row.types.source)
      sources.push_back(script::operand_type_name(type));
    rows.push_back({{"name", row.name},
                    {"mnemonic", row.mnemonic},
                    {"format", isa::info(row.format).name},
                    {"operands", isa::info(row.format).operands},
                    {"bits", isa::info(row.format).bits},
                    {"opcode", row.opcode},
                    {"words", row.words()},
                    {"vector", row.is_vector()},
                    {"type", script::operand_type_name(row.types.result)},
                    {"sources", sources},
                    {"flops", row.flops},
                    {"meaning", row.meaning}});
  }
  return pretty({{"instructions", rows}});
}

std::string profiles_json(const std::vector<isa::MeasuredProfile>& profiles) {
  Json json = Json::object();
  for (const auto& [profile, intervals] : profiles) {
    Json rows = Json::array();
    for (const isa::ParameterInfo& parameter : isa::kParameters) {
      const isa::Origin& origin = isa::origin(profile.family, parameter);
      const auto allowed = intervals.find(parameter.name);
      const bool has_interval = allowed != intervals.end();
      rows.push_back({{"name", parameter.name},
                      {"value", profile.*parameter.member},
                      {"low", has_interval ? Json(allowed->second.low) : Json(nullptr)},
                      {"high", has_interval ? Json(allowed->second.high) : Json(nullptr)},
                      {"least", parameter.least},
                      {"most", parameter.most},
                      {"unit", parameter.unit},
                      {"mark", origin.mark},
                      {"source", origin.source}});
    }
    json[profile.name] = rows;
  }
  return pretty(json);
}

}  // namespace wse::cli
