// The cycles of a run where the constants of its machine are at the ends of their intervals: the
// same program runs again on two more machines, of which nothing but the cycles is kept.
//
// Machines are made by who calls; the first one, which has run, stays as it is.
#pragma once

#include <concepts>
#include <expected>
#include <string>
#include <type_traits>
#include <vector>

#include "isa/machine/interval.h"
#include "vm/run/machine.h"

namespace wse::vm {

// The words that exported arrays have before a run, from which further machines start.
class FirstWords {
 public:
  // Errors: an array that does not exist.
  static isa::Result<FirstWords> of(const Machine& machine, const std::vector<std::string>& arrays);

  // `machine` must hold the same program.
  isa::Status put_into(Machine& machine) const;

 private:
  struct Words {
    std::string array;
    ArrayInfo place;
    std::vector<std::uint32_t> words;
  };
  std::vector<Words> all_;
};

// Notes the cycles of a run with all constants at that end. False: it did not halt; then the
// message says how it ended, and there are no cycles.
bool note_end(Record& record, isa::End end, const Record& found);

// Runs at both ends, by `run_at(profile)`, which returns an expected record. An end at which all
// constants are those of `profile`, on which `record` was made, takes what the record says. False:
// a run did not halt; after one that was interrupted there is no other. Errors are those of
// `run_at`.
template <std::invocable<const isa::Profile&> RunAt>
auto run_at_ends(const isa::Profile& profile, const isa::EndProfiles& ends, Record& record,
                 RunAt run_at)
    -> std::expected<bool, typename std::invoke_result_t<RunAt, const isa::Profile&>::error_type> {
  bool all_halted = true;
  for (const isa::End end : isa::kEnds) {
    if (isa::same_numbers(ends.at(end), profile)) {
      all_halted &= note_end(record, end, record);
      continue;
    }
    auto found = run_at(ends.at(end));
    if (!found) return std::unexpected(std::move(found).error());
    all_halted &= note_end(record, end, *found);
    if (found->status == RunStatus::Interrupted) break;
  }
  return all_halted;
}

}  // namespace wse::vm
