-- A row without its x.
local wse = require "wse"
wse.plot{rows = {{P = 4, cycles = 11}, {cycles = 15}}, x = "P", y = "cycles"}
--- expect
--- plot_no_x.lua:3: wse.plot: rows[2] has no 'P'
