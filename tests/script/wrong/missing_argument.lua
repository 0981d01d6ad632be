-- An argument that was not given.
local wse = require "wse"
wse.argument("size")
print(wse.argument("length"))
