// Field by field, in the order of the documentation.
#include "vm/profile/record_json.h"

#include <nlohmann/json.hpp>

namespace wse::vm {
namespace {

using Json = nlohmann::ordered_json;

// What the same run has otherwise on another host, engine or transport.
constexpr const char* kPassing[] = {"wall_seconds", "engine", "transport", "native",
                                    "threads",      "user",   "runs"};

std::uint64_t cycles_of(const Counters& counters, Activity activity) {
  return counters.pe_cycles[static_cast<std::size_t>(activity)];
}

Json marks_json(const Record& record) {
  Json marks = Json::object();
  for (const auto& [name, mark] : record.marks) {
    add_member(marks, name, {{"first", mark.first}, {"last", mark.last}, {"count", mark.count}});
  }
  return marks;
}

Json trap_json(const Record& record) {
  if (!record.trap) return nullptr;
  const TrapRecord& trap = *record.trap;
  return {{"kind", isa::info(trap.kind).text},
          {"cycle", trap.cycle},
          {"pe", {trap.x, trap.y}},
          {"line", trap.line.empty() ? Json(nullptr) : Json(trap.line)},
          {"detail", trap.detail}};
}

Json positions_json(const Record& record) {
  Json positions = Json::array();
  for (const PositionRecord& moved : record.positions) {
    positions.push_back(
        {{"pe", {moved.x, moved.y}}, {"colour", moved.colour}, {"position", moved.position}});
  }
  return positions;
}

Json jitter_json(const Record& record) {
  if (!record.jitter) return nullptr;
  return {{"seed", record.jitter->seed}, {"cycles", record.jitter->cycles}};
}

Json cycles_json(const std::optional<Cycle>& cycles) {
  return cycles ? Json(*cycles) : Json(nullptr);
}

Json native_json(const NativeWork& native) {
  return {{"instructions", native.instructions},
          {"regions", native.regions},
          {"cached", native.cached},
          {"compile_seconds", native.compile_seconds}};
}

void add_counters(Json& object, const Record& r, CounterGroup group) {
  for_each_counter(r, group, [&object](const char* name, std::uint64_t value) {
    add_member(object, name, value);
  });
}

Json pe_cycles_json(const Counters& c) {
  return {{"busy", cycles_of(c, Activity::Busy)},
          {"memory_stall", cycles_of(c, Activity::MemoryStall)},
          {"wait_input", cycles_of(c, Activity::WaitInput)},
          {"wait_output", cycles_of(c, Activity::WaitOutput)},
          {"idle", cycles_of(c, Activity::Idle)}};
}

}  // namespace

void add_member(Json& object, const std::string& name, Json value) {
  object.get_ref<Json::object_t&>().emplace_back(name, std::move(value));
}

Json record_object(const Record& r) {
  Json record = {
      {"status", text(r.status)},
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
  add_counters(record, r, CounterGroup::run);
  Json fabric = Json::object();
  add_counters(fabric, r, CounterGroup::fabric);
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

Json lasting_record_object(const Record& record) {
  Json object = record_object(record);
  for (const char* name : kPassing) object.erase(name);
  return object;
}

}  // namespace wse::vm
