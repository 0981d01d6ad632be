// wse.user{...}: values that the script puts into the record.
#pragma once

#include "scripts/host/binding.h"

namespace wse::script {

// user(table): its fields are added to those of earlier calls.
Returned set_user_values(lua_State* L);

}  // namespace wse::script
