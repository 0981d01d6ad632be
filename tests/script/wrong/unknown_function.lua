-- A function that the library does not have.
local wse = require "wse"
wse.argument("size")
wse.runn{text = ".grid 1, 1"}
