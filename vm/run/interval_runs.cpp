// Arrays before a run, and how the runs at the ends of intervals ended.
#include "vm/run/interval_runs.h"

#include <fmt/format.h>

namespace wse::vm {

isa::Result<FirstWords> FirstWords::of(const Machine& machine,
                                       const std::vector<std::string>& arrays) {
  FirstWords first;
  for (const std::string& name : arrays) {
    const isa::Result<ArrayInfo> place = machine.array(name);
    if (!place) return std::unexpected(place.error());
    isa::Result<std::vector<std::uint32_t>> words = machine.read_array(name);
    if (!words) return std::unexpected(words.error());
    first.all_.push_back({name, *place, std::move(*words)});
  }
  return first;
}

isa::Status FirstWords::put_into(Machine& machine) const {
  for (const auto& [array, place, words] : all_) {
    if (isa::Status status = machine.write_array(array, place, words); !status) return status;
  }
  return {};
}

bool note_end(Record& record, isa::End end, const Record& found) {
  if (found.status == RunStatus::Halted && found.engine_problem.empty()) {
    (end == isa::End::Low ? record.cycles_low : record.cycles_high) = found.cycles;
    return true;
  }
  record.message +=
      fmt::format("{}with every constant at the {} end of its interval: {} after {} cycles{}{}",
                  record.message.empty() ? "" : "\n", isa::text(end), text(found.status),
                  found.cycles, found.message.empty() ? "" : "\n", found.message);
  if (!found.engine_problem.empty()) record.message += "\n" + found.engine_problem;
  return false;
}

}  // namespace wse::vm
