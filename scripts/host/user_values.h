// wse.user{...}: values that the script puts into the record.
#pragma once

#include "isa/support/result.h"
#include "scripts/host/binding.h"

namespace wse::script {

// The number, text or flag on top.
isa::Result<UserScalar> scalar_on_top(lua_State* L);

// user(table): its fields are added to those of earlier calls.
Returned set_user_values(lua_State* L);

}  // namespace wse::script
