// Resolves the headers of a program: names, registers, colours and entries, then the ids of local
// tasks.
#pragma once

#include "asm/program/program_context.h"

namespace wse::assembler {

// Ids of local tasks that no colour can be, in the order in which they are chosen.
inline constexpr std::uint32_t kIdsWithoutColour[] = {24, 25, 26, 27, 28, 30};

class HeaderResolver {
 public:
  explicit HeaderResolver(ProgramContext& context) : c_(context) {}

  void run();

 private:
  void define(std::uint32_t k);
  void resolve_registers(HeaderPlan& plan);
  // The arguments of a launch.
  bool check_exported(const HeaderSyntax& header);
  void check_registers(HeaderPlan& plan);
  std::uint32_t register_of(ExprId id, HeaderPlan& plan);
  void resolve_id(HeaderPlan& plan);
  void resolve_colour(HeaderPlan& plan);
  void resolve_number(HeaderPlan& plan, std::string_view what, std::uint32_t limit);
  const Binding* pinned_entry(const Expr& id) const;
  void report_reserved(const HeaderSyntax& header, std::int64_t number);
  void take(HeaderPlan& plan, std::uint32_t id);
  bool may_choose(std::uint32_t id) const;
  std::optional<std::uint32_t> free_id() const;
  std::uint32_t local_ids() const;
  void take_free_id(HeaderPlan& plan);

  ProgramContext& c_;
};

}  // namespace wse::assembler
