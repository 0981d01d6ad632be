// Says what a source asks for and the machine that the assembler was told of does not have.
//
// isa/image/machine_limits.h finds it in the image; here it gets its place in the source and a
// remedy. Knows nothing of a machine but its profile.
#pragma once

#include <vector>

#include "asm/code/fabric_inputs.h"
#include "asm/mesh/placing.h"
#include "isa/image/machine_limits.h"

namespace wse::assembler {

class MachineLimits {
 public:
  MachineLimits(const isa::Image& image, const isa::Profile& profile, const Unit& unit,
                const std::vector<const ProgramSyntax*>& programs, Reporter& reporter)
      : image_(image), profile_(profile), unit_(unit), programs_(programs), reporter_(reporter) {}

  // `routes` are those of the image, in its order, which may have errors elsewhere.
  void check(const std::vector<PlacedRoute>& routes, const std::vector<FabricInputs>& inputs);
  // Only of an image that has no other errors.
  void check_placements(const std::vector<PlacedProgram>& placements);

 private:
  void report(const isa::MachineBreach& breach, const isa::SourceRange& where);
  void report_switch(const isa::MachineBreach& breach, const isa::SourceRange& where,
                     std::string_view pe);
  isa::SourceRange place_of(const isa::MachineBreach& breach,
                            const std::vector<PlacedRoute>& routes) const;
  isa::SourceRange instruction_at(const isa::MachineBreach& breach, isa::Op op) const;
  isa::SourceRange task_id(const isa::MachineBreach& breach) const;
  // Returns the header of a task that pins its id; nullptr if it is not in the text of the program.
  const HeaderSyntax* header_of(const isa::MachineBreach& breach) const;

  const isa::Image& image_;
  const isa::Profile& profile_;
  const Unit& unit_;
  const std::vector<const ProgramSyntax*>& programs_;
  Reporter& reporter_;
};

}  // namespace wse::assembler
