-- An argument that was not given.
local wse = require "wse"
wse.argument("size")
print(wse.argument("length"))
--- expect
--- missing_argument.lua:4: argument 'length' is missing; give it as length=VALUE
