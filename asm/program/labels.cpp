// A name is looked for from the inside to the outside.
#include "asm/program/labels.h"

namespace wse::assembler {

std::uint32_t Labels::add() {
  places_.emplace_back();
  return static_cast<std::uint32_t>(places_.size() - 1);
}

std::uint32_t Labels::define(const Named& name, std::uint32_t scope, Reporter& reporter) {
  const std::uint32_t number = add();
  names_[scope].define(name, NameKind::Other, number, reporter);
  return number;
}

const Meaning* Labels::find_in(std::uint32_t scope, std::string_view name) const {
  const auto table = names_.find(scope);
  return table == names_.end() ? nullptr : table->second.find(name);
}

std::optional<std::uint32_t> Labels::find(std::string_view name, std::uint32_t scope) const {
  const Meaning* found = find_in(scope, name);
  while (found == nullptr && scope != 0) {
    const auto parent = parents_.find(scope);
    scope = parent == parents_.end() ? 0 : parent->second;
    found = find_in(scope, name);
  }
  return found == nullptr ? std::nullopt : std::optional(found->index);
}

void Labels::offer_all(std::uint32_t scope, Suggestion& suggestion) const {
  for (const std::uint32_t offered : {scope, 0u}) {
    const auto table = names_.find(offered);
    if (table != names_.end()) table->second.offer_all(suggestion);
  }
}

void Labels::place(std::uint32_t label, std::uint32_t position) {
  if (!places_[label]) places_[label] = position;
}

std::uint32_t Labels::earlier_place_of(std::uint32_t label) const {
  return label < earlier_.size() ? earlier_[label].value_or(0) : 0;
}

}  // namespace wse::assembler
