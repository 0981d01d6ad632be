-- A mistake of Lua.
local wse = require "wse"
wse.argument("size")
local sizes = {1, 2}
print(sizes.first + 1)
--- expect
--- nil_call.lua:5: attempt to perform arithmetic on a nil value (field 'first')
