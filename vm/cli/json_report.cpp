// JSON of the tables that commands print.
#include <nlohmann/json.hpp>

#include "isa/instruction/instruction.h"
#include "scripts/host/isa_table.h"
#include "vm/cli/reports.h"

namespace wse::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string pretty(const Json& json) {
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace

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
