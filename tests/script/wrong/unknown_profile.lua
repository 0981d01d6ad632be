-- A machine that there is not.
local wse = require "wse"
wse.argument("size")
wse.run{text = ".grid 1, 1", machine = "wse9"}
