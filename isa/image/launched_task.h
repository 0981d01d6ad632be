// Says which tasks of an image a host may launch.
#pragma once

#include <algorithm>

#include "isa/image/image.h"

namespace wse::isa {

// Whether the task is local, with a type in memory for each argument, of which a launch gives so
// many; or it is not exported, and has no types.
inline bool may_be_launched(const Task& task) {
  if (!task.exported) return task.argument_types.empty();
  const std::vector<Type>& types = task.argument_types;
  const std::size_t count = task.arguments.size();
  return task.kind == TaskKind::Local && count <= kMaxLaunchArguments && types.size() == count &&
         std::ranges::find(types, Type::Colour) == types.end();
}

}  // namespace wse::isa
