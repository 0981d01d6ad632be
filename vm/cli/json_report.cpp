// JSON: the only file that knows the JSON library.
#include <nlohmann/json.hpp>

#include "isa/instruction.h"
#include "vm/cli/reports.h"

namespace wse::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string pretty(const Json& json) {
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

std::uint64_t cycles_of(const vm::Counters& counters, vm::Activity activity) {
  return counters.pe_cycles[static_cast<std::size_t>(activity)];
}

Json marks_json(const vm::Record& record) {
  Json marks = Json::object();
  for (const auto& [name, mark] : record.marks) {
    marks[name] = {{"first", mark.first}, {"last", mark.last}, {"count", mark.count}};
  }
  return marks;
}

Json record_object(const vm::Record& r) {
  const vm::Counters& c = r.counters;
  return {{"status", vm::text(r.status)},
          {"message", r.message.empty() ? Json(nullptr) : Json(r.message)},
          {"cycles", r.cycles},
          {"wall_seconds", r.wall_seconds},
          {"engine", "interp"},
          {"machine", r.machine},
          {"grid", {r.width, r.height}},
          {"threads", 1},
          {"instructions", c.instructions},
          {"elements", c.elements},
          {"flops", c.flops},
          {"fabric",
           {{"wavelets", c.wavelets},
            {"hops", c.hops},
            {"max_distance", c.max_distance},
            {"links_used", r.links_used},
            {"max_ramp_wavelets", r.max_ramp_wavelets},
            {"max_link_load", r.max_link_load},
            {"left_over", r.wavelets_left}}},
          {"pe_cycles",
           {{"busy", cycles_of(c, vm::Activity::Busy)},
            {"memory_stall", cycles_of(c, vm::Activity::MemoryStall)},
            {"wait_input", cycles_of(c, vm::Activity::WaitInput)},
            {"wait_output", cycles_of(c, vm::Activity::WaitOutput)},
            {"idle", cycles_of(c, vm::Activity::Idle)}}},
          {"marks", marks_json(r)},
          {"user", Json::object()},
          {"runs", Json::array()}};
}

// "any32", "i32"
std::string name_of(isa::OperandType type) {
  constexpr std::string_view kNames[] = {
#define OPERAND_TYPE(name, ...) #name,
#include "isa/operand_types.def"
#undef OPERAND_TYPE
  };
  std::string name(kNames[static_cast<int>(type)]);
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return name;
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

std::string isa_json() {
  Json rows = Json::array();
  for (const isa::InstructionInfo& row : isa::kInstructions) {
    Json sources = Json::array();
    for (const isa::OperandType type : row.types.source) sources.push_back(name_of(type));
    rows.push_back({{"name", row.name},
                    {"mnemonic", row.mnemonic},
                    {"format", isa::info(row.format).name},
                    {"operands", isa::info(row.format).operands},
                    {"bits", isa::info(row.format).bits},
                    {"opcode", row.opcode},
                    {"words", row.words()},
                    {"vector", row.is_vector()},
                    {"type", name_of(row.types.result)},
                    {"sources", sources},
                    {"flops", row.flops},
                    {"meaning", row.meaning}});
  }
  return pretty({{"instructions", rows}});
}

std::string profiles_json(const std::vector<isa::Profile>& profiles) {
  Json json = Json::object();
  for (const isa::Profile& profile : profiles) {
    Json rows = Json::array();
    for (const isa::ParameterInfo& parameter : isa::profile_parameters()) {
      rows.push_back({{"name", parameter.name},
                      {"value", profile.*parameter.member},
                      {"unit", parameter.unit},
                      {"mark", parameter.mark},
                      {"source", parameter.source}});
    }
    json[profile.name] = rows;
  }
  return pretty(json);
}

}  // namespace wse::cli
