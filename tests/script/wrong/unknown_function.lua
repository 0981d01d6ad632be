-- A function that the library does not have.
local wse = require "wse"
wse.argument("size")
wse.runn{text = ".grid 1, 1"}
--- expect
--- unknown_function.lua:4: wse has no 'runn'; did you mean 'run'?
