-- A mistake of Lua.
local wse = require "wse"
wse.argument("size")
local sizes = {1, 2}
print(sizes.first + 1)
