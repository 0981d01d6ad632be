-- A column that no row has.
local wse = require "wse"
local rows = {{P = 4, cycles = 11}, {P = 8, cycles = 15}}
wse.plot{rows = rows, x = "P", y = "cycle"}
--- expect
--- plot_no_column.lua:4: wse.plot: no row has the column 'cycle'; there are P, cycles
