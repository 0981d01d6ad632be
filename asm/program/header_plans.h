// The tasks and functions of a program as their headers say them, and who has which id.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "asm/names/names.h"
#include "isa/formula/formula.h"
#include "isa/instruction/instruction.h"

namespace wse::assembler {

inline constexpr std::uint32_t kNoRegister = ~0u;

// The header of a task or function, resolved.
struct HeaderPlan {
  const HeaderSyntax* syntax = nullptr;
  std::optional<isa::Formula> id{};        // of a task; nothing: none, or it has an error
  std::vector<std::uint32_t> arguments{};  // registers
  std::uint32_t result = kNoRegister;      // of a function
  std::uint32_t link = kNoRegister;
  std::uint32_t label = 0;
  bool broken = false;
  bool duplicate = false;
};

class HeaderPlans {
 public:
  // None is resolved, and no name is known yet.
  explicit HeaderPlans(const std::vector<HeaderSyntax>& headers) {
    for (const HeaderSyntax& syntax : headers) plans_.push_back({.syntax = &syntax});
  }
  HeaderPlans(const HeaderPlans&) = delete;
  HeaderPlans& operator=(const HeaderPlans&) = delete;

  // Returns all in the order of the text.
  std::span<HeaderPlan> all() { return plans_; }
  std::span<const HeaderPlan> all() const { return plans_; }
  HeaderPlan& operator[](std::uint32_t k) { return plans_[k]; }

  // From here on its name is known. False (and a diagnostic) if another has it.
  bool define(std::uint32_t k, Reporter& reporter);
  // nullptr if there is none of that name.
  const HeaderPlan* task(std::string_view name) const { return find(tasks_, name); }
  const HeaderPlan* function(std::string_view name) const { return find(functions_, name); }
  void offer_tasks(Suggestion& suggestion) const { tasks_.offer_all(suggestion); }
  void offer_functions(Suggestion& suggestion) const { functions_.offer_all(suggestion); }

  // Gives a task of all() the id, which a teardown task may share with another one. If it is taken,
  // the task that has it; else nullptr.
  const HeaderPlan* take(const HeaderPlan& task, std::uint32_t id);
  // No task has it, teardown tasks aside; ids that only the run knows are not counted.
  bool is_free(std::uint32_t id) const { return owners_[id] == nullptr; }
  // Of local tasks alone.
  bool is_local(std::uint32_t id) const;
  bool has_teardown() const;

 private:
  const HeaderPlan* find(const NameTable& names, std::string_view name) const {
    const Meaning* meaning = names.find(name);
    return meaning == nullptr ? nullptr : &plans_[meaning->index];
  }

  std::vector<HeaderPlan> plans_;
  NameTable tasks_;                                        // by index of the plan
  NameTable functions_;                                    // the same
  const HeaderPlan* owners_[isa::kTaskIds] = {};           // by id
  const HeaderPlan* teardown_owners_[isa::kTaskIds] = {};  // by colour
};

}  // namespace wse::assembler
