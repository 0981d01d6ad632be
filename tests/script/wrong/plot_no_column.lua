-- A column that no row has.
local wse = require "wse"
local rows = {{P = 4, cycles = 11}, {P = 8, cycles = 15}}
wse.plot{rows = rows, x = "P", y = "cycle"}
