-- Neither rows nor lines.
local wse = require "wse"
wse.plot{title = "cycles", x = "P", y = "cycles"}
--- expect
--- plot_nothing.lua:3: wse.plot: exactly one of the fields 'rows' and 'lines' is wanted
