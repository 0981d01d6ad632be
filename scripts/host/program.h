// Programs that scripts run: .wsa text or .wsb bytes, with values, become an image.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "isa/image/image.h"
#include "isa/machine/profile.h"
#include "isa/support/diagnostics.h"
#include "scripts/host/session.h"

namespace wse::script {

struct Program {
  std::string name;  // in messages and in the image
  std::string path;  // includes are relative to it; empty: to the current folder
  std::string text;  // or the bytes of an image
  std::vector<std::pair<std::string, std::string>> values;
};

// An image, and the texts that it was assembled from: none for what was an image.
struct AssembledProgram {
  isa::Image image;
  isa::SourceFiles sources;
};

// Warnings that are not switched off go to the session's log. An error is ready to be shown:
// diagnostics, or a line.
isa::Result<AssembledProgram> make_image(Session& session, const Program& program,
                                         const RunDefaults& options);

}  // namespace wse::script
