-- A machine is no number.
local wse = require "wse"
wse.run{text = ".grid 1, 1", machine = 3}
