-- A row without its x.
local wse = require "wse"
wse.plot{rows = {{P = 4, cycles = 11}, {cycles = 15}}, x = "P", y = "cycles"}
