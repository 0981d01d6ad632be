// The program as the scalar code of PEs sees it: a view for every instance of a program, one
// descriptor for all literals that come to the same values.
#pragma once

#include <deque>
#include <map>
#include <vector>

#include "isa/semantics/state.h"
#include "vm/load/loaded.h"

namespace wse::vm {

class Views {
 public:
  // `loaded` must stay.
  explicit Views(const Loaded& loaded);
  Views(const Views&) = delete;
  Views& operator=(const Views&) = delete;

  // Returns the view of an instance, by its index. It stays where it is.
  const isa::ProgramView& operator[](std::uint32_t instance) const { return views_[instance]; }

 private:
  using Table = std::vector<const isa::Descriptor*>;  // by number of the literal

  // The descriptors of a program.
  struct Descriptors {
    const Table* table = nullptr;        // of its last instance
    std::vector<std::uint32_t> varying;  // literals whose values depend on slots
    std::map<isa::StoredDescriptor, isa::Descriptor> made;
  };
  // Their places at an instance.
  const Table& table_of(const ProgramInstance& instance);

  std::vector<isa::ProgramView> views_;
  std::map<const LoadedProgram*, Descriptors> descriptors_;
  std::deque<Table> tables_;
};

}  // namespace wse::vm
