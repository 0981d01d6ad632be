// What a machine file says goes to stderr.
#include "vm/cli/machine_option.h"

#include "vm/cli/interrupt.h"
#include "vm/cli/standard_streams.h"

namespace wse::cli {

Outcome<isa::MeasuredProfile> find_machine(const std::string& given, isa::InputList& inputs) {
  return front::find_machine(given, inputs,
                             {.log = [](std::string_view line) { complain(line); },
                              .give_up =
                                  [](const std::string& message) {
                                    complain_of_error(message);
                                    end_for_good();
                                  }});
}

}  // namespace wse::cli
