// Sorts the PEs of a block by what they are, and compares neighbours.
#include "tests/cohorts/split_join.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace wse::cohorts {
namespace {

// Calls visit(range) for ranges of successive members that are alike.
template <class Alike, class Visit>
void for_each_range(std::span<const Member> members, Alike alike, Visit visit) {
  for (std::size_t first = 0; first < members.size();) {
    std::size_t end = first + 1;
    while (end < members.size() && alike(members[first], members[end])) ++end;
    visit(members.subspan(first, end - first));
    first = end;
  }
}

bool are_together(const Member& one, const Member& other) {
  return one.after.by_program == other.after.by_program && one.picks == other.picks;
}

bool share_an_instance(std::span<const Member> some, std::span<const Member> others) {
  std::set<const void*> instances;
  for (const Member& member : some) instances.insert(member.instance);
  return std::ranges::any_of(
      others, [&](const Member& member) { return instances.contains(member.instance); });
}

Cause cause_of(std::span<const Member> rest, std::span<const Member> leaving) {
  const Member& one = rest.front();
  const Member& other = leaving.front();
  if (one.before.by_program != other.before.by_program || one.is_due != other.is_due) {
    return Cause::Skew;
  }
  return share_an_instance(rest, leaving) ? Cause::Data : Cause::Instance;
}

}  // namespace

std::uint32_t SplitJoin::add(std::span<const Member> members, vm::Cycle now) {
  const auto id = static_cast<std::uint32_t>(cohorts_.size());
  cohorts_.push_back({now, members.size()});
  for (const Member& member : members) cohort_of_[member.pe] = id;
  return id;
}

void SplitJoin::die(Cohort& cohort, vm::Cycle now) {
  if (cohort.size > 1) {
    ++counts_.lives;
    counts_.life_cycles += now - cohort.born;
    counts_.pes += cohort.size;
    counts_.pe_life_cycles += (now - cohort.born) * cohort.size;
  }
  cohort.size = 0;
}

void SplitJoin::begin(std::span<const Member> block) {
  std::map<std::uint64_t, std::vector<Member>> parts;
  for (const Member& member : block) parts[member.before.by_program].push_back(member);
  for (const auto& [key, members] : parts) add(members, 0);
}

void SplitJoin::step(std::span<Member> block, vm::Cycle now) {
  std::ranges::sort(block, {}, [this](const Member& member) {
    return std::tuple(cohort_of_[member.pe], member.after.by_program, member.picks, member.pe);
  });
  const auto same_cohort = [this](const Member& one, const Member& other) {
    return cohort_of_[one.pe] == cohort_of_[other.pe];
  };
  for_each_range(block, same_cohort, [&](auto members) { step_cohort(members, now); });
  join(block, now);
}

void SplitJoin::step_cohort(std::span<const Member> members, vm::Cycle now) {
  std::vector<std::span<const Member>> parts;
  for_each_range(members, are_together, [&](auto part) {
    parts.push_back(part);
    if (std::ranges::any_of(part, &Member::is_due)) ++counts_.visits;
  });
  if (parts.size() == 1) return;
  const auto rest = *std::ranges::max_element(parts, {}, [](auto part) { return part.size(); });
  die(cohorts_[cohort_of_[members.front().pe]], now);
  for (const auto part : parts) {
    add(part, now);
    if (part.data() != rest.data()) {
      ++counts_.splits[static_cast<std::size_t>(cause_of(rest, part))];
    }
  }
}

void SplitJoin::join(std::span<const Member> block, vm::Cycle now) {
  std::map<std::uint64_t, std::vector<Member>> joining;
  for (const Member& member : block) {
    const bool may_join = where_ == Join::TaskStarts ? member.picks : member.is_due;
    if (may_join) joining[member.after.by_program].push_back(member);
  }
  for (const auto& [key, members] : joining) {
    std::set<std::uint32_t> joined;
    for (const Member& member : members) joined.insert(cohort_of_[member.pe]);
    if (joined.size() == 1) continue;
    counts_.joins += joined.size() - 1;
    for (const std::uint32_t id : joined) die(cohorts_[id], now);
    add(members, now);
  }
}

void SplitJoin::end(vm::Cycle now) {
  for (Cohort& cohort : cohorts_) die(cohort, now);
}

}  // namespace wse::cohorts
