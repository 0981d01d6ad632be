// Records as JSON text.
#include "vm/front/json_record.h"
#include <nlohmann/json.hpp>

#include "vm/profile/record_json.h"

namespace wse::front {
namespace {

using Json = nlohmann::ordered_json;
using vm::add_member;
using vm::record_object;

// The most switch positions in the record of a script, over all its runs: a sweep has thousands.
constexpr std::size_t kMostPositionsOfRuns = 65'536;

std::string pretty(const Json& json) {
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
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

}  // namespace wse::front
