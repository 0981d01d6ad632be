-- A flag that is a text.
local wse = require "wse"
wse.argument("size")
wse.run{text = ".grid 1, 1", strict = "yes"}
