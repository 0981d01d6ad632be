-- A number of the machine that there is not.
local wse = require "wse"
wse.run{text = ".grid 1, 1", machine = {base = "wse3", hop_latncy = 2}}
