-- Neither here nor where wsevm's own files are.
local wse = require "wse"
wse.run{text = ".grid 1, 1", machine = "out/none.lua"}
