-- A field that is near to none.
local wse = require "wse"
wse.argument("size")
wse.run{text = ".grid 1, 1", colour = "red"}
