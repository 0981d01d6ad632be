-- An argument of another type.
local wse = require "wse"
wse.argument("size")
print(wse.argument("size", 4))
