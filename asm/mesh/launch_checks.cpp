// Compares each exported task with the first of its name.
#include "asm/mesh/launch_checks.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "asm/syntax/code_places.h"

namespace wse::assembler {

void check_launches(const isa::Image& image, const Unit& unit, Reporter& reporter) {
  struct First {
    std::size_t program = 0;
    const isa::Task* task = nullptr;
  };
  std::unordered_map<std::string_view, First> exported;
  for (std::size_t k = 0; k < image.programs.size(); ++k) {
    for (const isa::Task& task : image.programs[k].tasks) {
      if (!task.exported) continue;
      const auto [place, is_new] = exported.try_emplace(task.name, First{k, &task});
      const auto& [other, first] = place->second;
      if (is_new || first->argument_types == task.argument_types) continue;
      reporter.report(Problem::ExportedTwice, place_of(unit.programs[k], task), task.name,
                      isa::argument_text(task), image.programs[other].name,
                      isa::argument_text(*first));
      reporter.note(Remark::FirstDefined, place_of(unit.programs[other], *first), task.name);
    }
  }
}

}  // namespace wse::assembler
