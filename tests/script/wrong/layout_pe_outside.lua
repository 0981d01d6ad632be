-- A PE that there is not.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 4)
local corner = w:pe(8, 0)
--- expect
--- layout_pe_outside.lua:5: w:pe: x is 8; 0 to 7 is wanted
