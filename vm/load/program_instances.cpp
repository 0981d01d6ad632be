// Finds an instance by a hash of its slots.
#include "vm/load/program_instances.h"

#include <algorithm>

namespace wse::vm {
namespace {

constexpr std::size_t kWordsOfABlock = 1 << 10;
constexpr std::size_t kPlacesAtFirst = 64;

std::uint32_t hash_of(const LoadedProgram& program, std::span<const std::uint32_t> slots) {
  std::uint64_t hash = reinterpret_cast<std::uintptr_t>(&program);
  for (const std::uint32_t slot : slots) {
    hash = (hash ^ slot) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  return static_cast<std::uint32_t>(hash);
}

}  // namespace

ProgramInstances::Added ProgramInstances::add(const LoadedProgram& program,
                                              std::span<const std::uint32_t> slots) {
  read_.assign(slots.begin(), slots.end());
  for (std::size_t k = 0; k < slots.size(); ++k) {
    if (program.slots_read[k] == 0) read_[k] = 0;
  }
  if (2 * instances_.size() >= places_.size()) grow();
  const std::uint32_t hash = hash_of(program, read_);
  Place& place = place_of(program, read_, hash);
  if (place.index != kFree) return {place.index, false};
  place = {hash, static_cast<std::uint32_t>(instances_.size())};
  instances_.push_back({&program, keep(read_), nullptr});
  return {place.index, true};
}

isa::Result<const TaskTable*> ProgramInstances::bind_tasks(const ProgramInstance& instance,
                                                           const isa::Profile& profile) {
  const isa::Program& program = *instance.program->program;
  TaskKey key = {instance.program, {}};
  for (const isa::Task& task : program.tasks) {
    if (task.id.is_slot) key.second.push_back(isa::value_of(task.id, instance.slots));
  }
  std::unique_ptr<TaskTable>& known = tasks_[key];
  if (known == nullptr) {
    isa::Result<TaskTable> bound = TaskTable::bind(program, instance.slots, profile);
    if (!bound) return std::unexpected(bound.error());
    known = std::make_unique<TaskTable>(*bound);
  }
  return known.get();
}

ProgramInstances::Place& ProgramInstances::place_of(const LoadedProgram& program,
                                                    std::span<const std::uint32_t> slots,
                                                    std::uint32_t hash) {
  const std::size_t mask = places_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    Place& place = places_[at];
    if (place.index == kFree) return place;
    if (place.hash != hash) continue;
    const ProgramInstance& known = instances_[place.index];
    if (known.program == &program &&
        std::ranges::equal(slots, std::span(known.slots, slots.size())))
      return place;
  }
}

void ProgramInstances::grow() {
  const std::vector<Place> old =
      std::exchange(places_, std::vector<Place>(std::max(kPlacesAtFirst, 4 * places_.size())));
  const std::size_t mask = places_.size() - 1;
  for (const Place& place : old) {
    if (place.index == kFree) continue;
    std::size_t at = place.hash & mask;
    while (places_[at].index != kFree) at = (at + 1) & mask;
    places_[at] = place;
  }
}

const std::uint32_t* ProgramInstances::keep(std::span<const std::uint32_t> slots) {
  if (words_left_ < slots.size()) {
    const std::size_t words = std::max(kWordsOfABlock, slots.size());
    blocks_.push_back(std::make_unique_for_overwrite<std::uint32_t[]>(words));
    next_ = blocks_.back().get();
    words_left_ = words;
  }
  std::uint32_t* const kept = next_;
  std::ranges::copy(slots, kept);
  next_ += slots.size();
  words_left_ -= slots.size();
  return kept;
}

}  // namespace wse::vm
