-- An argument of another type.
local wse = require "wse"
wse.argument("size")
print(wse.argument("size", 4))
--- expect
--- wrong_argument.lua:4: argument size=large: an integer is wanted
