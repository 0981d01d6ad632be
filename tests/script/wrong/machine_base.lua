-- The base is a profile by name.
local wse = require "wse"
wse.run{text = ".grid 1, 1", machine = {base = "wse9"}}
